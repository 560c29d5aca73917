import { Alert } from "@mantine/core";
import { mdiAlertOutline } from "@mdi/js";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Icon } from "../parts/icon.tsx";
import { useProject } from "../session/operator.ts";
import { useTexts } from "../texts/use-texts.tsx";
import { deliveryQuery, waitOf } from "./delivery.ts";

/** Says why a notice does not go out, while delivery is held. @param id of the notice; without one it is yet to be published */
export function DeliveryHeld({ id }: { id?: string }) {
  const { delivery } = useTexts();
  const { data } = useQuery(deliveryQuery(useProject()));
  if (data?.state !== "held") return null;
  return (
    <Alert color="yellow" icon={<Icon path={mdiAlertOutline} />} title={delivery.held}>
      <p>{delivery.waits[waitOf(data, id)]}</p>
      <Link to="/ajustes/envio">{delivery.open}</Link>
    </Alert>
  );
}
