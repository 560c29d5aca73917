import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Log } from "../log.ts";

/** A minute's lines for all addresses together: many machines may take part. */
const linesPerMinute = 100;

/** Tells of a flood once a minute for each source at most. Never waits, never throws. */
export type FloodLog = (source: string, bindings: Record<string, unknown>, message: string) => void;

export function createFloodLog(log: Log): FloodLog {
  const sources = new RateLimiterMemory({ points: 1, duration: 60 });
  const lines = new RateLimiterMemory({ points: linesPerMinute, duration: 60 });
  return (source, bindings, message) => {
    const counted = sources.consume(source).then(() => lines.consume("all"));
    counted.then(
      () => log.warn(bindings, message),
      (refusal: unknown) => {
        if (!(refusal instanceof RateLimiterRes)) log.error({ err: refusal }, "flood log failed");
      },
    );
  };
}
