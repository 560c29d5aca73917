import { parseCondition, type HttpErrorCode } from "@sineta/protocol";
import type { MessageTarget, Store } from "../store/port.ts";
import type { MessageRefusal } from "./messages.ts";

/**
 * Why nothing can be sent to this target: a slip in it, as a rule. A user without a browser is none, because sites send
 * to all their users; nor are tokens of browsers that have left, while one of them is there.
 */
export async function targetRefusal(
  store: Pick<Store, "topics" | "registrations">,
  projectId: number,
  target: MessageTarget,
): Promise<MessageRefusal | null> {
  async function unknownTopics(path: string, names: readonly string[]) {
    const unknown: string[] = [];
    for (const name of names) {
      if ((await store.topics.find(projectId, name)) === null) unknown.push(name);
    }
    if (unknown.length === 0) return null;
    const sentences = unknown.map((name) => `there is no topic ${JSON.stringify(name)}`);
    return refuse("topic-unknown", path, sentences);
  }

  async function unreachable(path: string, tokens: readonly string[], sentence: string) {
    for (const token of tokens) {
      const registration = await store.registrations.find(projectId, token);
      if (registration !== null && registration.endReason === null) return null;
    }
    return refuse("token-not-found", path, [sentence]);
  }

  switch (target.kind) {
    case "all":
    case "user":
      return null;
    case "topic":
      return unknownTopics("target.topic", [target.topic]);
    case "condition": {
      const path = "target.condition";
      const parsed = parseCondition(target.condition);
      if (parsed.ok) return unknownTopics(path, parsed.topics);
      const sentence = `position ${parsed.position}: expected ${parsed.expected}`;
      return refuse("condition-invalid", path, [sentence]);
    }
    case "token":
      return unreachable("target.token", [target.token], "no registration that can be reached");
    case "tokens":
      return unreachable(
        "target.tokens",
        target.tokens,
        "none is that of a registration that can be reached",
      );
    default:
      return target satisfies never;
  }
}

function refuse(code: HttpErrorCode, path: string, sentences: readonly string[]): MessageRefusal {
  return { kind: "refused", code, fields: sentences.map((message) => ({ path, message })) };
}
