import type { Exchange } from "../endpoint-server/exchange.ts";
import { PushLabError } from "../errors.ts";
import { takeOrMisbehave } from "../faults/misbehave.ts";
import type { Rules } from "../faults/rules.ts";
import { checkPushRequest, originOf, type Recipient } from "../push-service/push-request.ts";
import { refusedInText, type ServiceRules } from "../push-service/service-rules.ts";
import { createTally, type SinkCounts, sumOf, type Tally } from "./counts.ts";
import { createVapidMemory } from "./vapid-memory.ts";

/** A push that was taken, as it came. */
export type KeptPush = {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

export type Reception = {
  readonly receive: (exchange: Exchange) => void;
  readonly counts: () => Omit<SinkCounts, "connections">;
  readonly accepted: (origin: string) => ReadonlyMap<string, number>;
  readonly kept: () => readonly KeptPush[];
  readonly reset: () => void;
};

/**
 * What the sink does with each request: checks it, lets it meet the faults, counts it. Everybody can be pushed to: a path
 * needs no subscription.
 *
 * @param vapidKey the only one that is good; any where it is undefined
 * @param onHandled called after each request, when it has been counted
 */
export function createReception({
  services,
  rules,
  checks,
  vapidKey,
  keep,
  now,
  runId,
  onHandled,
}: {
  services: readonly ServiceRules[];
  rules: Rules;
  checks: boolean;
  vapidKey: string | undefined;
  keep: number;
  now: () => number;
  runId: string;
  onHandled: () => void;
}): Reception {
  const played = new Map(
    services.map((service) => [service.origin, { service, tally: createTally() }]),
  );
  const everybody: Recipient = { applicationServerKey: vapidKey };
  const check = createVapidMemory();
  const kept: KeptPush[] = [];
  let takenCount = 0;

  const tallyOf = (origin: string): Tally => {
    const tally = played.get(origin)?.tally;
    if (tally !== undefined) return tally;
    throw new PushLabError(
      "unknown-endpoint",
      `"${origin}" is no origin of this sink: it plays ${[...played.keys()].join(" and ")}.`,
    );
  };

  /** The answer to a push that is not to be taken. */
  const refusalOf = ({ request }: Exchange) => {
    if (!checks && played.has(originOf(request))) return undefined;
    const { outcome } = checkPushRequest(request, {
      services,
      find: () => everybody,
      nowMs: now(),
      check,
    });
    if (!("refusal" in outcome)) return undefined;
    return (outcome.service?.refused ?? refusedInText)(outcome.refusal);
  };

  const take = (exchange: Exchange, service: ServiceRules, tally: Tally) => {
    const { path, headers, body } = exchange.request;
    tally.accepted(path);
    takenCount += 1;
    if (keep > 0) {
      if (kept.length >= keep) kept.shift();
      kept.push({ endpoint: `${service.origin}${path}`, headers, body });
    }
    const asked = Number(headers["ttl"] ?? 0);
    const ttlSeconds = Math.min(asked, service.longestTtlSeconds);
    const id = `${runId}-${takenCount}`;
    return service.accepted({ id, ttlSeconds, shortened: asked > ttlSeconds });
  };

  const receive = (exchange: Exchange): void => {
    const known = played.get(originOf(exchange.request));
    const refusal = refusalOf(exchange);
    if (refusal !== undefined) {
      exchange.answer(refusal);
      known?.tally.answered(refusal.status);
    } else if (known !== undefined) {
      const { service, tally } = known;
      const { status } = takeOrMisbehave(rules, exchange, service, () =>
        take(exchange, service, tally),
      );
      tally.answered(status);
    }
    onHandled();
  };

  return {
    receive,
    counts: () => {
      const origins = Object.fromEntries(
        [...played].map(([origin, { tally }]) => [origin, tally.counts()]),
      );
      return { ...sumOf(Object.values(origins)), origins };
    },
    accepted: (origin) => tallyOf(origin).paths,
    kept: () => [...kept],
    reset: () => {
      for (const { tally } of played.values()) tally.reset();
      kept.length = 0;
    },
  };
}
