/**
 * What is kept, and what every database behind it guarantees:
 *
 * - A call that has settled is durable: it survives the process being killed and the machine losing power.
 * - Each call is one transaction: all of it is there afterwards, or nothing of it.
 * - Guards hold against everyone, other processes included: where a call says "only if", the check and the
 *   change cannot be parted, and the answer says whether it changed anything.
 * - Times are milliseconds since 1970 and are always the caller's; the store reads no clock.
 *
 * Every implementation passes `storeContract` (contract.ts).
 */
import type { NotificationContent } from "@sineta/protocol";

export type Store = {
  projects: ProjectStore;
  registrations: RegistrationStore;
  messages: MessageStore;
  delivery: DeliveryStore;
  /** Rejects if nothing can be stored: the database does not answer, cannot be written, or is gone. */
  check(): Promise<void>;
  /** Closes the database. Repeatable. */
  close(): Promise<void>;
};

export type Project = { id: number; name: string };

export type SealedVapidKey = {
  id: number;
  /** Uncompressed P-256 point, base64url. */
  publicKey: string;
  sealedPrivateKey: Uint8Array;
};

export type ProjectStore = {
  /** The project of this name, made if it is not there. */
  ensure(name: string, nowMs: number): Promise<Project>;
  /** All keys of the project, newest first. The newest is the one to subscribe with. */
  vapidKeys(projectId: number): Promise<SealedVapidKey[]>;
  /** Adds the key only if the project has none. */
  addFirstVapidKey(
    projectId: number,
    key: Omit<SealedVapidKey, "id">,
    nowMs: number,
  ): Promise<boolean>;
};

/** Why a registration ended: the push service said so (404, 410), or its browser left. */
export type EndReason = "gone" | "left";

/** What the rules of registration need to know of a registration that exists. */
export type KnownRegistration = {
  id: number;
  token: string;
  generation: number;
  /** SHA-256; null once its browser has left. */
  clientSecretHash: Uint8Array | null;
  /** Null once it has ended. */
  subscription: { p256dh: string; auth: string; vapidKeyId: number } | null;
  endReason: EndReason | null;
};

/** A browser's subscription as it asks to be registered. */
export type RegistrationCandidate = {
  projectId: number;
  endpoint: string;
  /** SHA-256 of the endpoint: what "the same endpoint" means. */
  endpointHash: Uint8Array;
  p256dh: string;
  auth: string;
  vapidKeyId: number;
  /** Scheme, host and port of the push service. */
  pushOrigin: string;
  /** Origin of the page that asks. */
  origin: string;
  locale: string | null;
  timeZone: string | null;
  clientSecretHash: Uint8Array;
  /** Token of an earlier registration, if the browser has one. */
  earlierToken: string | null;
  /** Token to use if the registration turns out to be new. */
  newToken: string;
};

/** What to do with a candidate: `refresh` and `renew` name the registration by its id. */
export type RegistrationDecision =
  | { kind: "new" }
  | { kind: "refresh"; id: number }
  | { kind: "renew"; id: number }
  | { kind: "refuse" };

/** Chosen inside the transaction, so it must be pure and quick. */
export type DecideRegistration = (found: {
  /** The live registration with the candidate's endpoint. */
  byEndpoint: KnownRegistration | null;
  /** The registration, live or ended, with the candidate's earlier token. */
  byToken: KnownRegistration | null;
}) => RegistrationDecision;

export type RegistrationResult =
  | { kind: "new" | "refreshed" | "renewed"; token: string }
  | { kind: "refused" };

export type RegistrationStore = {
  /** Looks up what exists, asks `decide`, does it. Two calls at once run one after the other. */
  register(
    candidate: RegistrationCandidate,
    decide: DecideRegistration,
    nowMs: number,
  ): Promise<RegistrationResult>;
  /** The registration with this token, live or ended. */
  find(projectId: number, token: string): Promise<KnownRegistration | null>;
  /**
   * Ends the registration as `left`, also one that is `gone`; scrubs endpoint, keys and secret.
   * Only if it has not left before.
   */
  leave(id: number, nowMs: number): Promise<boolean>;
  countLive(projectId: number): Promise<number>;
  /** The longest origin that a live registration was made on; null without any. Reads them all. */
  longestOrigin(projectId: number): Promise<string | null>;
};

