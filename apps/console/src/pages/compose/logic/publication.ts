import type { MessageRequest, Published } from "@sineta/protocol";
import type { Answer } from "../../../api/ask.ts";

/** One request, and the Idempotency-Key that it was sent with. */
export type Attempt = { body: string; key: string };

export type PublicationParts = {
  publish: (request: MessageRequest, idempotencyKey: string) => Promise<Answer<Published>>;
  newKey: () => string;
  /** The attempt that was made last, also before this page was loaded anew; null if there was none. */
  last: () => Attempt | null;
  keep: (attempt: Attempt) => void;
};

/**
 * Publishes a message once, however often it is asked for: by a double click, or again because an answer was lost. The
 * same request has the same Idempotency-Key; a changed one has another.
 */
export function createPublication({ publish, newKey, last, keep }: PublicationParts) {
  let underway: { body: string; answer: Promise<Answer<Published>> } | null = null;

  return (request: MessageRequest): Promise<Answer<Published>> => {
    const body = JSON.stringify(request);
    if (underway?.body === body) return underway.answer;
    const before = last();
    const attempt = before?.body === body ? before : { body, key: newKey() };
    keep(attempt);
    const answer = publish(request, attempt.key).finally(() => {
      underway = null;
    });
    underway = { body, answer };
    return answer;
  };
}
