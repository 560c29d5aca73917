import { beforeEach, describe, expect, test } from "vitest";

import type { Rule } from "./fault.ts";
import { createRules, type Rules, type SeenRequest } from "./rules.ts";

const origin = "https://fcm.googleapis.com";
const other = "https://web.push.apple.com";

let nowMs: number;
let chances: number[];
let refusals: number;
let rules: Rules;

beforeEach(() => {
  nowMs = Date.UTC(2030, 0, 1);
  chances = [];
  refusals = 0;
  rules = createRules({
    origins: [origin, other],
    now: () => nowMs,
    random: () => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(Math.floor((chances.shift() ?? 0) * 2 ** 32));
      return bytes;
    },
    onRefusal: () => {
      refusals += 1;
    },
  });
});

const answer = (status: number) => ({ kind: "answer", status }) as const;
const statusOf = (request: Partial<SeenRequest> = {}): number | string | undefined => {
  const decision = rules.decide({ origin, path: "/a", vapidKey: "key", ...request });
  if (decision === undefined || decision === "ok") return decision;
  return decision.kind === "answer" ? decision.status : decision.kind;
};
const statuses = (count: number, request?: Partial<SeenRequest>) =>
  Array.from({ length: count }, () => statusOf(request));

describe("a rule decides", () => {
  test("every request, until it is stopped", () => {
    const rule = rules.add({ fault: answer(500) });
    expect(statuses(3)).toEqual([500, 500, 500]);
    expect(rule.hits()).toBe(3);
    rule.stop();
    expect(statusOf()).toBeUndefined();
    expect(rule.hits()).toBe(3);
  });

  test("as many as it was told to", () => {
    rules.add({ fault: answer(500), times: 2 });
    expect(statuses(3)).toEqual([500, 500, undefined]);
  });

  test("as many as it was told to at each endpoint, for as long as it stands", () => {
    const rule = rules.add({ fault: answer(429), timesPerEndpoint: 2 });
    expect(statuses(3)).toEqual([429, 429, undefined]);
    expect(statuses(3, { path: "/b" })).toEqual([429, 429, undefined]);
    expect(statuses(3, { origin: other })).toEqual([429, 429, undefined]);
    expect(rule.hits()).toBe(6);
    expect(rules.list()).toMatchObject([{ hits: 6, spent: false }]);
  });

  test("as many as it was told to at each endpoint, and no more than that at all", () => {
    rules.add({ fault: answer(429), timesPerEndpoint: 1, times: 2 });
    const paths = ["/a", "/a", "/b", "/c"];
    expect(paths.map((path) => statusOf({ path }))).toEqual([429, undefined, 429, undefined]);
  });

  test("as many as it was told to at each endpoint, once it has let so many pass", () => {
    rules.add({ fault: answer(429), timesPerEndpoint: 1, after: 2 });
    expect(statuses(4)).toEqual([undefined, undefined, 429, undefined]);
    expect(statuses(2, { path: "/b" })).toEqual([429, undefined]);
  });

  test("after as many as it was told to let pass", () => {
    rules.add({ fault: answer(500), after: 2, times: 1 });
    expect(statuses(4)).toEqual([undefined, undefined, 500, undefined]);
  });

  test("by script, one after the other", () => {
    rules.add({ script: [answer(500), "ok", { kind: "hang-up" }] });
    expect(statuses(4)).toEqual([500, "ok", "hang-up", undefined]);
  });

  test("by share, as chance has it", () => {
    const rule = rules.add({ fault: answer(500), share: 0.25 });
    chances = [0, 0.2499, 0.25, 0.99];
    expect(statuses(4)).toEqual([500, 500, undefined, undefined]);
    expect(rule.hits()).toBe(2);
  });

  test("never by a share of 0, always by one of 1", () => {
    rules.add({ fault: answer(500), share: 0 });
    chances = [0, 0];
    expect(statuses(2)).toEqual([undefined, undefined]);
    rules.add({ fault: answer(501), share: 1 });
    chances = [0, 0.999_999_999];
    expect(statusOf()).toBe(501);
  });

  test("for its origin and path alone", () => {
    const rule = rules.add({ fault: answer(500), origin, path: "/a", after: 1 });
    expect(statuses(2, { path: "/ab" })).toEqual([undefined, undefined]);
    expect(statuses(2, { origin: other })).toEqual([undefined, undefined]);
    expect(statuses(2)).toEqual([undefined, 500]);
    expect(rule.hits()).toBe(1);
  });

  test("for all paths that begin as it says", () => {
    rules.add({ fault: answer(500), path: "/a*" });
    expect([statusOf({ path: "/abc" }), statusOf({ path: "/b/a" })]).toEqual([500, undefined]);
  });
});

