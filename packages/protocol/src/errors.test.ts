import { expect, it } from "vitest";
import { errorSections, type ErrorSection } from "./errors.ts";

function section({ title, introduction, entries }: ErrorSection): string {
  const parts = Object.entries(entries).map(
    ([code, { status, title: what, remedy }]) =>
      `### ${code}\n\n${status ? `Status ${status}. ` : ""}${what} ${remedy}\n`,
  );
  return `## ${title}\n\n${introduction}\n\n${parts.join("\n")}`;
}

it("is what docs/errors.md says", async () => {
  const page = [
    "# Errors\n\nEvery error has a code that never changes its meaning. This page is written from the catalogue in packages/protocol (`npm run unit -- -u` writes it anew).\n",
    ...errorSections.map(section),
  ].join("\n");
  await expect(page).toMatchFileSnapshot("../../../docs/errors.md");
});

it("gives each code one meaning", () => {
  const codes = errorSections.flatMap(({ entries }) => Object.keys(entries));
  expect(codes).toEqual([...new Set(codes)]);
  for (const code of codes) expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});
