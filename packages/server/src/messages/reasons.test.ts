import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { failedReasons, rejectedReasons, retryReasons } from "../webpush/outcome.ts";
import { causeOf, causeText, reasons } from "./reasons.ts";

const page = readFileSync(new URL("../../../../docs/operating.md", import.meta.url), "utf8");

test("docs/operating.md has a row for each reason, in its words, and no other row", () => {
  const section = page.split("\n## Reasons\n")[1]?.split("\n## ")[0] ?? "";
  const rows = section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const expected = Array.from(reasons, ([code, { meaning, remedy }]) => [
    `\`${code}\``,
    meaning,
    remedy,
  ]);
  expect(rows).toEqual(expected);
});

test("every code of a push's outcome has a meaning and something to do", () => {
  const codes = [retryReasons, rejectedReasons, failedReasons].flatMap((part) => Object.keys(part));
  for (const code of codes) {
    const { meaning, remedy } = reasons.get(code) ?? {};
    expect({ code, meaning, remedy }).toEqual({
      code,
      meaning: expect.stringMatching(/\.$/),
      remedy: expect.stringMatching(/\.$/),
    });
  }
});

test("the cause of an outage is what came instead of an answer", () => {
  const detail = "tls-failed: unable to verify the first certificate";
  expect(causeOf({ reason: "unavailable", detail })).toMatchObject({
    code: "tls-failed",
    detail: "unable to verify the first certificate",
    said: false,
    remedy: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
  });
  // As an earlier version kept it.
  expect(causeOf({ reason: "unavailable", detail: "connect-failed" })).toMatchObject({
    code: "connect-failed",
    detail: "",
    said: false,
  });
});

test.for<[reason: string, detail: string]>([
  ["unavailable", "503 tls-failed: as if"],
  ["unavailable", "503"],
  ["unavailable", "constructor: x"],
  ["vapid-refused", "tls-failed: as if"],
  ["throttled", "slow down"],
])("what a push service said stays its own: %s, %s", ([reason, detail]) => {
  expect(causeOf({ reason, detail })).toMatchObject({ code: reason, detail, said: true });
});

test("certificate, name, connection and time-out have advice of their own", () => {
  const codes = ["tls-failed", "name-not-resolved", "connect-failed", "connect-timed-out"] as const;
  const advice = [...codes, "answer-timed-out"].map(
    (code) => causeOf({ reason: "unavailable", detail: code }).remedy,
  );
  expect(new Set(advice).size).toBe(5);
});

test("in words: what it means, what is known, what to do", () => {
  const said = causeText(causeOf({ reason: "unavailable", detail: "503 busy" }));
  expect(said).toMatch(/^The push service does not answer.* It said: 503 busy\. Check /);
  const own = causeText(causeOf({ reason: "connect-failed", detail: "connect ECONNREFUSED" }));
  expect(own).toMatch(/^No connection.* The cause: connect ECONNREFUSED\. Check /);
  expect(causeText(causeOf({ reason: "of a later version", detail: "" }))).toBe("");
});