describe("of several rules", () => {
  test("the first that fits decides, and the others count nothing", () => {
    rules.add({ fault: answer(500), times: 1 });
    const second = rules.add({ fault: answer(501), after: 1 });
    expect(statuses(3)).toEqual([500, undefined, 501]);
    expect(second.hits()).toBe(1);
  });

  test("each can be found, with its hits, and taken away", () => {
    const spent: Rule = { fault: answer(500), times: 1 };
    const standing: Rule = { script: ["ok", "ok"], origin };
    const ids = [rules.add(spent), rules.add(standing)].map(({ id }) => id);
    statuses(2);
    expect(rules.list()).toEqual([
      { id: ids[0], rule: spent, hits: 1, spent: true },
      { id: ids[1], rule: standing, hits: 1, spent: false },
    ]);
    expect(ids.map((id) => rules.remove(id))).toEqual([true, true]);
    expect(ids.map((id) => rules.remove(id))).toEqual([false, false]);
    expect(rules.list()).toEqual([]);
    expect(statusOf()).toBeUndefined();
  });

  test("all can be cleared, and ids are not used again", () => {
    const { id } = rules.add({ fault: answer(500) });
    rules.clear();
    expect(statusOf()).toBeUndefined();
    expect(rules.add({ fault: answer(500) }).id).not.toBe(id);
  });

  test("no more than a hundred spent ones are kept", () => {
    for (let count = 0; count < 150; count += 1) rules.add({ fault: answer(500), times: 1 });
    statuses(150);
    expect(rules.list()).toHaveLength(100);
    expect(rules.list()[0]?.id).toBe("51");
  });
});

describe("connections are refused", () => {
  test("at once where no host is named, else when their host is known", () => {
    const host = new URL(origin).hostname;
    rules.add({ origin, fault: { kind: "refuse-connections" }, times: 1 });
    expect(refusals).toBe(1);
    expect([undefined, "web.push.apple.com", host, host].map(rules.refusesConnection)).toEqual([
      false,
      false,
      true,
      false,
    ]);
    rules.add({ fault: { kind: "refuse-connections" }, after: 1 });
    expect([undefined, host, undefined].map(rules.refusesConnection)).toEqual([false, false, true]);
    expect(statusOf()).toBeUndefined();
  });
});

describe("the rate is limited", () => {
  const limit = { kind: "rate-limit", limit: 2, windowSeconds: 60 } as const;
  const refusal = (request: Partial<SeenRequest> = {}) => {
    const decision = rules.decide({ origin, path: "/a", vapidKey: "key", ...request });
    return decision !== undefined && decision !== "ok" && decision.kind === "answer"
      ? decision
      : undefined;
  };

  test("as Apple does: 429 for one device", () => {
    const rule = rules.add({ fault: { ...limit, as: "apple" } });
    expect(statuses(3)).toEqual([undefined, undefined, 429]);
    expect(statuses(2, { path: "/b" })).toEqual([undefined, undefined]);
    expect(refusal()?.headers).not.toHaveProperty("retry-after");
    expect(rule.hits()).toBe(2);
    nowMs += 60_000;
    expect(statuses(3)).toEqual([undefined, undefined, 429]);
  });

  test("as FCM does: 429 with Retry-After for one site", () => {
    rules.add({ fault: { ...limit, as: "fcm" } });
    nowMs += 20_500;
    expect(statusOf({ path: "/a" })).toBeUndefined();
    expect(statusOf({ path: "/b" })).toBeUndefined();
    expect(refusal({ path: "/c" })).toMatchObject({
      status: 429,
      headers: { "retry-after": "40" },
    });
    expect(statuses(2, { vapidKey: "other site" })).toEqual([undefined, undefined]);
    nowMs += 39_500;
    expect(statusOf()).toBeUndefined();
  });

  test("as Windows does: 406 that only headers explain, for an hour", () => {
    rules.add({ fault: { ...limit, as: "windows" } });
    statuses(2);
    const blocked = refusal();
    expect(blocked).toMatchObject({
      status: 406,
      headers: { "x-wns-notificationstatus": "channelthrottled" },
    });
    expect(blocked).not.toHaveProperty("body");
    nowMs += 3_599_999;
    expect(statuses(1)).toEqual([406]);
    nowMs += 60_000;
    expect(statuses(3)).toEqual([undefined, undefined, 406]);
  });

  test("only for those that come so far", () => {
    rules.add({ fault: answer(500), after: 1, times: 1 });
    rules.add({ fault: { ...limit, as: "fcm" } });
    expect(statuses(4)).toEqual([undefined, 500, undefined, 429]);
  });
});
