import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** What axe finds wrong on the page, and where: the rule, and the HTML of each element. */
export async function violationsOn(page: Page): Promise<[rule: string, elements: string[]][]> {
  // Otherwise axe opens a window for its results, to be safe from what frames of other sites do there: we have none.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]);
}
