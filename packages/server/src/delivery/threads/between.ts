/**
 * What passes between the thread that delivers and those that send, by structured clone: that costs about a
 * microsecond for each push, of some two hundred that it takes.
 */
import type { ActiveProject } from "../../projects/project.ts";
import type { Message, Recipient } from "../../store/port.ts";
import type { EndpointPolicy } from "../../webpush/endpoint.ts";
import type { Outcome } from "../../webpush/outcome.ts";

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
  /** To end what is under way within a few seconds, and then itself. */
  | { kind: "close" };

export type NumberedPush = {
  /** Unique among those of its thread that are under way. */
  id: number;
  /** Its place among the messages. */
  message: number;
  recipient: Recipient;
  endsAtMs: number;
};

export type FromThread = { outcomes: NumberedOutcome[] };

export type NumberedOutcome = { id: number; outcome: Outcome };
