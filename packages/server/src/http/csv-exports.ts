import { csvLanguageSchema, csvSeparatorSchema } from "@sineta/protocol";
import { z } from "@hono/zod-openapi";
import { createWording } from "../exports/wording.ts";
import { ianaZone } from "../registrations/time-zone.ts";
import type { AuditEntry } from "../store/port.ts";

/** How a table is written: what every export of one may be asked for. */
export const csvStyleQuery = {
  separator: csvSeparatorSchema.default("comma"),
  words: csvLanguageSchema.optional(),
  timeZone: z
    .string()
    .refine((name) => ianaZone(name) !== null, "the name of a time zone, such as America/Sao_Paulo")
    .optional()
    .describe(
      "Moments are written in this time zone and as spreadsheets read them, `2026-12-01 09:00:00`. Without one they are in UTC, as ISO 8601.",
    ),
};

/** Of tables that have a line for each registration. */
export const tokensQuery = {
  tokens: z
    .enum(["true", "false"])
    .default("false")
    .describe("Whether each line has the registration's token, first."),
};

/** What the audit says of an export beside what it was of. */
export function takenAs({
  table,
  filter = {},
  withTokens = false,
}: {
  table?: string;
  filter?: object;
  withTokens?: boolean;
}): AuditEntry["change"] {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const taken = {
    ...(table === undefined ? {} : { table }),
    ...(isFiltered ? { filtered: true } : {}),
    ...(withTokens ? { withTokens } : {}),
  };
  return Object.keys(taken).length === 0 ? null : taken;
}

/** What the file of a whole table is called by: its project and the day. */
export function projectAndDay(
  { name }: { name: string },
  { timeZone }: { timeZone?: string | undefined },
  nowMs: number,
): string {
  return `${name}-${createWording({ timeZone }).moment(nowMs).slice(0, 10)}`;
}

export const csvContentType = "text/csv; charset=utf-8";

/** Answer of a route that exports a table. */
export function csvAnswer(description: string) {
  return {
    description: `${description} A text that a spreadsheet would take for a formula has an apostrophe before it. UTF-8 with a byte order mark.`,
    content: { "text/csv": { schema: z.string() } },
  };
}
