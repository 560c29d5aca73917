import type { DeliveryBody, MessageRequest } from "@sineta/protocol";
import { queryOptions } from "@tanstack/react-query";
import { read } from "../api/api-problem.ts";
import type { OwnProject } from "../session/operator.ts";

/** What the hold means for a notice. `doubtful`: it is cancelled if it comes due before the resume. */
type Wait = DeliveryBody["messages"][number]["fate"] | "doubtful" | "unlisted";

/** What an operator writes, as far as its wait depends on it. */
type NewNotice = Pick<MessageRequest, "replaces" | "scheduleAt" | "scheduleAtLocal">;

/** @param notice a published notice by its id, or the request that will publish one */
export function waitOf(
  { messages }: DeliveryBody,
  notice: { id: string } | { request: NewNotice },
): Wait {
  if ("request" in notice) {
    const { replaces, scheduleAt, scheduleAtLocal } = notice.request;
    if (messages.find(({ id }) => id === replaces)?.doubtful !== true) return "now";
    return scheduleAt === undefined && scheduleAtLocal === undefined ? "cancel" : "doubtful";
  }
  const message = messages.find((held) => held.id === notice.id);
  if (message === undefined) return "unlisted";
  return message.fate === "later" && message.doubtful ? "doubtful" : message.fate;
}

/** Whether the server sends; while it does not, what waits. */
export const deliveryQuery = ({ name, path }: Pick<OwnProject, "name" | "path">) =>
  queryOptions({
    queryKey: [name, "delivery"],
    refetchInterval: 15_000,
    queryFn: ({ signal }) => read<DeliveryBody>(`${path}/delivery`, { signal }),
  });
