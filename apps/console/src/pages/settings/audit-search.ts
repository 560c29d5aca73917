/** What stands in the address of this page: which lines are meant. Dates as `2026-12-01`, in this browser's time zone. */
export type AuditSearch = { acao?: string; quem?: string; de?: string; ate?: string };

export function validateAuditSearch({ acao, quem, de, ate }: Record<string, unknown>): AuditSearch {
  return {
    ...(isText(acao) ? { acao } : {}),
    ...(isText(quem) ? { quem } : {}),
    ...(isDate(de) ? { de } : {}),
    ...(isDate(ate) ? { ate } : {}),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isDate(value: unknown): value is string {
  return isText(value) && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
}

/** As the server asks for it: until the end of the last day. */
export function auditQueryOf({ acao, quem, de, ate }: AuditSearch): URLSearchParams {
  const query = new URLSearchParams();
  if (acao !== undefined) query.set("action", acao);
  if (quem !== undefined) query.set("actor", quem);
  if (de !== undefined) query.set("from", startOfDay(de).toISOString());
  if (ate !== undefined) {
    const end = startOfDay(ate);
    end.setDate(end.getDate() + 1);
    query.set("until", end.toISOString());
  }
  return query;
}

/** Without a zone it is this browser's (ECMA-262, section 21.4.1.32). */
function startOfDay(date: string): Date {
  return new Date(`${date}T00:00`);
}
