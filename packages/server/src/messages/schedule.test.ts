import { describe, expect, test } from "vitest";
import { limits } from "@sineta/protocol";
import { dueInZone, scheduleOf } from "./schedule.ts";

const day = 24 * 60 * 60 * 1000;
const nowMs = Date.parse("2026-11-20T12:00:00Z");
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

describe("scheduleOf", () => {
  test("is now, unless something else is said", () => {
    expect(scheduleOf({}, nowMs)).toEqual({
      ok: true,
      at: { scheduledAtMs: nowMs, localTime: null },
    });
  });

  test("takes a moment in whatever zone it is written", () => {
    for (const scheduleAt of ["2026-12-01T12:00:00Z", "2026-12-01T09:00-03:00"]) {
      expect(scheduleOf({ scheduleAt }, nowMs)).toEqual({
        ok: true,
        at: { scheduledAtMs: Date.parse("2026-12-01T12:00:00Z"), localTime: null },
      });
    }
  });

  test("takes what is over by a minute for now, and nothing older", () => {
    const at = (ms: number) => scheduleOf({ scheduleAt: iso(nowMs + ms) }, nowMs);
    expect(at(-60_000)).toEqual({ ok: true, at: { scheduledAtMs: nowMs, localTime: null } });
    const refused = { ok: false, code: "schedule-in-past", field: "scheduleAt" };
    expect(at(-60_001)).toEqual(refused);
    expect(at(-2 * 60 * 60 * 1000)).toEqual(refused);
    expect(scheduleOf({ scheduleAt: "0000-01-01T00:00Z" }, nowMs)).toEqual(refused);
  });

  test("reaches 366 days ahead, and no further", () => {
    const farthest = nowMs + limits.scheduleAheadSeconds * 1000;
    expect(scheduleOf({ scheduleAt: iso(farthest) }, nowMs)).toMatchObject({ ok: true });
    expect(scheduleOf({ scheduleAt: iso(farthest + 1) }, nowMs)).toEqual({
      ok: false,
      code: "schedule-too-far",
      field: "scheduleAt",
    });
    const local = (ms: number) => iso(ms).slice(0, 19);
    const first = { scheduleAtLocal: local(farthest + 14 * 60 * 60 * 1000) };
    expect(scheduleOf(first, nowMs)).toMatchObject({ ok: true, at: { scheduledAtMs: farthest } });
    const beyond = { scheduleAtLocal: local(farthest + 14 * 60 * 60 * 1000 + 1000) };
    expect(scheduleOf(beyond, nowMs)).toEqual({
      ok: false,
      code: "schedule-too-far",
      field: "scheduleAtLocal",
    });
  });

  test("begins with a local time where the day begins first", () => {
    expect(scheduleOf({ scheduleAtLocal: "2026-12-01T09:00" }, nowMs)).toEqual({
      ok: true,
      at: {
        scheduledAtMs: Date.parse("2026-11-30T19:00:00Z"),
        localTime: "2026-12-01T09:00",
      },
    });
  });

  test("takes a local time that is over somewhere, and refuses one that is over everywhere", () => {
    // UTC-12 comes last: there it is midnight now.
    const local = (scheduleAtLocal: string) => scheduleOf({ scheduleAtLocal }, nowMs);
    expect(local("2026-11-20T00:00")).toMatchObject({ ok: true });
    expect(local("2026-11-19T23:59")).toMatchObject({ ok: true });
    expect(local("2026-11-19T23:58:59")).toEqual({
      ok: false,
      code: "schedule-in-past",
      field: "scheduleAtLocal",
    });
  });
});

