import { describe, expect, test } from "vitest";
import type { Membership, MembershipDecision, Topic } from "../store/port.ts";
import { asBrowser, leaveTopic, type BrowserWish } from "./rules.ts";

const bread: Topic = { id: 1, name: "bread", policy: "open" };
const cake: Topic = { id: 2, name: "cake", policy: "open" };
const staff: Topic = { id: 3, name: "staff", policy: "kept" };
const vip: Topic = { id: 4, name: "vip", policy: "kept" };
const all = [bread, cake, staff, vip];

function decide(request: ReturnType<typeof asBrowser>, current: Membership): MembershipDecision {
  const named = all.filter(({ name }) => request.topicNames.includes(name));
  return request.decide({ current, named });
}

const change = (userId: string | null, joins: number[], leaves: number[] = []) => ({
  kind: "change",
  userId,
  joins,
  leaves,
});
const refuse = (code: string, ...topics: string[]) => ({ kind: "refuse", code, topics });

const nobody: Membership = { userId: null, topics: [] };
const baker: Membership = { userId: "baker", topics: [bread, staff] };
const none = undefined;

const cases: [string, Membership, Partial<BrowserWish>, object][] = [
  ["an open topic is joined", nobody, { joins: ["bread"] }, change(null, [1])],
  ["named twice, it is joined once", nobody, { joins: ["bread", "bread"] }, change(null, [1])],
  ["what is joined already stays", baker, { joins: ["bread", "cake"] }, change("baker", [2])],
  ["a kept topic is refused", nobody, { joins: ["bread", "staff"] }, refuse("topic-kept", "staff")],
  ["unless it is in it", baker, { joins: ["staff"] }, change("baker", [])],
  [
    "an unknown topic refuses all",
    nobody,
    { joins: ["bread", "tea"] },
    refuse("topic-unknown", "tea"),
  ],

  ["a user is bound", nobody, { user: { id: "baker", topics: none } }, change("baker", [])],
  ["the same again", baker, { user: { id: "baker", topics: none } }, change("baker", [])],
  ["topics of a token", nobody, { user: { id: "baker", topics: ["vip"] } }, change("baker", [4])],
  ["exactly these", baker, { user: { id: "baker", topics: ["vip"] } }, change("baker", [4], [3])],
  ["none", baker, { user: { id: "baker", topics: [] } }, change("baker", [], [3])],
  ["open ones too", nobody, { user: { id: "baker", topics: ["cake"] } }, change("baker", [2])],
  [
    "unknown",
    baker,
    { user: { id: "baker", topics: ["vip", "tea"] } },
    refuse("topic-unknown", "tea"),
  ],
  [
    "another user: kept ones end",
    baker,
    { user: { id: "cook", topics: none } },
    change("cook", [], [3]),
  ],
  ["and begin", baker, { user: { id: "cook", topics: ["vip"] } }, change("cook", [4], [3])],
  ["or go on", baker, { user: { id: "cook", topics: ["staff"] } }, change("cook", [])],
  ["no user any more", baker, { user: null }, change(null, [], [3])],
  [
    "the operator's kept topics survive no user, and the first one",
    { userId: null, topics: [staff] },
    { user: null },
    change(null, []),
  ],
  [
    "(the first one)",
    { userId: null, topics: [staff] },
    { user: { id: "baker", topics: none } },
    change("baker", []),
  ],
  [
    "a visitor may name what the token grants",
    nobody,
    { joins: ["vip"], user: { id: "baker", topics: ["vip"] } },
    change("baker", [4]),
  ],
  [
    "not what ends with the user",
    baker,
    { joins: ["staff"], user: { id: "cook", topics: none } },
    refuse("topic-kept", "staff"),
  ],
  [
    "not what ends with the token",
    baker,
    { joins: ["staff"], user: null },
    refuse("topic-kept", "staff"),
  ],
];

describe("a browser's own wish", () => {
  test.for(cases)("%s: %j, %j", ([, current, wish, expected]) => {
    const request = asBrowser({ joins: [], user: undefined, ...wish });
    expect(decide(request, current)).toEqual(expected);
  });
});

describe("everybody", () => {
  test("leaves any topic, once", () => {
    expect(decide(leaveTopic("staff"), baker)).toEqual(change("baker", [], [3]));
    expect(decide(leaveTopic("vip"), baker)).toEqual(change("baker", []));
    expect(decide(leaveTopic("tea"), baker)).toEqual(refuse("topic-unknown", "tea"));
  });
});
