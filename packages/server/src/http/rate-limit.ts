import { createMiddleware } from "hono/factory";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { addressBlock } from "../access/sessions/address-block.ts";
import type { FloodLog } from "./flood-log.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

/** Requests that change nothing are not counted: preflights, and whatever else is read there. */
const countedMethods = new Set(["POST", "PUT", "DELETE"]);

/**
 * How many visitors a proxy that nobody declared stands for: all of them are counted under its one address, see
 * docs/decisions/0010-undeclared-proxies.md.
 */
const visitorsBehindProxy = 100;

/**
 * Between two refusals of a flood: whoever asks on and on waits for each answer until those before it are out, so that
 * all of a flood's connections together take little of the server's time, and that little evenly.
 */
const floodGapMs = 4;
/** Beyond so many times the limit it is a flood, and no crowd. */
const floodTimes = 2;
/** Refusals of a kind that wait at once, all addresses together: each holds a connection, a proxy's perhaps. */
const waitingRefusals = 256;

export type RateLimitParts = {
  tellOfFlood: FloodLog;
  pause: (milliseconds: number) => Promise<unknown>;
};

/**
 * Lets so many requests of one kind through, for each address (of IPv6: each /64) and project, if any. To stand before whatever
 * reads a body or the database. What it counts is in memory: a restart forgets it.
 * @param kind what is counted together, for the log
 * @throws HttpProblem `too-many-requests`, with the seconds after which there is room again
 */
export function rateLimit(kind: string, perMinute: number, { tellOfFlood, pause }: RateLimitParts) {
  const perAddress = new RateLimiterMemory({ points: perMinute, duration: 60 });
  const perProxy = new RateLimiterMemory({ points: perMinute * visitorsBehindProxy, duration: 60 });
  let waiting = 0;

  async function slowDown(): Promise<void> {
    if (waiting >= waitingRefusals) return;
    waiting++;
    try {
      await pause(waiting * floodGapMs);
    } finally {
      waiting--;
    }
  }

  return createMiddleware<ProjectEnv>(async (context, next) => {
    if (countedMethods.has(context.req.method)) {
      const source = addressBlock(context.get("address"));
      const limiter = context.get("addressIsShared") ? perProxy : perAddress;
      const refusal = await refusalOf(limiter, `${context.get("project")?.id} ${source}`);
      if (refusal !== null) {
        if (refusal.consumedPoints === limiter.points + 1) {
          tellOfFlood(`${kind} ${source}`, { address: source, kind }, "too many requests");
        }
        if (refusal.consumedPoints > limiter.points * floodTimes) await slowDown();
        const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
        throw new HttpProblem("too-many-requests", undefined, retryAfterSeconds);
      }
    }
    await next();
  });
}

async function refusalOf(limiter: RateLimiterMemory, key: string): Promise<RateLimiterRes | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  }
}
