import type { MessageRequest, MessageTarget, NotificationContent } from "@sineta/protocol";
import { limits } from "@sineta/protocol/limits";
import { isLink } from "@sineta/protocol/link";
import { countCharacters, textRules } from "@sineta/protocol/text";
import { flawOfText, tidyLine, tidyLines } from "../../../parts/tidy-text.ts";
import { momentField } from "./moment-field.ts";
import { expressionOf, topicsNamed } from "./rule.ts";
import type { Written } from "./written.ts";

/** What is wrong with a field, for the dictionary. */
export type Flaw =
  | "missing"
  | "too-long"
  | "cut-character"
  | "not-a-link"
  | "too-many-topics"
  | "not-a-time"
  | "in-past"
  | "too-far"
  | "not-a-ttl"
  | "not-a-key"
  | "no-browser"
  | "unknown-topic"
  | "not-a-condition"
  | "unknown-browser"
  | "too-large"
  | "wrong";
/** What the server can say more closely: which topic there is none of, from which character on (the first is 1) nothing is understood. */
export type CloseFlaw =
  | { flaw: "unknown-topic"; name: string }
  | { flaw: "not-a-condition"; position: number };
/** By the path of the field in the request, as the server names it: `notification.title`. */
export type Flaws = Readonly<Record<string, Flaw | CloseFlaw>>;

export type RequestParts = {
  /** Of the browser that the operator works in; null if it has none. */
  ownToken: string | null;
  nowMs: number;
};

/** The request that publishes what is written, with whatever is wrong in it. */
export function requestOf(
  written: Written,
  parts: RequestParts,
): { request: MessageRequest; flaws: Flaws } {
  const { notification, flaws: ofNotification } = notificationOf(written);
  const { target, flaws: ofTarget } = targetOf(written, parts.ownToken);
  const { schedule, flaws: ofSchedule } = scheduleOf(written, parts.nowMs);
  const { ttlSeconds, urgency, collapseKey, replaces, carried } = written;
  const flaws: Record<string, Flaws[string]> = { ...ofNotification, ...ofTarget, ...ofSchedule };
  if (!Number.isInteger(ttlSeconds) || ttlSeconds < 0 || ttlSeconds > limits.ttlSeconds) {
    flaws["ttlSeconds"] = "not-a-ttl";
  }
  if (collapseKey !== "" && !/^[\w-]{1,32}$/.test(collapseKey)) flaws["collapseKey"] = "not-a-key";
  return {
    request: {
      target,
      notification,
      ...(carried.data === null ? {} : { data: carried.data }),
      ttlSeconds,
      urgency,
      ...(collapseKey === "" ? {} : { collapseKey }),
      ...schedule,
      ...(replaces === "" ? {} : { replaces }),
    },
    flaws,
  };
}

/** The target alone, for the estimate: it may be known long before there is a title. */
export function targetOf(
  written: Written,
  ownToken: string | null,
): { target: MessageTarget; flaws: Flaws } {
  switch (written.audience) {
    case "all":
      return { target: { kind: "all" }, flaws: {} };
    case "topics": {
      const [first, ...more] = written.topics;
      if (first === undefined) {
        return { target: { kind: "topic", topic: "" }, flaws: { "target.topic": "missing" } };
      }
      if (more.length === 0) return { target: { kind: "topic", topic: first }, flaws: {} };
      return ofCondition(
        expressionOf({ every: true, lines: [{ isIn: true, topics: written.topics }] }),
        written.topics.length,
      );
    }
    case "rule":
      return ofCondition(expressionOf(written.rule), topicsNamed(written.rule));
    case "expression":
      return ofCondition(written.expression.trim(), 0);
    case "user": {
      const userId = written.userId.trim();
      const flaw = userId === "" ? "missing" : tooLong(userId, limits.userIdCharacters);
      const flaws: Flaws = flaw === null ? {} : { "target.userId": flaw };
      return { target: { kind: "user", userId }, flaws };
    }
    case "browser": {
      const token = written.token || ownToken;
      if (token !== null) return { target: { kind: "token", token }, flaws: {} };
      return { target: { kind: "token", token: "" }, flaws: { "target.token": "no-browser" } };
    }
    case "tokens":
      return { target: { kind: "tokens", tokens: written.tokens }, flaws: {} };
    default:
      return written.audience satisfies never;
  }
}