export type MessageTarget = { kind: "all" } | { kind: "token"; token: string };
export type MessageState = "scheduled" | "sending" | "paused" | "done" | "cancelled";
export type Urgency = "very-low" | "low" | "normal" | "high";

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
  /** How long a push service may keep it for a browser that is away, from `scheduledAtMs` on. */
  ttlSeconds: number;
  urgency: Urgency;
  scheduledAtMs: number;
};

export type Message = NewMessage & {
  state: MessageState;
  /** Highest registration id of the audience; null before sending starts. */
  watermark: number | null;
  /** Registration id up to which the audience has been walked. */
  cursor: number;
  counts: OutcomeCounts;
};

export type MessageStore = {
  publish(message: NewMessage, nowMs: number): Promise<void>;
  find(projectId: number, id: string): Promise<Message | null>;
};

/** A registration that can be sent to. */
export type Recipient = {
  registrationId: number;
  generation: number;
  endpoint: string;
  p256dh: string;
  auth: string;
  vapidKeyId: number;
  /** Scheme, host and port of the push service. */
  pushOrigin: string;
  /** Origin of the page that it was registered on. */
  origin: string;
};

/** A stable code, and more for people. */
export type Explanation = { reason: string; detail: string };

/** What came of sending to one registration. */
export type Delivered = { registrationId: number; generation: number } & (
  | { kind: "accepted" }
  | { kind: "gone" }
  /** `counted`: whether it was an attempt, which makes the next pause longer. */
  | ({ kind: "retry"; dueAtMs: number; counted: boolean } & Explanation)
  | ({ kind: "rejected" | "failed" } & Explanation)
);

/** A registration whose turn has come again. `recipient` is null if it has ended meanwhile. */
export type DueRetry = {
  registrationId: number;
  /** Attempts made so far. */
  attempts: number;
  recipient: Recipient | null;
};

export type DeliveryStore = {
  /**
   * The message to work on: scheduled and its time has come, or being sent with registrations left to walk, retries
   * due, or its TTL over. Null if there is nothing to do now.
   * @param worked messages that have had a turn, the one longest ago first. Whatever is not among them comes before
   *   them, the earliest scheduled first; then they come, in this order.
   */
  nextDue(nowMs: number, worked: readonly string[]): Promise<Message | null>;
  /** scheduled -> sending, with the watermark: whoever registers later is not in the audience. */
  startSending(messageId: string, nowMs: number): Promise<boolean>;
  /** Live registrations of the audience after `afterId`, by ascending id. */
  audiencePage(message: Message, afterId: number, limit: number): Promise<Recipient[]>;
  /**
   * Writes a page: the cursor, the counts, the exceptions, and the end of those who are gone. Only if the message
   * is being sent and its cursor stands at `from`. A registration that is `gone` is ended only in the generation
   * it was sent to.
   */
  checkpoint(
    page: { messageId: string; from: number; to: number; delivered: Delivered[] },
    nowMs: number,
  ): Promise<boolean>;
  /** Retries of this message that are due, longest due first. */
  dueRetries(message: Message, nowMs: number, limit: number): Promise<DueRetry[]>;
  /** Writes the outcome of retries, each only if its attempts still stand at the given count. Repeatable. */
  settleRetries(
    messageId: string,
    settled: { attempts: number; delivered: Delivered }[],
    nowMs: number,
  ): Promise<void>;
  /** sending -> done, only if the audience is walked and no retry is left. */
  finish(messageId: string, nowMs: number): Promise<boolean>;
  /** scheduled or sending -> done, for a message whose TTL is over: retries that are left become `failed`. */
  expire(messageId: string, nowMs: number): Promise<boolean>;
};
