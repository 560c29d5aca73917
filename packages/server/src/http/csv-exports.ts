import { csvLanguageSchema, csvSeparatorSchema } from "@sineta/protocol";
import { z } from "@hono/zod-openapi";
import { createWording, csvFileName, type CsvStyle, type CsvTable } from "../exports/wording.ts";
import { ianaZone } from "../registrations/time-zone.ts";
import type { AuditEntry } from "../store/port.ts";
import type { Export } from "./exports.ts";

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

/** What the audit keeps of an export: the table, whether it was filtered, whether it had tokens. */
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

type File = Pick<Export, "contentType" | "fileName">;
type FileStyle = Omit<CsvStyle, "separator">;

const contentType = "text/csv; charset=utf-8";

/** The file of a table of one message. */
export function fileOfMessage(table: CsvTable, id: string, { words }: FileStyle): File {
  return { contentType, fileName: () => csvFileName(table, id, words) };
}

/** The file of a table of a whole project, with the day in its name. */
export function fileOfProject(table: CsvTable, project: string, style: FileStyle): File {
  const { moment } = createWording(style);
  const nameOn = (day: string) => csvFileName(table, `${project}-${day}`, style.words);
  return { contentType, fileName: (nowMs) => nameOn(moment(nowMs).slice(0, 10)) };
}

/** Answer of a route that exports a table. */
export function csvAnswer(description: string) {
  return {
    description: `${description} A text that a spreadsheet would take for a formula has an apostrophe before it. UTF-8 with a byte order mark.`,
    content: { "text/csv": { schema: z.string() } },
  };
}
