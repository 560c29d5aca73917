import { createMiddleware } from "hono/factory";
import { createCounts } from "../access/counts.ts";
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
/** Addresses of a kind that are kept, some 10 MB at most: a stranger may have any number of them (counts.ts). */
export const addressesKept = 50_000;
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
  const bounds = { windowMs: 60_000, mostKeys: addressesKept };
  const perAddress = { counts: createCounts(bounds), most: perMinute };
  const perProxy = { counts: createCounts(bounds), most: perMinute * visitorsBehindProxy };
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
      const { counts, most } = context.get("addressIsShared") ? perProxy : perAddress;
      const { count, endsInMs } = counts.add(`${context.get("project")?.id} ${source}`);
      if (count > most) {
        if (count === most + 1) {
          tellOfFlood(`${kind} ${source}`, { address: source, kind }, "too many requests");
        }
        if (count > most * floodTimes) await slowDown();
        const retryAfterSeconds = Math.ceil(endsInMs / 1000);
        throw new HttpProblem("too-many-requests", undefined, retryAfterSeconds);
      }
    }
    await next();
  });
}
