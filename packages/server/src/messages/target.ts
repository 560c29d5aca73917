import { userIdSchema } from "@sineta/protocol";
import type { MessageTarget } from "../store/port.ts";

/** The target in a line: as `--to` takes it, the condition as `--condition` does. */
export function targetText(target: MessageTarget): string {
  switch (target.kind) {
    case "all":
      return "all";
    case "topic":
      return `topic:${target.topic}`;
    case "user":
      return `user:${target.userId}`;
    case "token":
      return target.token;
    case "condition":
      return target.condition;
    case "tokens":
      return target.tokens.length === 1 ? "1 token" : `${target.tokens.length} tokens`;
    default:
      return target satisfies never;
  }
}

/**
 * Whom `--to` names: `all`, `topic:NAME`, `user:ID`, or else the token of one browser. A token is base64url and has
 * no colon, so none can be taken for a topic or a user. Null for a user id that no user can have, such as the empty
 * one of a variable that is not set.
 */
export function parseTarget(to: string): MessageTarget | null {
  if (to === "all") return { kind: "all" };
  // What stands behind the first colon is the site's own: it may hold colons and spaces.
  const [, kind, rest = ""] = /^(topic|user):(.*)$/s.exec(to) ?? [];
  if (kind === "topic") return { kind, topic: rest };
  if (kind === "user") {
    return userIdSchema.safeParse(rest).success ? { kind, userId: rest } : null;
  }
  return { kind: "token", token: to };
}
