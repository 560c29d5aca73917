import { parseCondition, type HttpErrorCode } from "@sineta/protocol";
import type { MessageTarget, Store } from "../store/port.ts";
import type { MessageRefusal } from "./messages.ts";

/** That a message can go to its target. */
export type CheckedTarget = {
  kind: "checked";
  /** Of its tokens those that no browser has that can be reached, each once; empty for another target. */
  unknown: readonly string[];
};

/**
 * Whether anything can be sent to this target; if not, there is a slip in it, as a rule. A user without a browser is
 * none, because sites send to all their users; nor are tokens of browsers that have left, while one of them is there.
 */
export async function checkTarget(
  store: Pick<Store, "topics" | "registrations">,
  projectId: number,
  target: MessageTarget,
): Promise<CheckedTarget | MessageRefusal> {
  async function unknownTopics(
    path: string,
    names: readonly string[],
  ): Promise<CheckedTarget | MessageRefusal> {
    const unknown: string[] = [];
    for (const name of names) {
      if ((await store.topics.find(projectId, name)) === null) unknown.push(name);
    }
    if (unknown.length === 0) return checked;
    const fields = unknown.map((name) => ({
      path,
      message: `there is no topic ${JSON.stringify(name)}`,
      name,
    }));
    return { kind: "refused", code: "topic-unknown", fields };
  }

  const unreachable = (tokens: readonly string[]) =>
    store.registrations.unreachable(projectId, tokens);

  switch (target.kind) {
    case "all":
    case "user":
      return checked;
    case "topic":
      return unknownTopics("target.topic", [target.topic]);
    case "condition": {
      const path = "target.condition";
      const parsed = parseCondition(target.condition);
      if (parsed.ok) return unknownTopics(path, parsed.topics);
      const { position } = parsed;
      const message = `position ${position}: expected ${parsed.expected}`;
      return { kind: "refused", code: "condition-invalid", fields: [{ path, message, position }] };
    }
    case "token":
      return (await unreachable([target.token])).length === 0
        ? checked
        : unknownToken(store, projectId, target.token);
    case "tokens": {
      const unknown = await unreachable(target.tokens);
      if (unknown.length < new Set(target.tokens).size) return { ...checked, unknown };
      const sentence = "none is that of a registration that can be reached";
      return refuse("token-not-found", "target.tokens", [sentence]);
    }
    default:
      return target satisfies never;
  }
}

const checked: CheckedTarget = { kind: "checked", unknown: [] };

/** Whoever gives a topic's name as a token is told so. */
async function unknownToken(
  { topics }: Pick<Store, "topics">,
  projectId: number,
  token: string,
): Promise<MessageRefusal> {
  const isTopic = (await topics.find(projectId, token)) !== null;
  const hint = isTopic ? `; there is a topic ${JSON.stringify(token)}: its kind is "topic"` : "";
  const sentence = `no registration that can be reached${hint}`;
  return {
    ...refuse("token-not-found", "target.token", [sentence]),
    ...(isTopic ? { isTopic } : {}),
  };
}

function refuse(code: HttpErrorCode, path: string, sentences: readonly string[]): MessageRefusal {
  return { kind: "refused", code, fields: sentences.map((message) => ({ path, message })) };
}
