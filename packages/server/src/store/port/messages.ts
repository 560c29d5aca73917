import type {
  JsonValue,
  MessageState,
  MessageTarget,
  NotificationContent,
  Urgency,
} from "@sineta/protocol";
import type { Actor, AuditEntry } from "./audit.ts";
import type { Breaker } from "./breakers.ts";
import type { ReceiptCounts } from "./receipts.ts";

/** Registrations by what has become of the message: every one in exactly one of these. */
export type OutcomeCounts = {
  accepted: number;
  gone: number;
  /** To be tried again. */
  retry: number;
  rejected: number;
  failed: number;
};

export type NewMessage = {
  /** UUID, version 7: sorts by the time it was made. */
  id: string;
  projectId: number;
  target: MessageTarget;
  notification: NotificationContent;
  data: Record<string, JsonValue> | null;
  /** How long it is worth delivering, from its due time on. */
  ttlSeconds: number;
  urgency: Urgency;
  collapseKey: string | null;
  /** When sending begins. */
  scheduledAtMs: number;
  /** `YYYY-MM-DDTHH:MM[:SS]`: at this time of day where each reader is. Null: for everybody at `scheduledAtMs`. */
  localTime: string | null;
  /** Id of the scheduled message that this one replaces. */
  replaces: string | null;
};

/**
 * How a publication is told apart from its repetition: by a key, which is its publisher's own, or by the draft that it
 * comes from, which is the project's.
 */
export type Idempotency = ({ key: string } | { draftId: string }) & {
  /** SHA-256 of what was asked for. */
  requestHash: Uint8Array;
};

export type Message = NewMessage & {
  state: MessageState;
  /** Whether browsers are asked to report what becomes of it: the project's setting when it was published. */
  withReceipts: boolean;
  createdAtMs: number;
  startedAtMs: number | null;
  endedAtMs: number | null;
  /** Highest registration id of the audience; null before sending starts. */
  watermark: number | null;
  /** Registration id up to which batches have been planned. */
  plannedTo: number;
  /** Registrations that batches have been planned for. */
  plannedCount: number;
  counts: OutcomeCounts;
  receipts: ReceiptCounts;
};

/** Who did something that is kept as theirs. */
export type Doer<Kind extends "api-key" | "operator" | "command-line"> = {
  kind: Kind;
  /** A key without a name is called by its prefix. Null: the command line, or somebody who is gone. */
  name: string | null;
};

/** A message as those who ask for it see it; the delivery has no use for who published it. */
export type PublishedMessage = Message & {
  /** Null: it is from before that was kept. */
  publisher: Doer<"api-key" | "operator" | "command-line"> | null;
  /** Id of the message that has replaced this one. */
  replacedBy: string | null;
};

export type PublishResult =
  | { kind: "published" }
  /** This key, or this draft, has published this message before. */
  | { kind: "repeated"; message: Message }
  /** It has published something else, the message with this id. */
  | { kind: "key-reused"; messageId: string }
  /** The project has published as many within the last hour as its quota allows. */
  | { kind: "quota-reached"; retryAfterMs: number }
  /** The API key that publishes it was revoked or has expired meanwhile. */
  | { kind: "key-ended" }
  /** The project has no scheduled message with the id in `replaces`. */
  | { kind: "not-replaced" };

/** What an idempotency key, or a draft, has published before. */
export type EarlierPublication = Extract<PublishResult, { kind: "repeated" | "key-reused" }>;

/** What has become of a message at one push service. */
export type ServiceProgress = {
  /** As of a destination. */
  pushService: string;
  /** Registrations that batches were planned for. */
  planned: number;
  counts: OutcomeCounts;
};

/** Registrations with one outcome for one reason. */
export type ReasonCount = {
  pushOrigin: string;
  kind: "retry" | "rejected" | "failed";
  reason: string;
  /** Of one of them. */
  detail: string;
  count: number;
};

/** What a message has to be to be listed: all that is given. */
export type MessageFilter = {
  /** The title or the body has each of its phrases, as `phrasesOf` (search-words.ts) cuts them. */
  search?: string;
  state?: MessageState;
  targetKind?: MessageTarget["kind"];
  /** When sending begins: from here on. */
  scheduledFromMs?: number;
  /** And before this. */
  scheduledBeforeMs?: number;
};

