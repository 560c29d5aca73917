import type { Fault, RequestFault, Rule } from "./fault.ts";
import { createRateLimit, type RateLimiter } from "./rate-limit.ts";
import { readRule } from "./read-rule.ts";

/** What a rule looks at in a request. */
export type SeenRequest = {
  readonly origin: string;
  readonly path: string;
  /** The `k` of its Authorization header: who sends it. */
  readonly vapidKey: string | undefined;
};

/** What is to happen instead of the plain acceptance. */
export type Decision = RequestFault | Extract<Fault, { kind: "refuse-vapid" }> | "ok";

export type RuleHandle = {
  readonly id: string;
  /** How many requests (connections, where it refuses those) the rule has decided. */
  readonly hits: () => number;
  /** From now on the rule decides nothing any more. */
  readonly stop: () => void;
};

export type RuleReport = {
  readonly id: string;
  readonly rule: Rule;
  readonly hits: number;
  /** It has decided as many as it was to. */
  readonly spent: boolean;
};

export type Rules = {
  /** @throws PushLabError `invalid-fault` */
  readonly add: (rule: unknown) => RuleHandle;
  /** Those that stand and the last hundred that are spent, each in the order they were added. */
  readonly list: () => readonly RuleReport[];
  /** False where there is no such rule. */
  readonly remove: (id: string) => boolean;
  readonly clear: () => void;
  /** The first rule that fits decides; undefined where none does. */
  readonly decide: (request: SeenRequest) => Decision | undefined;
  /** Asked once when a connection comes in, by no host, and once more when it has said which host it is for. */
  readonly refusesConnection: (host: string | undefined) => boolean;
};

type Standing = {
  readonly id: string;
  readonly rule: Rule;
  readonly steps: (Fault | "ok")[];
  readonly limiter: RateLimiter | undefined;
  passedBy: number;
  hits: number;
  /** Of each endpoint, where the rule looks at them apart. */
  readonly hitsByEndpoint: Map<string, number>;
};

const keptSpent = 100;

/**
 * The rules by which a push service misbehaves, asked in the order they were added.
 *
 * @param origins the push services that rules can be about
 * @param random gives this many unpredictable bytes: they decide about shares
 * @param onRefusal called when a rule that refuses connections was added
 */
export function createRules({
  origins,
  now,
  random,
  onRefusal,
}: {
  origins: readonly string[];
  now: () => number;
  random: (bytes: number) => Uint8Array;
  onRefusal: () => void;
}): Rules {
  const standing = new Map<string, Standing>();
  const spent = new Map<string, Standing>();
  let added = 0;

  const isDue = (one: Standing, endpoint?: string): boolean => {
    if (endpoint !== undefined && isSpentAt(one, endpoint)) return false;
    const { after = 0, share = 1 } = one.rule;
    if (one.passedBy < after) {
      one.passedBy += 1;
      return false;
    }
    return share === 1 || Buffer.from(random(4)).readUInt32BE() / 2 ** 32 < share;
  };

  /** Counts a hit and gives what the rule says to it. */
  const hit = (one: Standing, endpoint?: string): Fault | "ok" => {
    one.hits += 1;
    const { fault, script, times, timesPerEndpoint } = one.rule;
    if (endpoint !== undefined && timesPerEndpoint !== undefined)
      one.hitsByEndpoint.set(endpoint, (one.hitsByEndpoint.get(endpoint) ?? 0) + 1);
    const step = fault ?? one.steps.shift() ?? "ok";
    if (script === undefined ? one.hits === times : one.steps.length === 0) retire(one);
    return step;
  };

  const retire = (one: Standing): void => {
    standing.delete(one.id);
    spent.set(one.id, one);
    for (const oldest of spent.keys()) {
      if (spent.size <= keptSpent) break;
      spent.delete(oldest);
    }
  };

  return {
    add: (given) => {
      const rule = readRule(given, origins);
      added += 1;
      const { fault } = rule;
      const limiter = fault?.kind === "rate-limit" ? createRateLimit(fault, now) : undefined;
      const steps = [...(rule.script ?? [])];
      const counts = { passedBy: 0, hits: 0, hitsByEndpoint: new Map<string, number>() };
      const one: Standing = { id: String(added), rule, steps, limiter, ...counts };
      standing.set(one.id, one);
      if (fault?.kind === "refuse-connections") onRefusal();
      return {
        id: one.id,
        hits: () => one.hits,
        stop: () => {
          standing.delete(one.id);
        },
      };
    },

    list: () => [
      ...[...spent.values()].map((one) => reportOf(one, true)),
      ...[...standing.values()].map((one) => reportOf(one, false)),
    ],

    remove: (id) => standing.delete(id) || spent.delete(id),

    clear: () => {
      standing.clear();
      spent.clear();
    },

    decide: (request) => {
      const endpoint = request.origin + request.path;
      for (const one of standing.values()) {
        if (one.rule.fault?.kind === "refuse-connections") continue;
        if (!isAbout(one.rule, request) || !isDue(one, endpoint)) continue;
        const limited = one.limiter?.refusal(request);
        if (one.limiter !== undefined && limited === undefined) continue;
        const step = hit(one, endpoint);
        if (limited !== undefined) return limited;
        // The reader lets neither of these into a script.
        if (step !== "ok" && (step.kind === "rate-limit" || step.kind === "refuse-connections"))
          continue;
        return step;
      }
      return undefined;
    },

    refusesConnection: (host) => {
      for (const one of standing.values()) {
        if (one.rule.fault?.kind !== "refuse-connections") continue;
        const { origin } = one.rule;
        if (host !== (origin === undefined ? undefined : new URL(origin).hostname)) continue;
        if (!isDue(one)) continue;
        hit(one);
        return true;
      }
      return false;
    },
  };
}

function isAbout({ origin, path }: Rule, request: SeenRequest): boolean {
  if (origin !== undefined && origin !== request.origin) return false;
  if (path === undefined) return true;
  return path.endsWith("*") ? request.path.startsWith(path.slice(0, -1)) : request.path === path;
}

function isSpentAt({ rule, hitsByEndpoint }: Standing, endpoint: string): boolean {
  return (hitsByEndpoint.get(endpoint) ?? 0) >= (rule.timesPerEndpoint ?? Infinity);
}

function reportOf({ id, rule, hits }: Standing, isSpent: boolean): RuleReport {
  return { id, rule, hits, spent: isSpent };
}
