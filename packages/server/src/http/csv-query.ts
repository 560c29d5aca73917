import { csvLanguageSchema, csvSeparatorSchema } from "@sineta/protocol";
import { z } from "@hono/zod-openapi";
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
export function tokensTaken(withTokens: boolean): AuditEntry["change"] {
  return withTokens ? { withTokens: true } : null;
}

export const csvContentType = "text/csv; charset=utf-8";

/** Answer of a route that exports a table. */
export function csvAnswer(description: string) {
  return {
    description: `${description} A text that a spreadsheet would take for a formula has an apostrophe before it. UTF-8 with a byte order mark.`,
    content: { "text/csv": { schema: z.string() } },
  };
}
