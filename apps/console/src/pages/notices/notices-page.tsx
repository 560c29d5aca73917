import { Button } from "@mantine/core";
import { mdiPencilOutline, mdiTrayArrowDown } from "@mdi/js";
import { Link, useSearch } from "@tanstack/react-router";
import { Icon } from "../../parts/icon.tsx";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { Filters } from "./filters.tsx";
import { NoneFound, NoneYet } from "./none.tsx";
import { NoticeList, NoticeListSkeleton } from "./notice-list.tsx";
import classes from "./notices.module.css";
import { filterQuery, validateNoticesSearch } from "./search.ts";
import { useNotices } from "./use-notices.ts";

/** All notices, found by words and filters, with what became of each. */
export function NoticesPage() {
  const { frame, notices: texts } = useTexts();
  const format = useFormat();
  const project = useProject();
  const search = useSearch({ from: "/inside/avisos", select: validateNoticesSearch });
  const notices = useNotices(search);
  const exported = filterQuery(search);
  exported.set("separator", format.csvSeparator);
  const isFiltered = Object.keys(search).length > 0;
  const shown = notices.scheduled.length + notices.others.length;
  const count = texts.shownCount(shown, format.number(shown), notices.hasMore);
  return (
    <Page
      title={frame.notices}
      actions={
        <>
          <Button
            component="a"
            variant="default"
            className={classes.touch}
            href={`/v1/${project.path}/messages/export?${exported}`}
            download
            leftSection={<Icon path={mdiTrayArrowDown} />}
          >
            {texts.exportList}
          </Button>
          {project.may("editor") && (
            <Button
              component={Link}
              to="/avisos/novo"
              className={classes.touch}
              leftSection={<Icon path={mdiPencilOutline} />}
            >
              {frame.newNotice}
            </Button>
          )}
        </>
      }
    >
      <Filters search={search} />
      <output className={classes.count}>{notices.isSuccess && shown > 0 ? count : ""}</output>
      {notices.error !== null && <Problem error={notices.error} onRetry={notices.askAgain} />}
      {notices.isPending && notices.error === null && <NoticeListSkeleton />}
      {notices.isSuccess &&
        shown === 0 &&
        (isFiltered ? <NoneFound search={search} /> : <NoneYet />)}
      {!notices.isPending && shown > 0 && (
        <NoticeList
          scheduled={notices.scheduled}
          others={notices.others}
          hasMore={notices.hasMore}
          isStale={notices.isStale}
          loadMore={notices.loadMore}
          onState={notices.showState}
        />
      )}
    </Page>
  );
}
