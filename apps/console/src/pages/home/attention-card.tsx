import { Alert, VisuallyHidden } from "@mantine/core";
import { mdiAlertOutline, mdiTimerSandEmpty } from "@mdi/js";
import type { AttentionItem } from "@sineta/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Card } from "../../parts/card.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Sentence } from "../../parts/sentence.tsx";
import { Relative, When } from "../../parts/when.tsx";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { isDue } from "./is-due.ts";
import { useAttentionWords } from "./attention-words.ts";
import classes from "./home.module.css";
import { attentionQuery } from "./queries.ts";

/** What needs the operator, each with what to do. Nothing where nothing does: the status beside the title says so. */
export function AttentionCard() {
  const { audience } = useTexts();
  const { data, dataUpdatedAt, error, refetch } = useAttention();
  if (error !== null && data === undefined) {
    return <Problem error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Card title={audience.attention.title}>
      <ul className={classes.items}>
        {data.items.map((item) => (
          <Item key={keyOf(item)} item={item} nowMs={dataUpdatedAt} />
        ))}
      </ul>
    </Card>
  );
}

/** Says beside the page's title that nothing needs the operator. When something does, it says so to screen readers. */
export function AttentionStatus() {
  const { audience } = useTexts();
  const { data, isError } = useAttention();
  const count = data?.items.length ?? 0;
  return (
    <output className={classes.status}>
      {count > 0 && <VisuallyHidden>{audience.attention.title}</VisuallyHidden>}
      {data !== undefined && count === 0 && !isError && (
        <>
          <span className={classes.dot} />
          {audience.attention.nothing}
        </>
      )}
    </output>
  );
}

function useAttention() {
  const project = useProject();
  return useQuery({ ...attentionQuery(project), refetchInterval: 15_000 });
}

function Item({ item, nowMs }: { item: AttentionItem; nowMs: number }) {
  const { audience, delivery } = useTexts();
  const format = useFormat();
  const { title, what } = useAttentionWords()(item);
  // It goes on by itself.
  const isCalm = "reason" in item && item.reason === "throttled";
  const isQuota = item.code === "registrations-quota" || item.code === "messages-quota";
  return (
    <li>
      <Alert
        color={isCalm ? "gray" : "yellow"}
        icon={<Icon path={isCalm ? mdiTimerSandEmpty : mdiAlertOutline} />}
        title={title}
      >
        <p>{what}</p>
        {"waiting" in item && (
          <p>
            <Sentence of={audience.attention.since}>
              <When at={item.since} />
            </Sentence>{" "}
            {item.waiting > 0 &&
              audience.attention.waiting(item.waiting, format.number(item.waiting))}{" "}
            {"nextProbeAt" in item &&
              (isDue(item.nextProbeAt, nowMs) ? (
                audience.attention.probeDue
              ) : (
                <Sentence of={audience.attention.nextProbe}>
                  <Relative at={item.nextProbeAt} nowMs={nowMs} />
                </Sentence>
              ))}
          </p>
        )}
        {item.code === "vapid-key-unknown" && (
          <>
            <p>
              <Sentence
                of={(since, last) =>
                  audience.attention.keyUnknownSince(
                    since,
                    item.refused,
                    format.number(item.refused),
                    last,
                  )
                }
              >
                <When at={item.since} />
                <Relative at={item.last} nowMs={nowMs} />
              </Sentence>
            </p>
            <Link to="/instalar">{audience.attention.toInstall}</Link>
          </>
        )}
        {item.code === "delivery-held" && <Link to="/ajustes/envio">{delivery.open}</Link>}
        {isQuota && <Link to="/ajustes/projeto">{audience.attention.toSettings}</Link>}
      </Alert>
    </li>
  );
}

function keyOf(item: AttentionItem): string {
  if ("pushOrigin" in item) return `${item.code} ${item.pushOrigin} ${item.reason}`;
  return "origin" in item ? `${item.code} ${item.origin}` : item.code;
}
