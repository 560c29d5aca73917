import { createConnections, type ConnectionsOptions } from "./connections.ts";
import type { EndpointPolicy, PushTarget } from "./endpoint.ts";
import type { Exchange } from "./line.ts";
import { outcomeOf, printable, type Outcome } from "./outcome.ts";
import { buildPushRequest, type Push } from "./request.ts";
import type { SealRandom } from "./seal.ts";
import { createVapidTokens } from "./vapid.ts";
import { withoutRequest } from "./without-request.ts";

export type Sender = {
  /** Sends one push and tells what became of it. Never rejects, whatever a push service does or was stored. */
  readonly send: (push: Push) => Promise<Outcome>;
  /**
   * Pushes with these ids that have not begun to be sent never will, and are told `withdrawn`; so are those that a push
   * service gives back unprocessed. What else is under way ends with its own outcome.
   */
  readonly withdraw: (ids: ReadonlySet<number>) => void;
  /** Lets what is under way end for a few seconds, then closes every connection; what waits is told `sender-closed`. Repeatable. */
  readonly close: () => Promise<void>;
};

export type SenderOptions = ConnectionsOptions & {
  readonly policy: EndpointPolicy;
  /** Who answers for the pushes: `mailto:` or `https:` (RFC 8292, section 2.1). */
  readonly subject: string;
  /** Epoch, milliseconds. */
  readonly now?: () => number;
  readonly random?: SealRandom;
};

/** The way out to the push services: seals, signs, and sends over connections that are kept. */
export function createSender({
  policy,
  subject,
  now = Date.now,
  random,
  ...connectionOptions
}: SenderOptions): Sender {
  const connections = createConnections(connectionOptions);
  const parts = {
    policy,
    tokens: createVapidTokens({ subject, now }),
    ...(random === undefined ? {} : { random }),
  };

  function outcomeOfExchange(result: Exchange, { service, path }: PushTarget): Outcome {
    if (result.kind === "answered") {
      return outcomeOf({ ...result, service }, now(), (text) => withoutRequest(text, path));
    }
    const { reason } = result;
    const detail = printable(result.detail);
    return reason === "address-not-allowed"
      ? { kind: "failed", reason, detail }
      : { kind: "retry", reason, notBefore: null, detail };
  }

  return {
    async send(push) {
      try {
        const request = buildPushRequest(push, parts);
        if ("kind" in request) return request;
        const { target, message } = request;
        return outcomeOfExchange(await connections.exchange(target, message, push.id), target);
      } catch (error) {
        return { kind: "failed", reason: "unexpected", detail: printable(String(error)) };
      }
    },
    withdraw: connections.withdraw,
    close: connections.close,
  };
}
