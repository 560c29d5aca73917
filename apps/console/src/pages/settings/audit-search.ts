import { dateOf, dayAfter, isDay } from "../../parts/dates/day.ts";

/** What stands in the address of this page: which lines are meant. Dates as `2026-12-01`, in this browser's time zone. */
export type AuditSearch = { acao?: string; quem?: string; de?: string; ate?: string };

export function validateAuditSearch({ acao, quem, de, ate }: Record<string, unknown>): AuditSearch {
  return {
    ...(isText(acao) ? { acao } : {}),
    ...(isText(quem) ? { quem } : {}),
    ...(isDay(de) ? { de } : {}),
    ...(isDay(ate) ? { ate } : {}),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** As the server asks for it: until the end of the last day. */
export function auditQueryOf({ acao, quem, de, ate }: AuditSearch): URLSearchParams {
  const query = new URLSearchParams();
  if (acao !== undefined) query.set("action", acao);
  if (quem !== undefined) query.set("actor", quem);
  if (de !== undefined) query.set("from", dateOf(de).toISOString());
  if (ate !== undefined) query.set("until", dayAfter(ate, 1).toISOString());
  return query;
}
