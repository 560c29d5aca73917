import { momentField } from "./moment-field.ts";

/** This hour of tomorrow in the operator's zone, without that zone: "2026-12-01T09:00". */
export function tomorrowAt(hour: number, nowMs: number): string {
  const now = new Date(nowMs);
  const then = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, hour);
  return momentField(then.getTime());
}
