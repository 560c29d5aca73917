import type { DraftContent, MessageStatus, NotificationContent, Urgency } from "@sineta/protocol";
import { limits } from "@sineta/protocol/limits";
import { isMoment, momentField } from "./moment-field.ts";
import { emptyRule, ruleOf, type Rule, type RuleLine } from "./rule.ts";

export const audienceKinds = [
  "all",
  "topics",
  "rule",
  "expression",
  "user",
  "browser",
  "tokens",
] as const;
export type AudienceKind = (typeof audienceKinds)[number];
const whenKinds = ["now", "at", "local"] as const;
export type WhenKind = (typeof whenKinds)[number];
export const urgencies = [
  "very-low",
  "low",
  "normal",
  "high",
] as const satisfies readonly Urgency[];

/**
 * Two days, in seconds (docs/decisions/0047-validity.md).
 */
const usualTtlSeconds = 172_800;

export type WrittenAction = { action: string; title: string; link: string };

/**
 * What an operator writes, as it stands in the fields: whatever was typed, also what could not be published yet. It is
 * what a draft keeps. What belongs to a choice that is not made at the moment stays all the same.
 */
export type Written = {
  title: string;
  body: string;
  link: string;
  icon: string;
  image: string;
  badge: string;
  tag: string;
  renotify: boolean;
  silent: boolean;
  requireInteraction: boolean;
  actions: WrittenAction[];
  audience: AudienceKind;
  topics: string[];
  rule: Rule;
  expression: string;
  userId: string;
  /** Where `audience` is "browser" and it is another one than the operator's own: its token. */
  token: string;
  /** A program's list, which no field shows. */
  tokens: string[];
  when: WhenKind;
  /** `YYYY-MM-DDTHH:MM[:SS]`, as the field for it gives. */
  at: string;
  ttlSeconds: number;
  urgency: Urgency;
  collapseKey: string;
  /** Id of the scheduled message that this one replaces; empty if it replaces none. */
  replaces: string;
  /** What no field shows, of a message that this one was copied from. */
  carried: {
    data: DraftContent | null;
    /** Its moment, exactly: the field has no milliseconds, and at the end of summer time an hour stands in it twice. */
    scheduleAt: string;
    notification: Pick<NotificationContent, "lang" | "dir">;
  };
};

export const nothingWritten: Written = {
  title: "",
  body: "",
  link: "",
  icon: "",
  image: "",
  badge: "",
  tag: "",
  renotify: false,
  silent: false,
  requireInteraction: false,
  actions: [],
  audience: "all",
  topics: [],
  rule: emptyRule,
  expression: "",
  userId: "",
  token: "",
  tokens: [],
  when: "now",
  at: "",
  ttlSeconds: usualTtlSeconds,
  urgency: "normal",
  collapseKey: "",
  replaces: "",
  carried: { data: null, scheduleAt: "", notification: {} },
};

/** What a draft holds. Whatever another version wrote that this one cannot read is left out. */
export function readWritten(content: DraftContent): Written {
  const none = nothingWritten;
  return {
    title: text(content["title"]),
    body: text(content["body"]),
    link: text(content["link"]),
    icon: text(content["icon"]),
    image: text(content["image"]),
    badge: text(content["badge"]),
    tag: text(content["tag"]),
    renotify: content["renotify"] === true,
    silent: content["silent"] === true,
    requireInteraction: content["requireInteraction"] === true,
    actions: list(content["actions"])
      .slice(0, limits.actions)
      .map((each, index) => ({
        action: text(each["action"]) || `action-${index + 1}`,
        title: text(each["title"]),
        link: text(each["link"]),
      })),
    audience: oneOf(audienceKinds, content["audience"], none.audience),
    topics: texts(content["topics"]),
    rule: readRule(content["rule"]),
    expression: text(content["expression"]),
    userId: text(content["userId"]),
    token: text(content["token"]),
    tokens: texts(content["tokens"]).slice(0, limits.tokensPerRequest),
    when: oneOf(whenKinds, content["when"], none.when),
    at: isMoment(text(content["at"])) ? text(content["at"]) : "",
    ttlSeconds: typeof content["ttlSeconds"] === "number" ? content["ttlSeconds"] : none.ttlSeconds,
    urgency: oneOf(urgencies, content["urgency"], none.urgency),
    collapseKey: text(content["collapseKey"]),
    replaces: text(content["replaces"]),
    carried: readCarried(content["carried"]),
  };
}

