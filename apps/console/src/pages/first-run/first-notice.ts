import type { MessageList, MessageStatus, Published } from "@sineta/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { bodyOf, read } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";
import { useProject } from "../../session/operator.ts";
import type { ThisBrowser } from "../../this-browser/use-this-browser.ts";

/** How often is looked what has become of it, in milliseconds. */
const lookEveryMs = 1_000;
/** For whoever comes back to the walk: far enough to find it, near enough to be read at once. */
const latestMessages = 20;
const ttlSeconds = 300;

export type NoticeTexts = { title: string; body: string };

/** The latest notice to this browser alone, and what has become of it: found again by whoever comes back. */
export function useFirstNotice({ token, messaging }: ThisBrowser) {
  const { name, path } = useProject();
  const queries = useQueryClient();
  const latestKey = [name, "latest-notice", token];
  const latest = useQuery({
    queryKey: latestKey,
    enabled: token !== null,
    queryFn: async ({ signal }) => {
      const { messages } = await read<MessageList>(`${path}/messages?limit=${latestMessages}`, {
        signal,
      });
      const own = messages.find(({ target }) => target.kind === "token" && target.token === token);
      return own?.id ?? null;
    },
  });
  const id = latest.data ?? null;
  const status = useQuery({
    queryKey: [name, "message", id],
    enabled: id !== null,
    queryFn: ({ signal }) => read<MessageStatus>(`${path}/messages/${id}`, { signal }),
    refetchInterval: ({ state }) => (isOver(state.data) ? false : lookEveryMs),
  });
  const send = useMutation({
    mutationFn: (notification: NoticeTexts) =>
      bodyOf(
        ask<Published>("POST", `${path}/messages`, {
          headers: { "Idempotency-Key": crypto.randomUUID() },
          body: {
            target: { kind: "token", token },
            notification: { ...notification, link: "/painel/comecar" },
            ttlSeconds,
            urgency: "high",
          },
        }),
      ),
    onSuccess: ({ id: sent }) => queries.setQueryData(latestKey, sent),
  });

  const [arrived, setArrived] = useState<string | null>(null);
  useEffect(() => messaging?.onMessage((one) => setArrived(one.id)), [messaging]);
  return {
    status: status.data ?? null,
    error: latest.error ?? status.error,
    send,
    /** Whether it was displayed here: the worker tells the page, and reports to the server. */
    hasArrived: (id !== null && arrived === id) || (status.data?.receipts.displayed ?? 0) > 0,
  };
}

/** Whether nothing more will come of it: it was displayed, or could not be sent. */
function isOver(status: MessageStatus | undefined): boolean {
  if (status === undefined) return false;
  const { state, counts, receipts } = status;
  return receipts.displayed > 0 || (state === "done" && counts.accepted === 0);
}
