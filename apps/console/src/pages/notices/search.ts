import type { MessageFilterQuery, MessageState } from "@sineta/protocol";
import { dateOf, dayAfter, isDay } from "../../parts/dates/day.ts";

export type TargetKind = NonNullable<MessageFilterQuery["target"]>;

/** What stands in the address of this page: which notices are shown. Days are `YYYY-MM-DD`, in this browser's time zone. */
export type NoticesSearch = {
  busca?: string;
  situacao?: MessageState;
  publico?: TargetKind;
  de?: string;
  ate?: string;
};

export const messageStates: readonly MessageState[] = [
  "scheduled",
  "sending",
  "paused",
  "done",
  "cancelled",
];
export const targetKinds: readonly TargetKind[] = [
  "all",
  "topic",
  "condition",
  "user",
  "token",
  "tokens",
];

/** What the address says that makes no sense is left out. */
export function validateNoticesSearch(search: Record<string, unknown>): NoticesSearch {
  const words = typeof search["busca"] === "number" ? String(search["busca"]) : search["busca"];
  const state = messageStates.find((each) => each === search["situacao"]);
  const kind = targetKinds.find((each) => each === search["publico"]);
  const { de, ate } = search;
  return {
    ...(typeof words === "string" && words.trim() !== "" ? { busca: words.slice(0, 200) } : {}),
    ...(state === undefined ? {} : { situacao: state }),
    ...(kind === undefined ? {} : { publico: kind }),
    ...(isDay(de) ? { de } : {}),
    ...(isDay(ate) ? { ate } : {}),
  };
}

/** Whether there is a search, and no word in it: the server finds nothing then. */
export function hasOnlySigns({ busca }: NoticesSearch): boolean {
  return busca !== undefined && !/[\p{L}\p{N}\p{Co}]/u.test(busca);
}

/** As the server takes it: a query, with days as moments of this browser's time zone. The last day is part of it. */
export function filterQuery({ busca, situacao, publico, de, ate }: NoticesSearch): URLSearchParams {
  const query = new URLSearchParams();
  if (busca !== undefined) query.set("search", busca);
  if (situacao !== undefined) query.set("state", situacao);
  if (publico !== undefined) query.set("target", publico);
  if (de !== undefined) query.set("from", dateOf(de).toISOString());
  if (ate !== undefined) query.set("to", dayAfter(ate, 1).toISOString());
  return query;
}
