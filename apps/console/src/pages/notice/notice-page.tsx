import { Skeleton } from "@mantine/core";
import { Link, useParams } from "@tanstack/react-router";
import { codeOf } from "../../api/api-problem.ts";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { DeliveryHeld } from "../../project/delivery-held.tsx";
import { useTexts } from "../../texts/use-texts.tsx";
import { EditNotice, useMayEdit } from "./edit-notice.tsx";
import { ExceptionsCard } from "./exceptions-card.tsx";
import { EngineeringCard } from "./engineering-card.tsx";
import { hasResult } from "./funnel.ts";
import { FunnelCard } from "./funnel-card.tsx";
import { Held } from "./held.tsx";
import { NoResultCard } from "./no-result-card.tsx";
import { NoticeActions } from "./notice-actions.tsx";
import { NoticeStatus } from "./notice-status.tsx";
import classes from "./notice.module.css";
import { OverTimeCard } from "./over-time-card.tsx";
import { SentCard } from "./sent-card.tsx";
import { useNotice } from "./use-notice.ts";
import { goesOn } from "./words.ts";

/** One notice, followed live while it goes out, and what became of it afterwards. */
export function NoticePage() {
  const { id } = useParams({ from: "/inside/avisos/$id" });
  // Another notice's samples and streams are none of this one's.
  return <OneNotice key={id} id={id} />;
}

function OneNotice({ id }: { id: string }) {
  const { frame, notices } = useTexts();
  const { notice, following, pace } = useNotice(id);
  const { data, error } = notice;
  const mayEdit = useMayEdit(data);
  if (data === undefined && codeOf(error) === "message-not-found") return <Missing />;
  if (data === undefined) {
    return (
      <Page title={notices.notice}>
        {error === null ? (
          <Waiting label={frame.loading} />
        ) : (
          <Problem error={error} onRetry={() => void notice.refetch()} />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={data.notification.title}
      titleDir={data.notification.dir}
      status={<NoticeStatus notice={data} following={notice.isError ? "offline" : following} />}
      actions={<NoticeActions notice={data} />}
      action={mayEdit && <EditNotice id={data.id} />}
    >
      {goesOn(data.state) && <DeliveryHeld notice={data} />}
      {hasResult(data) && <FunnelCard notice={data} pace={pace} />}
      <Held notice={data} />
      <div className={classes.columns}>
        <div className={classes.main}>
          {hasResult(data) ? (
            <>
              <OverTimeCard notice={data} />
              <ExceptionsCard notice={data} />
            </>
          ) : (
            <NoResultCard notice={data} />
          )}
        </div>
        <SentCard notice={data} />
      </div>
      <EngineeringCard notice={data} />
    </Page>
  );
}

function Missing() {
  const { notices } = useTexts();
  return (
    <Page title={notices.missing}>
      <p>{notices.missingWhat}</p>
      <p>
        <Link to="/avisos">{notices.toList}</Link>
      </p>
    </Page>
  );
}

/** As large as what comes. */
function Waiting({ label }: { label: string }) {
  return (
    <section className={classes.main} aria-busy="true" aria-label={label}>
      <Skeleton height="9rem" radius="lg" />
      <div className={classes.columns}>
        <div className={classes.main}>
          <Skeleton height="18rem" radius="lg" />
          <Skeleton height="8rem" radius="lg" />
        </div>
        <Skeleton height="26rem" radius="lg" />
      </div>
    </section>
  );
}
