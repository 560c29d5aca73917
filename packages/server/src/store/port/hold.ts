import type { MessageState } from "@sineta/protocol";
import type { Asker } from "./audit.ts";

/**
 * Why nothing is delivered. `restored`: the data comes from a back-up. `cloned`: the data folder is a copy. `asked`: an operator has
 * stopped the delivery.
 */
export type HoldReason = "restored" | "cloned" | "asked";

/** While it is there, the server delivers nothing. */
export type DeliveryHold = { reason: HoldReason; sinceMs: number };

/**
 * What a resume does to a message that has not ended. `cancel`: another server may have sent it, or the message that it replaces. `now`: it is
 * sent. `later`: it is not due yet, and is sent at its time. `expire`: its TTL is over, and nothing of it is sent.
 */
export type HeldMessageFate = "cancel" | "now" | "later" | "expire";

export type HeldMessage = {
  id: string;
  title: string;
  state: MessageState;
  createdAtMs: number;
  /** With a local time: when it is due in the first time zone. */
  dueAtMs: number;
  localTime: string | null;
  /** From when a resume sends nothing of it: its TTL is over, with a local time in the last time zone. */
  expiresAtMs: number;
  /** Registrations that wait in the batches planned so far; null before the first batch. */
  registrations: number | null;
  /** Whether another server may send it or have sent it, or the message that it replaces. */
  doubtful: boolean;
  fate: HeldMessageFate;
};

export type HeldMessages = {
  counts: Record<HeldMessageFate, number>;
  /** Of each fate the first `limit`, by due time. */
  messages: HeldMessage[];
};

export type ResumeOptions = {
  /** When the operator saw the list. A message that another server sends after it is not cancelled. */
  asOfMs: number;
  /** Cancels nothing. */
  sendDue: boolean;
  /** Ids of messages that are not cancelled. */
  send: readonly string[];
};

export type HoldStore = {
  /** Reads one row: the delivery asks in each of its steps. */
  find(): Promise<DeliveryHold | null>;
  /**
   * Begins a hold, with `delivery.held` in the audit. The messages that have not ended are doubtful, unless an operator asked: another
   * server may have sent them. A hold that is there stays, but `cloned` replaces any: the original may have taken in messages under it.
   * @returns the hold that is there now
   */
  begin(hold: DeliveryHold, asker: Asker): Promise<{ begun: boolean; hold: DeliveryHold }>;
  /**
   * Remembers when the database's file was made, and begins a hold `cloned` if that differs from the last call: the file is a copy.
   * A hold of the server that was copied becomes `cloned`. A back-up remembers no time, so a restored file is no copy.
   * @param bornNs nanoseconds since 1970
   * @returns the hold, if this call began it
   */
  settleHome(bornNs: string, nowMs: number): Promise<DeliveryHold | null>;
  /** What a resume with these options would do. @param projectId null: the messages of all projects */
  list(options: ResumeOptions & { projectId: number | null; limit: number }): Promise<HeldMessages>;
  /**
   * Cancels the doubtful messages that another server may have sent by `asOfMs`, each with `message.cancelled` in the audit. Then ends the hold, with
   * `delivery.resumed`. It works in portions: killed before its end it leaves the hold, and may be called again.
   * @returns how many messages it cancelled; null, if this hold is not there any more
   */
  resume(
    hold: DeliveryHold,
    options: ResumeOptions,
    asker: Asker,
    nowMs: number,
  ): Promise<{ cancelled: number } | null>;
};
