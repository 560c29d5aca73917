import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, expectTypeOf, it } from "vitest";
import { lossCauseSchema, type LossCause as ToldCause } from "@sineta/protocol";
import type { LossCause } from "./loss.ts";

const root = join(import.meta.dirname, "../../..");
const specs: Readonly<Record<string, string>> = {
  "healing.spec": "e2e/scenarios/healing.spec.ts",
  "life.spec": "e2e/scenarios/life.spec.ts",
  "subscription-change.spec": "e2e/firefox/subscription-change.spec.ts",
};

it("the server knows each cause that a browser can tell", () => {
  expectTypeOf<LossCause>().toEqualTypeOf<ToldCause>();
});

it("docs/states.md lists each cause, and a browser test for each loss", () => {
  const states = readFileSync(join(root, "docs/states.md"), "utf8");
  const [, section = ""] = states.split("### A loss\n");
  const rows = (section.split("\n### ")[0] ?? "")
    .split("\n")
    .filter((line) => /^\| [A-Z]/.test(line));
  const losses = rows.slice(1).map((row) => row.split("|").map((cell) => cell.trim()));
  expect(losses.length).toBeGreaterThan(lossCauseSchema.options.length);

  const causes = losses.map(([, , cause = ""]) => cause).join();
  for (const cause of lossCauseSchema.options) expect(causes).toContain(`\`${cause}\``);
  for (const [, loss, , , test = ""] of losses) {
    const [, spec = "", title = ""] = /^([\w-]+\.spec) "(.+?)"/.exec(test) ?? [];
    if (test.startsWith("No engine can be brought there: ")) continue;
    const file = specs[spec];
    expect(file, `the test of: ${loss}`).toBeDefined();
    expect(readFileSync(join(root, file ?? ""), "utf8")).toContain(`"${title}"`);
  }
});
