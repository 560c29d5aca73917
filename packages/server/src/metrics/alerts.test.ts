/** The alerts that the package holds, judged by Prometheus's own tool over made-up values. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  alertNames,
  firedAlert,
  promtool,
  rulesPath,
  testAlerts,
  type FiredAlert,
  type Series,
} from "../test/promtool.ts";
import { alertCases, always, health, scraped, type AlertCase } from "./alert-cases.ts";

test("promtool finds no fault in the rules", () => {
  const { status, text } = promtool("check", "rules", "--lint=all", "--lint-fatal", rulesPath);
  expect(text).toBe(`Checking ${rulesPath}\n  SUCCESS: ${alertNames.length} rules found\n\n`);
  expect(status).toBe(0);
});

test("every alert has a case", () => {
  expect(alertCases.map(({ alert }) => alert)).toEqual(alertNames);
});

const manual = readFileSync(new URL("../../../../docs/operating.md", import.meta.url), "utf8");

test("docs/operating.md names every alert, and no other", () => {
  const named = new Set([...manual.matchAll(/`(Sineta[A-Z]\w+)`/g)].map(([, name = ""]) => name));
  expect([...named].toSorted()).toEqual(alertNames.toSorted());
});

test("each alert names a section of docs/operating.md", () => {
  const sections = alertNames.map((alert) => {
    const { description } = firedAlert(alert, {}).exp_annotations;
    return /[Ss]ee (?:`.+` under )?"(.+)" in docs\/operating\.md/.exec(description ?? "")?.[1];
  });
  const headings = new Set([...manual.matchAll(/^##+ (.+)$/gm)].map(([, heading]) => heading));
  expect(sections.filter((section) => !headings.has(section))).toEqual([]);
});

function firedBy({ alert, labels, severity, summary, told = [] }: AlertCase): FiredAlert {
  const { exp_annotations: file } = firedAlert(alert, labels, ...told);
  const exp_annotations = { ...file, summary };
  return { exp_labels: { ...labels, severity }, exp_annotations };
}

function instead(over: Readonly<Record<string, string | null>>): Series {
  const entries = Object.entries({ ...health, ...over });
  return Object.fromEntries(
    entries.flatMap(([series, values]) => (values === null ? [] : [[series, values]])),
  );
}

test("a healthy server fires no alert for two hours", () => {
  const minutes = Array.from({ length: 24 }, (_, index) => index * 5);
  const expected = minutes.map((atMinutes) => ({ atMinutes, fired: {} }));
  expect(testAlerts(health, expected)).toBeNull();
});

test.for(alertCases)("$alert fires once, when its time has come, and no other alert", (one) => {
  const { alert, bad, firesAt } = one;
  const found = testAlerts(instead(bad), [
    { atMinutes: firesAt - 1, fired: {} },
    { atMinutes: firesAt, fired: { [alert]: [firedBy(one)] } },
  ]);
  expect(found).toBeNull();
});

test.for(alertCases)("$alert does not fire at its limit", ({ limit }) => {
  const minutes = [5, 10, 15, 20, 30, 40, 60, 90];
  const expected = minutes.map((atMinutes) => ({ atMinutes, fired: {} }));
  expect(testAlerts(instead(limit), expected)).toBeNull();
});

const opened = scraped(`sineta_breaker_changes_total{push_service="apple",change="opened"}`);

test("what happened before a restart counts, and the restart itself is no event", () => {
  const held = alertCases.find(({ alert }) => alert === "SinetaPushServiceFlaps");
  const series = { ...health, [opened]: "0 1 2 3 0 1 2 3+0x100" };
  const quiet = { ...health, [opened]: "0 1 2 3 0 1 2+0x100" };
  const fired = held === undefined ? {} : { [held.alert]: [firedBy(held)] };
  expect(testAlerts(series, [{ atMinutes: 12, fired }])).toBeNull();
  expect(testAlerts(quiet, [{ atMinutes: 12, fired: {} }])).toBeNull();
});

test("a value that is no number fires no alert", () => {
  const lag = scraped("nodejs_eventloop_lag_p99_seconds");
  const series = { ...health, [lag]: always("NaN") };
  expect(testAlerts(series, [{ atMinutes: 60, fired: {} }])).toBeNull();
});

test("two servers have an alert each", () => {
  const queueAge = scraped("sineta_queue_age_seconds");
  const other = queueAge.replace("8080", "8081");
  const late = alertCases.find(({ alert }) => alert === "SinetaQueueLate");
  expect(late).toBeDefined();
  const one = late === undefined ? [] : [firedBy(late)];
  const both = [...one, ...JSON.parse(JSON.stringify(one).replaceAll("8080", "8081"))];
  const series = { ...health, [queueAge]: always(400), [other]: always(400) };
  expect(testAlerts(series, [{ atMinutes: 10, fired: { SinetaQueueLate: both } }])).toBeNull();
});
