import type { DeliveryBody } from "@sineta/protocol";
import { queryOptions } from "@tanstack/react-query";
import { read } from "../api/api-problem.ts";
import type { OwnProject } from "../session/operator.ts";

/** What the hold means for a notice. `doubtful`: it is cancelled if it comes due before the resume. */
type Wait = DeliveryBody["messages"][number]["fate"] | "doubtful" | "unlisted";

/** @param id of the notice; without one it is yet to be published */
export function waitOf({ hold, messages }: DeliveryBody, id?: string): Wait {
  if (id === undefined) return "now";
  const message = messages.find((held) => held.id === id);
  if (message === undefined) return "unlisted";
  if (message.fate !== "later" || hold === null || hold.reason === "asked") return message.fate;
  // What was published since the hold is sent by this server alone.
  return Date.parse(message.createdAt) > Date.parse(hold.since) ? "later" : "doubtful";
}

/** Whether the server sends; while it does not, what waits. */
export const deliveryQuery = ({ name, path }: Pick<OwnProject, "name" | "path">) =>
  queryOptions({
    queryKey: [name, "delivery"],
    refetchInterval: 15_000,
    queryFn: ({ signal }) => read<DeliveryBody>(`${path}/delivery`, { signal }),
  });
