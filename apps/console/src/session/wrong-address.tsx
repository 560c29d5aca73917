import { Alert, Anchor } from "@mantine/core";
import { mdiAlertOutline } from "@mdi/js";
import { Icon } from "../parts/icon.tsx";
import { useTexts } from "../texts/use-texts.tsx";
import { ownAddressElsewhere } from "./own-address.ts";

/** Says that the console was opened at an address that is not Sineta's own, and what to do; nothing where it is right. */
export function WrongAddress() {
  if (ownAddressElsewhere() === null) return null;
  return (
    <Alert role="note" color="yellow" icon={<Icon path={mdiAlertOutline} />}>
      <OwnAddress />
    </Alert>
  );
}

/** Sineta's own address, and how it becomes this page's. Nothing where it is this page's. */
export function OwnAddress() {
  const { session } = useTexts();
  const own = ownAddressElsewhere();
  if (own === null) return null;
  const { origin, pathname, hash } = window.location;
  return (
    <>
      <p>
        {session.ownAddress}{" "}
        <Anchor inherit c="inherit" underline="always" href={`${own}${pathname}${hash}`}>
          {own}
        </Anchor>
      </p>
      <p>
        {session.thisAddress} <code>SINETA_PUBLIC_URL={origin}</code>
      </p>
    </>
  );
}