describe("dueInZone", () => {
  test.for<[local: string, zone: string | null, utc: string]>([
    ["2026-12-01T09:00", "UTC", "2026-12-01T09:00:00Z"],
    ["2026-12-01T09:00", null, "2026-12-01T09:00:00Z"],
    ["2026-12-01T09:00:30", "America/Sao_Paulo", "2026-12-01T12:00:30Z"],
    ["2026-12-01T09:00", "Europe/Lisbon", "2026-12-01T09:00:00Z"],
    ["2026-07-01T09:00", "Europe/Lisbon", "2026-07-01T08:00:00Z"],
    // Half and quarter hours.
    ["2026-12-01T09:00", "Asia/Kolkata", "2026-12-01T03:30:00Z"],
    ["2026-12-01T09:00", "Asia/Kathmandu", "2026-12-01T03:15:00Z"],
    ["2026-12-01T09:00", "America/St_Johns", "2026-12-01T12:30:00Z"],
    ["2026-12-01T09:00", "Pacific/Chatham", "2026-11-30T19:15:00Z"],
    // Both sides of the date line.
    ["2026-12-01T09:00", "Pacific/Kiritimati", "2026-11-30T19:00:00Z"],
    ["2026-12-01T09:00", "Pacific/Pago_Pago", "2026-12-01T20:00:00Z"],
    ["2026-12-01T09:00", "Etc/GMT+12", "2026-12-01T21:00:00Z"],
    // Summer time begins: 02:00 to 03:00 is left out.
    ["2026-03-29T01:59", "Europe/Berlin", "2026-03-29T00:59:00Z"],
    ["2026-03-29T02:00", "Europe/Berlin", "2026-03-29T01:00:00Z"],
    ["2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:00:00Z"],
    ["2026-03-29T03:00", "Europe/Berlin", "2026-03-29T01:00:00Z"],
    ["2026-03-29T03:30", "Europe/Berlin", "2026-03-29T01:30:00Z"],
    ["2026-03-08T02:59:59", "America/New_York", "2026-03-08T07:00:00Z"],
    // Half an hour is left out, south of the equator.
    ["2026-10-04T02:15", "Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
    // Midnight itself is left out.
    ["2026-09-06T00:30", "America/Santiago", "2026-09-06T04:00:00Z"],
    // Summer time ends: 02:00 to 03:00 comes twice.
    ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00Z"],
    ["2026-10-25T03:00", "Europe/Berlin", "2026-10-25T02:00:00Z"],
    ["2026-11-01T01:30", "America/New_York", "2026-11-01T05:30:00Z"],
    ["2026-04-05T01:45", "Australia/Lord_Howe", "2026-04-04T14:45:00Z"],
    // A whole day is left out: Samoa went over the date line.
    ["2011-12-30T09:00", "Pacific/Apia", "2011-12-30T10:00:00Z"],
    // What is no zone.
    ["2026-12-01T09:00", "Mars/Olympus", "2026-12-01T09:00:00Z"],
    ["2026-12-01T09:00", "", "2026-12-01T09:00:00Z"],
    ["2026-12-01T09:00", "[u-ca=hebrew]", "2026-12-01T09:00:00Z"],
    // Before there were zones, the sun ruled in Juneau, and the date in Manila was Mexico's.
    ["1844-01-01T09:00", "Asia/Manila", "1844-01-01T09:00:00Z"],
    ["1860-01-01T09:00", "America/Juneau", "1860-01-01T09:00:00Z"],
    // Offsets, and whole dates with a zone: no browser gives those for a name.
    ["2026-12-01T09:00", "-23:59", "2026-12-01T09:00:00Z"],
    ["2026-12-01T09:00", "+23:59", "2026-12-01T09:00:00Z"],
    ["2026-12-01T09:00", "-03:00", "2026-12-01T09:00:00Z"],
    ["2026-12-01T09:00", "T1200-0530", "2026-12-01T09:00:00Z"],
    ["2026-12-01T09:00", "2020-01-01T00:00[America/Sao_Paulo]", "2026-12-01T09:00:00Z"],
    ["2026-12-01T09:00", "constructor", "2026-12-01T09:00:00Z"],
    ["2026-12-01T09:00", "x".repeat(10_000), "2026-12-01T09:00:00Z"],
  ])("%s in %s is %s", ([local, zone, utc]) => {
    const due = dueInZone(local, zone);
    expect(iso(due)).toBe(iso(Date.parse(utc)));
    expect(dueInZone(local, zone)).toBe(due);
  });

  test("lies between the first zone and the last, in every zone there is", () => {
    const local = "2026-12-01T09:00";
    const { ok, at } = { at: undefined, ...scheduleOf({ scheduleAtLocal: local }, nowMs) };
    expect(ok).toBe(true);
    const dues = Intl.supportedValuesOf("timeZone").map((zone) => dueInZone(local, zone));
    expect(Math.min(...dues)).toBe(at?.scheduledAtMs);
    expect(Math.max(...dues)).toBeLessThanOrEqual(Date.parse(`${local}Z`) + day / 2);
    expect(new Set(dues).size).toBeGreaterThan(30);
  });

  test("is right for more zones than it remembers", () => {
    for (let minute = 0; minute < 3_000; minute += 1) {
      const local = iso(nowMs + minute * 60_000).slice(0, 16);
      expect(dueInZone(local, "America/Sao_Paulo")).toBe(
        nowMs + minute * 60_000 + 3 * 60 * 60 * 1000,
      );
    }
  });
});
