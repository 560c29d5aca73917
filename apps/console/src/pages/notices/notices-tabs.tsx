import { TabLinks } from "../../parts/tab-links.tsx";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { useDrafts } from "../drafts/use-drafts.ts";
import classes from "./notices-tabs.module.css";

/** From the notices to the drafts and back. The server shows drafts to editors only. */
export function NoticesTabs() {
  return useProject().may("editor") && <Tabs />;
}

function Tabs() {
  const { frame, notices } = useTexts();
  const format = useFormat();
  const { count } = useDrafts();
  return (
    <TabLinks
      label={notices.noticesAndDrafts}
      tabs={[
        { to: "/avisos", name: frame.notices },
        {
          to: "/avisos/rascunhos",
          name: (
            <>
              {frame.drafts}
              {count > 0 && <span className={classes.count}> {format.number(count)}</span>}
            </>
          ),
        },
      ]}
    />
  );
}
