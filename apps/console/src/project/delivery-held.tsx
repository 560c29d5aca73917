import { Alert } from "@mantine/core";
import { mdiAlertOutline } from "@mdi/js";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Icon } from "../parts/icon.tsx";
import { useProject } from "../session/operator.ts";
import { useTexts } from "../texts/use-texts.tsx";
import { deliveryQuery, waitOf } from "./delivery.ts";

/** Says why a notice does not go out, while delivery is held. */
export function DeliveryHeld({ notice }: { notice: Parameters<typeof waitOf>[1] }) {
  const { delivery } = useTexts();
  const { data } = useQuery(deliveryQuery(useProject()));
  if (data?.state !== "held") return null;
  return (
    <Alert color="yellow" icon={<Icon path={mdiAlertOutline} />} title={delivery.held}>
      <p>{delivery.waits[waitOf(data, notice)]}</p>
      <Link to="/ajustes/envio">{delivery.open}</Link>
    </Alert>
  );
}
