import type { DeliveryBody, MessageRequest } from "@sineta/protocol";
import { queryOptions } from "@tanstack/react-query";
import { read } from "../api/api-problem.ts";
import type { OwnProject } from "../session/operator.ts";

/** What the hold means for a notice. `doubtful`: it is cancelled if another server sends it before the resume. */
type Wait = DeliveryBody["messages"][number]["fate"] | "doubtful" | "unlisted";

/** @param notice a published notice by its id, or the request that will publish one */
export function waitOf(
  { messages }: DeliveryBody,
  notice: { id: string } | { request: Pick<MessageRequest, "replaces"> },
): Wait {
  if ("request" in notice) {
    const replaced = messages.find(({ id }) => id === notice.request.replaces);
    if (replaced?.doubtful !== true) return "now";
    return replaced.fate === "cancel" ? "cancel" : "doubtful";
  }
  const message = messages.find(({ id }) => id === notice.id);
  if (message === undefined) return "unlisted";
  const { doubtful, fate } = message;
  return doubtful && (fate === "later" || fate === "now") ? "doubtful" : fate;
}

/** Whether the server sends; while it does not, what waits. */
export const deliveryQuery = ({ name, path }: Pick<OwnProject, "name" | "path">) =>
  queryOptions({
    queryKey: [name, "delivery"],
    refetchInterval: 15_000,
    queryFn: ({ signal }) => read<DeliveryBody>(`${path}/delivery`, { signal }),
  });
