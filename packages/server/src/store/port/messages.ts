import type {
  JsonValue,
  MessageState,
  MessageTarget,
  NotificationContent,
  Urgency,
} from "@sineta/protocol";
import type { AuditEntry } from "./audit.ts";
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
};

/** How a publication is told apart from its repetition. */
export type Idempotency = {
  key: string;
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

export type PublishResult =
  | { kind: "published" }
  /** This key has published this message before. */
  | { kind: "repeated"; message: Message }
  /** This key has published something else. */
  | { kind: "key-reused" }
  /** The project has published as many within the last hour as its quota allows. */
  | { kind: "quota-reached"; retryAfterMs: number };

/** What an idempotency key has published before. */
export type EarlierPublication = Extract<PublishResult, { kind: "repeated" | "key-reused" }>;

/** What has become of a message at one push origin. */
export type OriginProgress = {
  pushOrigin: string;
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

export type MessageStore = {
  /**
   * Writes it as scheduled. Only if the project's quota allows one more within the hour; with an idempotency key only
   * if the project has none of this key.
   */
  publish(
    message: NewMessage,
    nowMs: number,
    idempotency?: Idempotency,
    audit?: AuditEntry,
  ): Promise<PublishResult>;
  /** What this idempotency key has published before, without writing anything; null if that is nothing. */
  findPublished(projectId: number, idempotency: Idempotency): Promise<EarlierPublication | null>;
  /** @throws MessageUnreadable if its row holds what this version cannot read */
  find(projectId: number, id: string): Promise<Message | null>;
  /** The project's messages, newest first, those before `beforeId` if it is given. Unreadable ones are left out. */
  list(projectId: number, limit: number, beforeId?: string): Promise<Message[]>;
  /**
   * scheduled, sending or paused -> cancelled: batches that nobody works on end, retries become `failed`. What is on
   * its way is still counted by its checkpoint. Very many retries fail in transactions that follow. Only if it has not
   * ended.
   */
  cancel(projectId: number, id: string, nowMs: number, audit?: AuditEntry): Promise<boolean>;
  /** Adds up its batches. */
  progress(id: string): Promise<OriginProgress[]>;
  /** Reads all that was not simply accepted, of this message. */
  reasons(id: string): Promise<ReasonCount[]>;
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
