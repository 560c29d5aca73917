import { Button, Skeleton } from "@mantine/core";
import type { MessageExceptions } from "@sineta/protocol";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read } from "../../api/api-problem.ts";
import { Problem } from "../../parts/problem.tsx";
import { Sentence } from "../../parts/sentence.tsx";
import { Relative, When } from "../../parts/when.tsx";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import classes from "./notice.module.css";
import type { ReasonGroup } from "./reason-groups.ts";
import { noticeKey } from "./notice-query.ts";
import tables from "./wide-table.module.css";
import { WideTable } from "./wide-table.tsx";

export type Asked = { messageId: string; group: ReasonGroup; title: string };

const inPage = 50;

/** Lists the registrations behind one reason, page by page. */
export function Registrations({ messageId, group: { outcome, reason }, title }: Asked) {
  const { notices, frame } = useTexts();
  const format = useFormat();
  const project = useProject();
  const pages = useInfiniteQuery({
    queryKey: [...noticeKey(project.name, messageId), "exceptions", outcome, reason],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ outcome, reason, limit: String(inPage) });
      if (pageParam !== undefined) query.set("after", String(pageParam));
      const path = `${project.path}/messages/${messageId}/exceptions?${query}`;
      return read<MessageExceptions>(path, { signal });
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
  });
  if (pages.isPending) {
    return (
      <section aria-busy="true" aria-label={frame.loading}>
        <Skeleton height="9rem" />
      </section>
    );
  }
  const found = pages.data?.pages.flatMap(({ exceptions }) => exceptions) ?? [];
  if (pages.isSuccess && found.length === 0) return <p>{notices.removedByRetention}</p>;
  const label = notices.registrationsOf(title);
  return (
    <>
      <Problem error={pages.error} onRetry={() => void pages.refetch()} />
      {found.length > 0 && (
        <WideTable title={label}>
          <thead>
            <tr>
              <th scope="col">{notices.token}</th>
              <th scope="col">{notices.pushService}</th>
              <th scope="col">{notices.changedAt}</th>
              <th scope="col">{notices.attempts}</th>
              <th scope="col">{notices.detail}</th>
            </tr>
          </thead>
          <tbody>
            {found.map(({ token, pushService, changedAt, attempts, detail, retryAt }, index) => (
              <tr key={token ?? index}>
                <th scope="row">
                  {token === undefined ? (
                    notices.registrationRemoved
                  ) : (
                    <Link to="/publico/$token" params={{ token }} className={classes.token}>
                      {token}
                    </Link>
                  )}
                </th>
                <td>{notices.pushServices[pushService]}</td>
                <td>
                  <When at={changedAt} />
                  {retryAt !== undefined && (
                    <span className={classes.again}>
                      <Sentence of={notices.retryAt}>
                        <Relative at={retryAt} />
                      </Sentence>
                    </span>
                  )}
                </td>
                <td>{format.number(attempts)}</td>
                <td className={tables.said}>{detail === "" ? "–" : detail}</td>
              </tr>
            ))}
          </tbody>
        </WideTable>
      )}
      {pages.hasNextPage && (
        <Button
          variant="default"
          className={`${classes.fit} ${classes.touch}`}
          loading={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {notices.showMore}
        </Button>
      )}
    </>
  );
}
