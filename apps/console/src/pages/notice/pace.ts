import type { MessageProgress } from "@sineta/protocol";

/** How many of a message's registrations were dealt with at a moment. */
export type Sample = { atMs: number; handled: number };

/** What is looked back on: long enough that a page of the delivery does not make it jump. */
const windowMs = 15_000;
/** Less says nothing. */
const leastMs = 2_000;
/** In registrations for each second. */
const leastPace = 0.1;

/** Registrations that have their outcome: nothing more is tried. */
export function handledOf({ counts }: Pick<MessageProgress, "counts">): number {
  return counts.accepted + counts.gone + counts.rejected + counts.failed;
}

/** The samples that still count, with the new one. What came late, or twice, changes nothing. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last !== undefined && sample.atMs <= last.atMs) return samples;
  return [...samples.filter(({ atMs }) => atMs >= sample.atMs - windowMs), sample];
}

/** Registrations for each second over the last seconds; null while there is too little to tell. */
export function paceOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.atMs - first.atMs < leastMs) return null;
  return Math.max(0, last.handled - first.handled) / ((last.atMs - first.atMs) / 1_000);
}

/** What can honestly be said of the end of a message that is going out. */
export type Outlook =
  /** About so many seconds. */
  | { kind: "seconds"; seconds: number }
  /** Only those are left that are tried again, each at its own time. */
  | { kind: "retries"; count: number }
  /** Everybody at their own time of day. */
  | { kind: "local-time" }
  /** The audience is not counted yet, it has just begun, or a push service is held back. */
  | { kind: "unknown" };

export function outlookOf(
  { unsent, counts, audience, held, scheduleAtLocal }: MessageProgress,
  pace: number | null,
): Outlook {
  if (scheduleAtLocal !== undefined) return { kind: "local-time" };
  if (audience.complete && unsent === 0 && counts.retry > 0) {
    return { kind: "retries", count: counts.retry };
  }
  if (!audience.complete || held.length > 0 || unsent === 0 || pace === null || pace <= 0) {
    return { kind: "unknown" };
  }
  return { kind: "seconds", seconds: unsent / pace };
}

/** "About": no finer than anybody could know. */
export function roughly(seconds: number): { unit: "seconds" | "minutes" | "hours"; count: number } {
  if (seconds < 50) return { unit: "seconds", count: Math.max(5, Math.ceil(seconds / 5) * 5) };
  if (seconds < 3_300) return { unit: "minutes", count: Math.max(1, Math.round(seconds / 60)) };
  return { unit: "hours", count: Math.max(1, Math.round(seconds / 3_600)) };
}

/** The mean pace from the start to the end. Null before the end, within the first second, and where it would round to nothing. */
export function averagePace(progress: MessageProgress): number | null {
  const { startedAt, endedAt } = progress;
  if (startedAt === undefined || endedAt === undefined) return null;
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
  const pace = handledOf(progress) / seconds;
  return seconds < 1 || pace < leastPace ? null : pace;
}

/** Rounds a pace to what is worth reading: to tenths where it is slow. */
export function shownPace(pace: number): number {
  return pace < 10 ? Math.round(pace * 10) / 10 : Math.round(pace);
}
