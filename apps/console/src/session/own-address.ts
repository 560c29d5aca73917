import type { ConsoleConfig } from "@sineta/protocol";

/** The server writes the page's configuration into this element. */
const elementId = "sineta-config";

/** Sineta's own address, where this page was opened at another one: nothing can be changed here. Null where it is right, or not known. */
export function ownAddressElsewhere(
  page: Document = document,
  { origin }: Pick<Location, "origin"> = location,
): string | null {
  const text = page.getElementById(elementId)?.textContent;
  const { ownOrigins = [] }: Partial<ConsoleConfig> = text ? JSON.parse(text) : {};
  return ownOrigins.includes(origin) ? null : (ownOrigins[0] ?? null);
}
