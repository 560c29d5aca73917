import { Button, Menu } from "@mantine/core";
import { mdiCancel, mdiChevronDown, mdiContentDuplicate, mdiTrayArrowDown } from "@mdi/js";
import type { MessageProgress } from "@sineta/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { Icon } from "../../parts/icon.tsx";
import { pageTitle, takeLostFocus } from "../../parts/lost-focus.ts";
import { useLateDialog } from "../../parts/use-late-dialog.ts";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
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
  const { csvSeparator } = useFormat();
  const exportPath = `/v1/${project.path}/messages/${id}/export?separator=${csvSeparator}`;
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
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              variant="default"
              className={classes.touch}
              leftSection={<Icon path={mdiTrayArrowDown} />}
              rightSection={<Icon path={mdiChevronDown} size={18} />}
            >
              {notices.exportOne}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item component="a" href={`${exportPath}&table=figures`} download>
              {notices.exportFigures}
            </Menu.Item>
            <Menu.Item component="a" href={exportPath} download>
              {notices.exportRegistrations}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
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
