import { Button } from "@mantine/core";
import { mdiCancel, mdiContentDuplicate } from "@mdi/js";
import type { MessageProgress } from "@sineta/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { useCsvAddress } from "../../parts/csv-address.ts";
import { ExportMenu } from "../../parts/export-menu.tsx";
import { Icon } from "../../parts/icon.tsx";
import { pageTitle, takeLostFocus } from "../../parts/lost-focus.ts";
import { useLateDialog } from "../../parts/use-late-dialog.ts";
import { useProject } from "../../session/operator.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { LateCancelNotice } from "./late-cancel-notice.tsx";
import classes from "./notice.module.css";
import { noticeKey } from "./notice-query.ts";
import { goesOn } from "./words.ts";

/** What can be done with a notice. */
export function NoticeActions({ notice }: { notice: MessageProgress }) {
  const { notices } = useTexts();
  const project = useProject();
  const queries = useQueryClient();
  const cancelling = useLateDialog();
  const { id, state } = notice;
  const key = noticeKey(project.name, id);
  const exported = useCsvAddress(`messages/${id}/export`);
  const hasFigures = state !== "scheduled";
  const mayCancel = project.may("editor") && goesOn(state);
  // The button leaves the page when the notice ends.
  useEffect(() => {
    if (mayCancel) return () => takeLostFocus(pageTitle());
    return undefined;
  }, [mayCancel]);
  const mayPublish = project.may("editor");
  return (
    <>
      {hasFigures && (
        <ExportMenu
          tables={[
            { name: notices.exportFigures, address: exported({ table: "figures" }) },
            { name: notices.exportRegistrations, address: exported() },
            { name: notices.exportWithTokens, address: exported({ tokens: "true" }) },
          ]}
        />
      )}
      {mayPublish && (
        <Button
          variant="default"
          className={classes.touch}
          leftSection={<Icon path={mdiContentDuplicate} />}
          renderRoot={(props) => <Link {...props} to="/avisos/novo" search={{ copiar: id }} />}
        >
          {notices.duplicate}
        </Button>
      )}
      {mayCancel && (
        <Button
          variant="default"
          className={classes.touch}
          leftSection={<Icon path={mdiCancel} />}
          onClick={cancelling.open}
        >
          {notices.cancelNotice}
        </Button>
      )}
      <LateCancelNotice
        notice={notice}
        dialog={cancelling}
        onState={(shown) =>
          queries.setQueryData<MessageProgress>(key, (known) => known && { ...known, state: shown })
        }
      />
    </>
  );
}
