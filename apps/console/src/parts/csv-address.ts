import type { CsvLanguage } from "@sineta/protocol";
import { useProject } from "../session/operator.ts";
import { useFormat, useLanguage } from "../texts/use-texts.tsx";

/**
 * Where the browser downloads a table of the project: in this operator's language, time zone and spreadsheet's separator. Every CSV of the
 * console comes from here.
 * @param table its path below the project's
 */
export function useCsvAddress(
  table: string,
): (query?: Readonly<Record<string, string>> | URLSearchParams) => string {
  const project = useProject();
  const { csvSeparator } = useFormat();
  const { language } = useLanguage();
  return (query = {}) => {
    const parameters = new URLSearchParams(query);
    parameters.set("separator", csvSeparator);
    const words: CsvLanguage = language;
    parameters.set("words", words);
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (isNamed(timeZone)) parameters.set("timeZone", timeZone);
    return `/v1/${project.path}/${table}?${parameters}`;
  };
}

/** Whether the server can read a browser's time zone. A browser that knows none may say so, or give an offset; the server takes names. */
export function isNamed(timeZone: string): boolean {
  return /^[a-z]/i.test(timeZone) && timeZone !== "Etc/Unknown";
}
