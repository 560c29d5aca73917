/// <reference lib="esnext.temporal" />
import { limits, type MessageRequest } from "@sineta/protocol";
import { ianaZone } from "../registrations/time-zone.ts";
import type { NewMessage } from "../store/port.ts";

const hourMs = 60 * 60 * 1000;
/** The clocks of the first and the last inhabited place: the Line Islands and Baker Island. */
const firstZoneMs = 14 * hourMs;
const lastZoneMs = -12 * hourMs;

/** Two clocks differ, and a request is on its way for a while. */
const toleranceMs = 60_000;

export type Schedule =
  | { ok: true; at: Pick<NewMessage, "scheduledAtMs" | "localTime"> }
  | { ok: false; code: "schedule-in-past" | "schedule-too-far"; field: ScheduleField };
type ScheduleField = "scheduleAt" | "scheduleAtLocal";

/**
 * When a message is due: at once, at a moment, or at a time of day where each reader is. That is in the past only once
 * it is over everywhere.
 */
export function scheduleOf(
  { scheduleAt, scheduleAtLocal }: Pick<MessageRequest, ScheduleField>,
  nowMs: number,
): Schedule {
  if (scheduleAtLocal !== undefined) {
    const utcMs = Date.parse(`${scheduleAtLocal}Z`);
    const field = "scheduleAtLocal";
    if (utcMs - lastZoneMs < nowMs - toleranceMs) {
      return { ok: false, code: "schedule-in-past", field };
    }
    const scheduledAtMs = utcMs - firstZoneMs;
    if (isTooFar(scheduledAtMs, nowMs)) return { ok: false, code: "schedule-too-far", field };
    return { ok: true, at: { scheduledAtMs, localTime: scheduleAtLocal } };
  }
  const askedMs = scheduleAt === undefined ? nowMs : Date.parse(scheduleAt);
  const field = "scheduleAt";
  if (askedMs < nowMs - toleranceMs) return { ok: false, code: "schedule-in-past", field };
  if (isTooFar(askedMs, nowMs)) return { ok: false, code: "schedule-too-far", field };
  return { ok: true, at: { scheduledAtMs: Math.max(askedMs, nowMs), localTime: null } };
}

function isTooFar(dueMs: number, nowMs: number): boolean {
  return dueMs > nowMs + limits.scheduleAheadSeconds * 1000;
}

/**
 * What was worked out: a walk over a million registrations asks for few zones, and for one local time. Bounded, because
 * the name of a zone comes from a browser, that is from anybody.
 */
const known = new Map<string, number>();
const mostKnown = 2_000;

/**
 * The moment at which the clocks of a time zone show this time of day: where they show it twice (as summer time ends)
 * the first, where they leave it out (as it begins) the moment they do.
 * @param localTime `YYYY-MM-DDTHH:MM[:SS]`
 * @param timeZone an IANA name as a browser gives it. Null and any other text count as UTC. A zone outside of UTC-12 to
 *   UTC+14 counts as UTC, too: `scheduleOf` expects none there.
 * @returns milliseconds since 1970
 */
export function dueInZone(localTime: string, timeZone: string | null): number {
  const name = `${localTime} ${timeZone ?? "UTC"}`;
  let dueMs = known.get(name);
  if (dueMs === undefined) {
    dueMs = workOut(localTime, timeZone ?? "UTC");
    if (known.size >= mostKnown) known.clear();
    known.set(name, dueMs);
  }
  return dueMs;
}

function workOut(localTime: string, timeZone: string): number {
  const wanted = Temporal.PlainDateTime.from(localTime);
  const utcMs = wanted.toZonedDateTime("UTC").epochMilliseconds;
  const zone = ianaZone(timeZone);
  if (zone === null) return utcMs;
  let found = wanted.toZonedDateTime(zone, { disambiguation: "earlier" });
  // Left out: "earlier" is before the gap by as much as the gap is long.
  if (!found.toPlainDateTime().equals(wanted)) found = found.getTimeZoneTransition("next") ?? found;
  const dueMs = found.epochMilliseconds;
  return dueMs < utcMs - firstZoneMs || dueMs > utcMs - lastZoneMs ? utcMs : dueMs;
}
