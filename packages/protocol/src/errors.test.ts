import { expect, it } from "vitest";
import { commandErrors, httpErrors, messagingErrors } from "./errors.ts";

type Entry = { status?: number; title: string; remedy: string };

function section(title: string, introduction: string, entries: Record<string, Entry>): string {
  const parts = Object.entries(entries).map(
    ([code, { status, title: what, remedy }]) =>
      `### ${code}\n\n${status ? `Status ${status}. ` : ""}${what} ${remedy}\n`,
  );
  return `## ${title}\n\n${introduction}\n\n${parts.join("\n")}`;
}

it("is what docs/errors.md says", async () => {
  const page = [
    "# Errors\n\nEvery error has a code that never changes its meaning. This page is written from the catalogue in packages/protocol (`npm run unit -- -u` writes it anew).\n",
    section(
      "HTTP",
      "The server answers with `application/problem+json`; `code` is the name below.",
      httpErrors,
    ),
    section(
      "Browser",
      "A `MessagingError` carries its `code`. The bell hands it to `onError` and to `useNotifications().error`; visitors see nothing.",
      messagingErrors,
    ),
    section(
      "Command line",
      "The `sineta` command prints one sentence and ends with status 1, or 2 where its own words are off.",
      commandErrors,
    ),
  ].join("\n");
  await expect(page).toMatchFileSnapshot("../../../docs/errors.md");
});

it("gives each code one meaning", () => {
  const codes = [httpErrors, messagingErrors, commandErrors].flatMap((part) => Object.keys(part));
  expect(codes).toEqual([...new Set(codes)]);
  for (const code of codes) expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});