/** A registration that did not simply accept a message. */
export type MessageException = {
  registrationId: number;
  /** Null if the registration was removed. */
  token: string | null;
  pushOrigin: string;
  kind: Exclude<keyof OutcomeCounts, "accepted">;
  /** Of what is gone, `gone`. */
  reason: string;
  detail: string;
  /** How often it was sent, and answered. */
  attempts: number;
  /** When a retry is due; null of what has ended. */
  dueAtMs: number | null;
  changedAtMs: number;
};

export type ExceptionsOptions = {
  /** `nextAfterId` of the page before; 0 for the first. */
  afterId: number;
  limit: number;
  kind?: MessageException["kind"];
  reason?: string;
};

export type ExceptionPage = {
  exceptions: MessageException[];
  /** Null at the end. */
  nextAfterId: number | null;
};

/** What was counted within an hour. */
export type HourCounts = { accepted: number } & ReceiptCounts;
/** `hourMs`: when it began, at a full hour of UTC. */
export type HourOfMessage = HourCounts & { hourMs: number };

export type MessageStore = {
  /**
   * Writes it as scheduled. Only if the project's quota allows one more within the hour; with an idempotency key only
   * if its publisher has published nothing with it: the audit's actor, who is kept as such. An API key and its successors
   * are one publisher; it has to be good still. Of a draft: only if it was not published; then the draft is removed.
   *
   * With `replaces` it also cancels that message: scheduled -> cancelled, with `message.cancelled` in the audit. If that message is not
   * scheduled any more, the store writes nothing. If that message is doubtful (`HoldStore.begin`), the new one is
   * doubtful, too: another server may send the replaced message at the time that it had there.
   */
  publish(
    message: NewMessage,
    nowMs: number,
    idempotency?: Idempotency,
    audit?: AuditEntry,
  ): Promise<PublishResult>;
  /** What this publisher has published with this key before, without writing anything; null if that is nothing. */
  findPublished(
    projectId: number,
    idempotency: Idempotency,
    publisher: Actor | undefined,
  ): Promise<EarlierPublication | null>;
  /** @throws MessageUnreadable if its row holds what this version cannot read */
  find(projectId: number, id: string): Promise<PublishedMessage | null>;
  /**
   * The project's messages that pass the filter, newest first, those before `beforeId` if it is given. Unreadable ones
   * are left out.
   */
  list(
    projectId: number,
    limit: number,
    beforeId?: string,
    filter?: MessageFilter,
  ): Promise<PublishedMessage[]>;
  /**
   * scheduled, sending or paused -> cancelled: batches that nobody works on end, retries become `failed`. What is on
   * its way is still counted by its checkpoint. Very many retries fail in transactions that follow. Only if it has not
   * ended.
   */
  cancel(projectId: number, id: string, nowMs: number, audit?: AuditEntry): Promise<boolean>;
  progress(id: string): Promise<ServiceProgress[]>;
  /** What a count of its exceptions would find, but for those who are gone. Reads none of them. */
  reasons(id: string): Promise<ReasonCount[]>;
  /**
   * Who did not simply accept it, in the order of registration, page by page. Looks through all of the message's, but
   * never keeps others waiting for long. Registrations that retention has removed are not among them.
   */
  exceptions(id: string, options: ExceptionsOptions): Promise<ExceptionPage>;
  /** What became of it in each hour in which there was anything, the first one first. Reads no receipts. */
  hours(id: string): Promise<HourOfMessage[]>;
  /** Breakers that are open and hold a batch of the message. */
  heldBy(id: string): Promise<Breaker[]>;
  /** How many messages are in each state; states without one are left out. Reads an index of all messages. */
  countByState(): Promise<Partial<Record<MessageState, number>>>;
};

/** A row that this version of Sineta cannot read: the message goes to nobody, and holds up no other. */
export class MessageUnreadable extends Error {
  readonly messageId: string;

  constructor(messageId: string, cause: unknown) {
    super(`the message ${messageId} cannot be read`, { cause });
    this.name = "MessageUnreadable";
    this.messageId = messageId;
  }
}
