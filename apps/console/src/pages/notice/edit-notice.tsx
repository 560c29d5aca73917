import { Button } from "@mantine/core";
import { mdiPencilOutline } from "@mdi/js";
import type { MessageProgress } from "@sineta/protocol";
import { Link } from "@tanstack/react-router";
import { Icon } from "../../parts/icon.tsx";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { useEdit } from "../drafts/use-edit.ts";
import classes from "./notice.module.css";
import { mayBeEdited } from "./notice-query.ts";
import { useIsHeld } from "./state-badge.tsx";

/** Whether the page offers to change the notice. While delivery is held, that includes a notice that is due. */
export function useMayEdit(notice: MessageProgress | undefined): boolean {
  const isEditor = useProject().may("editor");
  const isHeld = useIsHeld(notice?.state ?? "done") === true;
  if (notice === undefined || !isEditor) return false;
  return notice.state === "scheduled" || (isHeld && mayBeEdited(notice));
}

/** Opens a scheduled notice to change it. */
export function EditNotice({ id }: { id: string }) {
  const { notices } = useTexts();
  const { search, isBegun } = useEdit(id);
  return (
    <Button
      className={classes.touch}
      leftSection={<Icon path={mdiPencilOutline} />}
      renderRoot={(props) => <Link {...props} to="/avisos/novo" search={search} />}
    >
      {isBegun ? notices.continueEdit : notices.edit}
    </Button>
  );
}