function ofCondition(condition: string, topics: number): { target: MessageTarget; flaws: Flaws } {
  const target = { kind: "condition", condition } as const;
  if (condition === "") return { target, flaws: { "target.condition": "missing" } };
  if (topics > limits.conditionTopics) {
    return { target, flaws: { "target.condition": "too-many-topics" } };
  }
  const flaw = tooLong(condition, limits.conditionCharacters);
  return { target, flaws: flaw === null ? {} : { "target.condition": flaw } };
}

function notificationOf(written: Written): { notification: NotificationContent; flaws: Flaws } {
  const flaws: Record<string, Flaw> = {};
  const title = tidyLine(written.title);
  const body = tidyLines(written.body);
  const flawed = [
    ["title", flawOfText(title, textRules.title)],
    ["body", flawOfText(body, textRules.body)],
    ["tag", tooLong(written.tag, limits.tagCharacters)],
  ] as const;
  for (const [name, flaw] of flawed) if (flaw !== null) flaws[path(name)] = flaw;
  const links: Partial<NotificationContent> = {};
  for (const name of ["link", "icon", "image", "badge"] as const) {
    const value = written[name].trim();
    if (value === "") continue;
    links[name] = value;
    const flaw = linkFlaw(value);
    if (flaw !== null) flaws[path(name)] = flaw;
  }
  const actions = written.actions.map((each, index) => {
    const at = path(`actions.${index}`);
    const [actionTitle, link] = [tidyLine(each.title), each.link.trim()];
    const titleFlaw = flawOfText(actionTitle, textRules.actionTitle);
    if (titleFlaw !== null) flaws[`${at}.title`] = titleFlaw;
    const flaw = link === "" ? null : linkFlaw(link);
    if (flaw !== null) flaws[`${at}.link`] = flaw;
    return { action: each.action, title: actionTitle, ...(link === "" ? {} : { link }) };
  });
  const { tag, renotify, silent, requireInteraction, carried } = written;
  return {
    notification: {
      ...carried.notification,
      title,
      ...(body === "" ? {} : { body }),
      ...links,
      ...(tag === "" ? {} : { tag }),
      ...(renotify ? { renotify } : {}),
      ...(silent ? { silent } : {}),
      ...(requireInteraction ? { requireInteraction } : {}),
      ...(actions.length === 0 ? {} : { actions }),
    },
    flaws,
  };
}

function scheduleOf(
  { when, at, carried }: Written,
  nowMs: number,
): { schedule: Pick<MessageRequest, "scheduleAt" | "scheduleAtLocal">; flaws: Flaws } {
  if (when === "now") return { schedule: {}, flaws: {} };
  const field = when === "at" ? "scheduleAt" : "scheduleAtLocal";
  const isUnchanged = when === "at" && momentField(Date.parse(carried.scheduleAt)) === at;
  // Without a zone it is read in the operator's own (ECMAScript, "Date Time String Format").
  const moment = new Date(isUnchanged ? carried.scheduleAt : at);
  if (at === "") return { schedule: {}, flaws: { [field]: "missing" } };
  if (Number.isNaN(moment.getTime())) return { schedule: {}, flaws: { [field]: "not-a-time" } };
  const schedule = when === "at" ? { scheduleAt: moment.toISOString() } : { scheduleAtLocal: at };
  const aheadMs = moment.getTime() - nowMs;
  // Where it is read elsewhere the server decides, who knows all zones.
  if (when === "at" && aheadMs < 0) return { schedule, flaws: { [field]: "in-past" } };
  if (aheadMs > limits.scheduleAheadSeconds * 1000) {
    return { schedule, flaws: { [field]: "too-far" } };
  }
  return { schedule, flaws: {} };
}

/** Of a field of the notification. */
const path = (name: string) => `notification.${name}`;

function tooLong(value: string, most: number): Flaw | null {
  return countCharacters(value) > most ? "too-long" : null;
}

function linkFlaw(value: string): Flaw | null {
  const flaw = tooLong(value, limits.linkCharacters);
  return flaw ?? (isLink(value) ? null : "not-a-link");
}
