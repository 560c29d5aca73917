import { z } from "zod";

/** What stands between the fields of a table: spreadsheets expect a semicolon where a comma stands before decimals. */
export const csvSeparatorSchema = z
  .enum(["comma", "semicolon"])
  .describe("What stands between the fields. `comma` unless given.");
export type CsvSeparator = z.infer<typeof csvSeparatorSchema>;

/** Languages in which the server can write a table. */
export const csvLanguageSchema = z
  .enum(["pt-BR", "en", "es"])
  .describe("Language of headings, states and reasons. Without one they are codes.");
export type CsvLanguage = z.infer<typeof csvLanguageSchema>;