/** As a draft keeps it. */
export function contentOf(written: Written): DraftContent {
  // JSON has no other values than those that are in it.
  return JSON.parse(JSON.stringify(written));
}

/** Like a message: to the same audience, and at the same time if that is to come; else at once. */
export function writtenLike(message: MessageStatus, nowMs: number): Written {
  const { notification, target } = message;
  const { lang, dir } = notification;
  return {
    ...nothingWritten,
    title: notification.title,
    body: notification.body ?? "",
    link: notification.link ?? "",
    icon: notification.icon ?? "",
    image: notification.image ?? "",
    badge: notification.badge ?? "",
    tag: notification.tag ?? "",
    renotify: notification.renotify ?? false,
    silent: notification.silent ?? false,
    requireInteraction: notification.requireInteraction ?? false,
    actions: (notification.actions ?? []).map(({ action, title, link = "" }) => ({
      action,
      title,
      link,
    })),
    ...audienceLike(target),
    ...timeLike(message, nowMs),
    ttlSeconds: message.ttlSeconds,
    urgency: message.urgency,
    collapseKey: message.collapseKey ?? "",
    carried: {
      data: message.data ?? null,
      scheduleAt: message.scheduleAt,
      notification: {
        ...(lang === undefined ? {} : { lang }),
        ...(dir === undefined ? {} : { dir }),
      },
    },
  };
}

/** A change of a scheduled message. It keeps the time. While delivery is held, that time may be over. */
export function changeOf(message: MessageStatus): Written {
  return { ...writtenLike(message, Number.NEGATIVE_INFINITY), replaces: message.id };
}

/** What changes when the picture at this address is there no more. */
export function withoutPicture(written: Written, address: string): Partial<Written> {
  const shown = (["icon", "image", "badge"] as const).filter((field) => written[field] === address);
  return Object.fromEntries(shown.map((field) => [field, ""]));
}

function audienceLike(target: MessageStatus["target"]): Partial<Written> {
  switch (target.kind) {
    case "all":
      return { audience: "all" };
    case "topic":
      return { audience: "topics", topics: [target.topic] };
    case "condition":
      return conditionLike(target.condition);
    case "user":
      return { audience: "user", userId: target.userId };
    case "token":
      return { audience: "browser", token: target.token };
    case "tokens":
      return { audience: "tokens", tokens: target.tokens };
    default:
      return target satisfies never;
  }
}

function timeLike(
  { scheduleAt, scheduleAtLocal, createdAt }: MessageStatus,
  nowMs: number,
): Pick<Written, "when" | "at"> {
  // By the server's clock, which may be ahead of this one.
  const isAtOnce = scheduleAtLocal === undefined && scheduleAt === createdAt;
  const at = scheduleAtLocal ?? momentField(Date.parse(scheduleAt));
  // Without a zone it is read in the operator's own, as the field's value is.
  const isToCome = !isAtOnce && new Date(at).getTime() > nowMs;
  if (!isToCome) return { when: "now", at: "" };
  return { when: scheduleAtLocal === undefined ? "at" : "local", at };
}

/** As it is clicked together, if it can be. */
function conditionLike(expression: string): Partial<Written> {
  const rule = ruleOf(expression);
  return rule === null ? { audience: "expression", expression } : { audience: "rule", rule };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function oneOf<Value extends string>(
  values: readonly Value[],
  value: unknown,
  otherwise: Value,
): Value {
  return values.find((each) => each === value) ?? otherwise;
}

function readRule(value: unknown): Rule {
  if (!isRecord(value)) return emptyRule;
  const lines = list(value["lines"]).map((line): RuleLine => ({
    isIn: line["isIn"] !== false,
    topics: texts(line["topics"]),
  }));
  return { every: value["every"] !== false, lines: lines.length === 0 ? emptyRule.lines : lines };
}

function readCarried(value: unknown): Written["carried"] {
  if (!isRecord(value)) return nothingWritten.carried;
  const { data, scheduleAt, notification } = value;
  const { lang, dir } = isRecord(notification) ? notification : {};
  return {
    data: isRecord(data) ? JSON.parse(JSON.stringify(data)) : null,
    scheduleAt: text(scheduleAt),
    notification: {
      ...(typeof lang === "string" ? { lang } : {}),
      ...(dir === "auto" || dir === "ltr" || dir === "rtl" ? { dir } : {}),
    },
  };
}
