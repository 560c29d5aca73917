import { Button } from "@mantine/core";
import { mdiTrayArrowDown } from "@mdi/js";
import { useSearch } from "@tanstack/react-router";
import { useCsvAddress } from "../../parts/csv-address.ts";
import { Icon } from "../../parts/icon.tsx";
import { NewNotice } from "../../parts/new-notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { Filters } from "./filters.tsx";
import { NoneFound, NoneYet } from "./none.tsx";
import { NoticeList, NoticeListSkeleton } from "./notice-list.tsx";
import { NoticesTabs } from "./notices-tabs.tsx";
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
  const exported = useCsvAddress("messages/export");
  const isFiltered = Object.keys(search).length > 0;
  const shown = notices.scheduled.length + notices.others.length;
  /** Nothing has been published. The empty list has the button. */
  const isEmpty = notices.isSuccess && shown === 0 && !isFiltered;
  const count = texts.shownCount(shown, format.number(shown), notices.hasMore);
  return (
    <Page
      title={frame.notices}
      actions={
        <Button
          component="a"
          variant="default"
          className={classes.touch}
          href={exported(filterQuery(search))}
          download
          leftSection={<Icon path={mdiTrayArrowDown} />}
        >
          {frame.exportCsv}
        </Button>
      }
      action={project.may("editor") && !isEmpty && <NewNotice />}
    >
      <NoticesTabs />
      <Filters search={search} />
      <output className={classes.count}>{notices.isSuccess && shown > 0 ? count : ""}</output>
      {notices.error !== null && <Problem error={notices.error} onRetry={notices.askAgain} />}
      {notices.isPending && notices.error === null && <NoticeListSkeleton />}
      {isEmpty && <NoneYet />}
      {notices.isSuccess && shown === 0 && isFiltered && <NoneFound search={search} />}
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
