import { Badge, Button, Skeleton } from "@mantine/core";
import type { SessionList } from "@sineta/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { bodyOf } from "../../../api/api-problem.ts";
import { ask } from "../../../api/ask.ts";
import { Card } from "../../../parts/card.tsx";
import { Problem } from "../../../parts/problem.tsx";
import { Sentence } from "../../../parts/sentence.tsx";
import { Relative, When } from "../../../parts/when.tsx";
import { deviceName } from "../../../session/device-name.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { sessionsQuery } from "../queries.ts";
import classes from "../rows.module.css";

/** Where the own account is logged in: one session can be ended, or all others. */
export function Sessions() {
  const { settings, session: words } = useTexts();
  const texts = settings.account;
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: (ids: readonly number[]) =>
      Promise.all(ids.map((id) => bodyOf(ask("DELETE", `sessions/${id}`)))),
    onMutate: async (ids) => {
      await queries.cancelQueries({ queryKey: sessionsQuery.queryKey });
      queries.setQueryData<SessionList>(
        sessionsQuery.queryKey,
        (shown) => shown && { sessions: shown.sessions.filter(({ id }) => !ids.includes(id)) },
      );
    },
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  const others = data?.sessions.filter(({ current }) => !current) ?? [];
  return (
    <Card
      title={texts.sessions}
      actions={
        others.length > 1 && (
          <Button
            variant="default"
            loading={end.isPending}
            onClick={() => end.mutate(others.map(({ id }) => id))}
          >
            {texts.endOthers}
          </Button>
        )
      }
    >
      {data === undefined && error === null && <Skeleton height={80} />}
      <ul className={classes.rows}>
        {data?.sessions.map(({ id, device, address, startedAt, lastUsedAt, current }) => {
          const name = deviceName(device, words);
          return (
            <li key={id} className={classes.row}>
              <div className={classes.what}>
                <p className={classes.names}>
                  <strong>{name}</strong>
                  {current && (
                    <Badge variant="light" tt="none">
                      {texts.thisSession}
                    </Badge>
                  )}
                </p>
                <p className={classes.soft}>
                  <Sentence of={(when) => texts.lastUsed(when, address)}>
                    <Relative at={lastUsedAt} />
                  </Sentence>{" "}
                  ·{" "}
                  <Sentence of={texts.since}>
                    <When at={startedAt} />
                  </Sentence>
                </p>
              </div>
              {!current && (
                <Button
                  variant="default"
                  aria-label={texts.endSessionOf(name)}
                  onClick={() => end.mutate([id])}
                >
                  {texts.endSession}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <Problem error={error ?? end.error} onRetry={() => void refetch()} />
    </Card>
  );
}
