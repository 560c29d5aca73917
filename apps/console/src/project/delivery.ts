import type { DeliveryBody } from "@sineta/protocol";
import { queryOptions } from "@tanstack/react-query";
import { read } from "../api/api-problem.ts";
import type { OwnProject } from "../session/operator.ts";

/** Whether the server sends; while it does not, what waits. */
export const deliveryQuery = ({ name, path }: Pick<OwnProject, "name" | "path">) =>
  queryOptions({
    queryKey: [name, "delivery"],
    refetchInterval: 15_000,
    queryFn: ({ signal }) => read<DeliveryBody>(`${path}/delivery`, { signal }),
  });
