import type { Log } from "../log.ts";
import type { Delivered } from "../store/port.ts";

/** The same trouble of one push service is logged once within this time. */
const everyMs = 60_000;
/** A push service says the same things again; what else it may think up is bounded. */
const mostKept = 1_000;

export type TroubleLog = {
  /** Logs, or counts for a later line, whatever was not accepted. */
  tell(messageId: string, pushService: string, delivered: readonly Delivered[]): void;
  /** What a line of this kind says besides: how many were not written before it. Null: it is not to be written itself. */
  mayTell(pushService: string, kind: string): { linesNotWritten?: number } | null;
};

/** Bounds in time what is logged of one push service: its troubles may be a thousand a second, of five thousand hosts. */
export function createTroubleLog({ log, now }: { log: Log; now: () => number }): TroubleLog {
  const told = new Map<string, { atMs: number; suppressed: number }>();

  function mayTell(pushService: string, kind: string): { linesNotWritten?: number } | null {
    const key = `${pushService} ${kind}`;
    const nowMs = now();
    const last = told.get(key);
    // Also where the clock was put back.
    if (last !== undefined && Math.abs(nowMs - last.atMs) < everyMs) {
      last.suppressed += 1;
      return null;
    }
    told.delete(key);
    told.set(key, { atMs: nowMs, suppressed: 0 });
    const [oldest] = told.keys();
    if (told.size > mostKept && oldest !== undefined) told.delete(oldest);
    return last === undefined || last.suppressed === 0 ? {} : { linesNotWritten: last.suppressed };
  }

  return {
    mayTell,
    tell(messageId, pushService, delivered) {
      const troubles = delivered.filter((each) => each.kind !== "accepted" && each.kind !== "gone");
      for (const [reason, group] of Map.groupBy(troubles, (each) => each.reason)) {
        const [first] = group;
        if (first === undefined) continue;
        const line = mayTell(pushService, reason);
        if (line === null) continue;
        const { pushOrigin, detail } = first;
        const fields = { messageId, pushService, pushOrigin, reason, detail };
        const level = first.kind === "retry" ? "info" : "warn";
        log[level]({ ...fields, registrations: group.length, ...line }, "not accepted");
      }
    },
  };
}
