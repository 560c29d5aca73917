import type { MessageSummary } from "@sineta/protocol";
import { expect, test } from "vitest";
import { ahead, begun, newestOfEach } from "./by-start.ts";

const nowMs = Date.parse("2026-11-10T12:00");

function notice(
  id: string,
  state: MessageSummary["state"],
  start: { scheduleAt: string; scheduleAtLocal?: string },
  accepted = 0,
): MessageSummary {
  return {
    ...start,
    id,
    state,
    title: id,
    target: { kind: "all" },
    createdAt: "2026-10-01T00:00:00.000Z",
    publisher: null,
    audience: { registrations: accepted, complete: true },
    counts: { accepted, retry: 0, gone: 0, rejected: 0, failed: 0 },
    unsent: 0,
    receipts: { displayed: 0, clicked: 0, closed: 0 },
  };
}

const at = (day: number) => ({ scheduleAt: new Date(2026, 10, day, 9).toISOString() });
/** In the first time zone, 9 o'clock of a day comes when it is still the day before in most others. */
const atLocal = (day: number) => ({
  scheduleAt: new Date(Date.UTC(2026, 10, day - 1, 19)).toISOString(),
  scheduleAtLocal: `2026-11-${day}T09:00`,
});
const idsOf = (notices: readonly MessageSummary[]) => notices.map(({ id }) => id);

test("the notice with the latest start comes first, however long ago it was written", () => {
  const notices = [
    notice("newest", "done", at(2)),
    notice("planned", "sending", at(5)),
    notice("old", "done", at(1)),
  ];
  expect(idsOf(begun(notices, nowMs))).toEqual(["planned", "newest", "old"]);
});

test("a notice that is scheduled, or was cancelled before its time, has not begun", () => {
  const notices = [
    notice("scheduled", "scheduled", at(12)),
    notice("never", "cancelled", at(8)),
    notice("halfway", "cancelled", at(7), 10),
    notice("paused", "paused", at(6)),
  ];
  expect(idsOf(begun(notices, nowMs))).toEqual(["halfway", "paused"]);
  expect(idsOf(ahead(notices, nowMs))).toEqual(["scheduled"]);
});

test("a notice at each reader's time is ahead until its time has come here", () => {
  const local = notice("local", "sending", atLocal(11), 3);
  const scheduled = [notice("later", "scheduled", at(12)), notice("sooner", "scheduled", at(10))];
  expect(idsOf(ahead([local, ...scheduled], nowMs))).toEqual(["sooner", "local", "later"]);
  expect(begun([local], nowMs)).toEqual([]);
  expect(idsOf(begun([local], Date.parse("2026-11-11T09:00")))).toEqual(["local"]);
  expect(ahead([local], Date.parse("2026-11-11T09:00"))).toEqual([]);
});

test("a notice that has just begun is no longer ahead, though an older answer calls it scheduled", () => {
  const older = [notice("broa", "scheduled", at(9)), notice("pão", "scheduled", at(12))];
  const newer = [notice("broa", "sending", at(9), 5)];
  const both = newestOfEach(older, newer);
  expect(idsOf(ahead(both, nowMs))).toEqual(["pão"]);
  expect(idsOf(begun(both, nowMs))).toEqual(["broa"]);
});
