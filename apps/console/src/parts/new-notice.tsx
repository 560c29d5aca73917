import { Button } from "@mantine/core";
import { mdiPencilOutline } from "@mdi/js";
import { Link } from "@tanstack/react-router";
import { useTexts } from "../texts/use-texts.tsx";
import { Icon } from "./icon.tsx";

/** Leads to the page that writes a notice. */
export function NewNotice() {
  const { frame } = useTexts();
  return (
    <Button
      leftSection={<Icon path={mdiPencilOutline} size={18} />}
      renderRoot={(props) => <Link to="/avisos/novo" {...props} />}
    >
      {frame.newNotice}
    </Button>
  );
}
