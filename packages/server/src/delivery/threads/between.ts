/**
 * What passes between the thread that delivers and those that send, by structured clone. What there is one of for each push
 * goes as a list, since of an object the names of its fields are written and looked up each time.
 */
import type { ActiveProject } from "../../projects/project.ts";
import type { Message } from "../../store/port.ts";
import type { EndpointPolicy } from "../../webpush/endpoint.ts";
import type { Outcome } from "../../webpush/outcome.ts";
import type { Addressee } from "../push-sender.ts";

/** What a thread is started with. */
export type ThreadData = {
  policy: EndpointPolicy;
  /** Who answers for the pushes: `mailto:` or `https:` (RFC 8292, section 2.1). */
  subject: string;
  /** How long a thread that is to end lets pushes end by themselves, in milliseconds. */
  closeMs: number;
  /** The certificates that this process trusts, PEM: what it was told to trust later than its start, no thread knows. */
  trusted: readonly string[];
  project: Pick<ActiveProject, "keys" | "receiptSecret">;
};

export type ToThread =
  /** Pushes that came up together are sealed and sent together. Each message is there once. */
  | { kind: "send"; messages: Message[]; pushes: NumberedPush[] }
  /** Of these pushes, what has not begun never will; answered by `withdrawn` once that holds. */
  | { kind: "withdraw"; ids: Set<number> }
  /** To end what is under way within a few seconds, and then itself. */
  | { kind: "close" };

export type NumberedPush = readonly [
  /** Unique among those of its thread that are under way. */
  id: number,
  /** Its place among the messages. */
  message: number,
  endsAtMs: number,
  ...addressee: PackedAddressee,
];

export type PackedAddressee = readonly [
  endpoint: string,
  p256dh: string,
  auth: string,
  token: string,
  vapidKeyId: number,
  origin: string,
];

export function pack(addressee: Addressee): PackedAddressee {
  const { endpoint, p256dh, auth, token, vapidKeyId, origin } = addressee;
  return [endpoint, p256dh, auth, token, vapidKeyId, origin];
}

export function unpack(push: NumberedPush): Addressee {
  const [, , , endpoint, p256dh, auth, token, vapidKeyId, origin] = push;
  return { endpoint, p256dh, auth, token, vapidKeyId, origin };
}

export type FromThread =
  | { kind: "outcomes"; outcomes: NumberedOutcome[] }
  /** The oldest `withdraw` that was not answered has been done, and the outcomes of what never began were told. */
  | { kind: "withdrawn" };

export type NumberedOutcome = readonly [id: number, outcome: Outcome];
