import { expect, test } from "@playwright/test";
import { keptLogs } from "../support/kept-logs.ts";

/** An API key, and the token of a link or a session's cookie where it says what it is. */
const patterns = [
  /sineta_[\w-]{43}/,
  /convite#[\w-]+/,
  /sineta-session=[\w-]+/,
  /Bearer [\w-]{20,}/i,
];

test("no log and no audit of the whole run holds an endpoint, a key, a secret or a password", () => {
  const kept = keptLogs();
  const counts: Record<string, number> = {};
  const found: string[] = [];
  for (const { name, log, audit, secrets } of kept) {
    for (const [kind, values] of Object.entries(secrets)) {
      counts[kind] = (counts[kind] ?? 0) + values.length;
      for (const value of values) {
        if (log.includes(value)) found.push(`${name}: ${kind} in the log`);
        if (audit.includes(value)) found.push(`${name}: ${kind} in the audit`);
      }
    }
    for (const pattern of patterns) {
      if (pattern.test(log) || pattern.test(audit)) found.push(`${name}: ${pattern}`);
    }
  }
  expect(found).toEqual([]);
  // There was something to find, and something to find it in.
  expect(kept.length).toBeGreaterThan(5);
  for (const kind of ["endpoints", "keys", "tokens", "sealed", "file"]) {
    expect([kind, (counts[kind] ?? 0) > 5]).toEqual([kind, true]);
  }
  const lines = kept.flatMap(({ log }) => log.split("\n")).filter((line) => line.startsWith("{"));
  expect(lines.length).toBeGreaterThan(kept.length);
});
