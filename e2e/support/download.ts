import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";

/** The lines of a table that a click downloads, and what the file is called. */
export async function downloaded(
  page: Page,
  click: () => Promise<void>,
): Promise<{ lines: string[]; name: string }> {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  const text = await readFile(await download.path(), "utf8");
  const lines = text.replace("\uFEFF", "").trimEnd().split("\r\n");
  return { lines, name: download.suggestedFilename() };
}
