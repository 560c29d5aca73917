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
    parameters.set("words", language);
    parameters.set("timeZone", Intl.DateTimeFormat().resolvedOptions().timeZone);
    return `/v1/${project.path}/${table}?${parameters}`;
  };
}
