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
import type { NotificationContent, ReceiptEvent, TopicPolicy } from "@sineta/protocol";

export type Store = {
  projects: ProjectStore;
  registrations: RegistrationStore;
  topics: TopicStore;
  messages: MessageStore;
  receipts: ReceiptStore;
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

/** What a project's secret is for: keys of receipts, or tokens of the site's users. */
export type ProjectSecretPurpose = "receipts" | "users";

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
  /** The project's sealed secret for this purpose; null if it has none. */
  secret(projectId: number, purpose: ProjectSecretPurpose): Promise<Uint8Array | null>;
  /** Adds the sealed secret only if the project has none for this purpose. */
  addFirstSecret(
    projectId: number,
    purpose: ProjectSecretPurpose,
    sealedSecret: Uint8Array,
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
  | { kind: "refused"; code: "registration-refused" | MembershipRefusal };

/** What a registration belongs to: a user of the site, and topics. A new one belongs to nothing. */
export type Membership = { userId: string | null; topics: readonly Topic[] };

export type MembershipRefusal = "topic-unknown" | "topic-kept";

/** `joins` and `leaves` are ids of topics. */
export type MembershipDecision =
  | {
      kind: "change";
      userId: string | null;
      joins: readonly number[];
      leaves: readonly number[];
    }
  | { kind: "refuse"; code: MembershipRefusal };

/** Asks that a registration belong to something else. */
export type MembershipRequest = {
  /** Names of the topics that it is about. */
  topicNames: readonly string[];
  /** Chosen inside the transaction, so it must be pure and quick. */
  decide: (found: {
    current: Membership;
    /** Those of `topicNames` that the project has. */
    named: readonly Topic[];
  }) => MembershipDecision;
};

export type MembershipResult =
  | { kind: "changed" }
  | { kind: "refused"; code: MembershipRefusal }
  /** Its browser has left. */
  | { kind: "left" };

export type RegistrationStore = {
  /**
   * Looks up what exists, asks `decide`, does it. Two calls at once run one after the other.
   * @param membership what else is to change; a refusal of it refuses all. Without it user and topics stay
   */
  register(
    candidate: RegistrationCandidate,
    decide: DecideRegistration,
    nowMs: number,
    membership?: MembershipRequest,
  ): Promise<RegistrationResult>;
  /** Changes what the registration belongs to. Only if it has not left; one that is `gone` may come back. */
  changeMembership(
    id: number,
    membership: MembershipRequest,
    nowMs: number,
  ): Promise<MembershipResult>;
  /** The registration with this token, live or ended. */
  find(projectId: number, token: string): Promise<KnownRegistration | null>;
  /**
   * Ends the registration as `left`, also one that is `gone`; scrubs endpoint, keys and secret, and takes it from
   * its user and its topics. Only if it has not left before.
   */
  leave(id: number, nowMs: number): Promise<boolean>;
  countLive(projectId: number): Promise<number>;
  /** The longest origin that a live registration was made on; null without any. Reads them all. */
  longestOrigin(projectId: number): Promise<string | null>;
};

export type Topic = { id: number; name: string; policy: TopicPolicy };

export type TopicStore = {
  /** The project's topics by name, each with its live registrations. Reads all that are in one. */
  list(projectId: number): Promise<(Topic & { liveCount: number })[]>;
  find(projectId: number, name: string): Promise<Topic | null>;
  /** Only if the project has none of this name. */
  add(projectId: number, topic: Omit<Topic, "id">, nowMs: number): Promise<boolean>;
  /** Whoever is in it stays. Only if there is such a topic. */
  setPolicy(projectId: number, name: string, policy: TopicPolicy): Promise<boolean>;
  /** Takes registrations out of the topic, at most so many; tells how many. */
  empty(topicId: number, limit: number): Promise<number>;
  /** Removes the topic from all who are in it, and then itself. Only if there is such a topic. */
  remove(topicId: number): Promise<boolean>;
};

export type MessageTarget =
  | { kind: "all" }
  | { kind: "token"; token: string }
  /** Whoever is in the topic of this name when their turn comes. */
  | { kind: "topic"; topic: string }
  /** Whichever browsers the user has when their turn comes. */
  | { kind: "user"; userId: string };
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
  receipts: ReceiptCounts;
};

export type MessageStore = {
  publish(message: NewMessage, nowMs: number): Promise<void>;
  find(projectId: number, id: string): Promise<Message | null>;
  /** The project's latest messages, newest first. */
  list(projectId: number, limit: number): Promise<Message[]>;
};

/** How many registrations have reported each event. Nothing follows from it for what was accepted, nor back. */
export type ReceiptCounts = Record<ReceiptEvent, number>;

export type NewReceipt = {
  projectId: number;
  messageId: string;
  /** Of the registration that reports. */
  token: string;
  event: ReceiptEvent;
  /** Id of the action that was clicked. */
  action: string | null;
};

export type ReceiptStore = {
  /**
   * Keeps the receipt and counts it, once for each message, registration (live or ended) and event; a repetition
   * changes nothing.
   * @returns false, with nothing written, if message or registration are not of the project
   */
  add(receipt: NewReceipt, nowMs: number): Promise<boolean>;
  /** How many registrations clicked each action of the message, by the action's id. Reads all its receipts. */
  clicksByAction(messageId: string): Promise<ReadonlyMap<string, number>>;
};

/** A registration that can be sent to. */
export type Recipient = {
  registrationId: number;
  token: string;
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

/** A registration whose turn has come again. `recipient` is null if it is not in the audience any more. */
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
