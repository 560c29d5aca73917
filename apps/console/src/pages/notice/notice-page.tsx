import { Skeleton } from "@mantine/core";
import { Link, useParams } from "@tanstack/react-router";
import { codeOf } from "../../api/api-problem.ts";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { DeliveryHeld } from "../../project/delivery-held.tsx";
import { useTexts } from "../../texts/use-texts.tsx";
import { ExceptionsCard } from "./exceptions-card.tsx";
import { FiguresCard } from "./figures-card.tsx";
import { Held } from "./held.tsx";
import { NoticeActions } from "./notice-actions.tsx";
import classes from "./notice.module.css";
import { OverTimeCard } from "./over-time-card.tsx";
import { ProgressCard } from "./progress-card.tsx";
import { PushServicesCard } from "./push-services-card.tsx";
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
      actions={<NoticeActions notice={data} />}
    >
      <div className={classes.columns}>
        <div className={classes.main}>
          {goesOn(data.state) && <DeliveryHeld id={data.id} />}
          <ProgressCard
            notice={data}
            following={notice.isError ? "offline" : following}
            pace={pace}
          />
          <Held notice={data} />
          <FiguresCard notice={data} />
          <PushServicesCard notice={data} />
          <ExceptionsCard notice={data} />
          <OverTimeCard notice={data} />
        </div>
        <div className={classes.side}>
          <SentCard notice={data} />
        </div>
      </div>
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
    <section className={classes.columns} aria-busy="true" aria-label={label}>
      <div className={classes.main}>
        <Skeleton height="11rem" radius="lg" />
        <Skeleton height="9rem" radius="lg" />
        <Skeleton height="16rem" radius="lg" />
      </div>
      <div className={classes.side}>
        <Skeleton height="22rem" radius="lg" />
      </div>
    </section>
  );
}
