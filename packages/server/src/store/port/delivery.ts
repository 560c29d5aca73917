import type { Message, OutcomeCounts } from "./messages.ts";

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
  /** Since when pushes to it are refused for what may be its own fault; null if none is. */
  refusedAtMs: number | null;
};

/** A stable code, and more for people. */
export type Explanation = { reason: string; detail: string };

/** What came of sending to one registration. */
export type Delivered = {
  registrationId: number;
  generation: number;
  /** Where it was sent to. */
  pushOrigin: string;
  /** Kept with the registration: whether it was refused for what may be its own fault. Nothing changes without it. */
  refused?: boolean;
} & (
  | { kind: "accepted" }
  | { kind: "gone" }
  /**
   * `counted`: whether it was an attempt, which makes the next pause longer. `setAtMs`: when its time was set, in case
   * the clock is put back before it is written.
   */
  | ({ kind: "retry"; dueAtMs: number; setAtMs?: number; counted: boolean } & Explanation)
  | ({ kind: "rejected" | "failed" } & Explanation)
);

/** A registration whose turn has come again. `recipient` is null if it is not in the audience any more. */
export type DueRetry = {
  registrationId: number;
  /** Where it was sent to last, or is to be sent. */
  pushOrigin: string;
  /** Attempts made so far. */
  attempts: number;
  /** When the first of them ended; null if none was made. */
  firstTriedAtMs: number | null;
  /** When it was written: when its latest attempt ended. */
  changedAtMs: number;
  recipient: Recipient | null;
};

/** One host of a push service, and the key that pushes to it are signed with: what a breaker is for. */
export type PushOriginKey = {
  /** Scheme, host and port. */
  pushOrigin: string;
  vapidKeyId: number;
};

/** What batches belong to and take turns by. */
export type Destination = {
  /** The vendor, or the push origin itself where the operator allowed a host (`pushServiceNameOf`). */
  pushService: string;
  vapidKeyId: number;
  /**
   * `shared`: the push origins that have accepted something. `unproven`: those that never have. Or one proven push
   * origin whose batches were split off, because a breaker holds it or it is slow.
   */
  lane: string;
};

/** A range of registrations of one destination, for one message, leased to the server that works on it. */
export type Batch = Destination & {
  id: number;
  messageId: string;
  projectId: number;
  /** Its only push origins; null: all of the push service but those in `exceptOrigins`. */
  onlyOrigins: readonly string[] | null;
  /** Push origins that were split off: other batches cover them. */
  exceptOrigins: readonly string[];
  /** One more with each lease. Writes of an earlier lease change nothing. */
  epoch: number;
  /** Registration id up to which it has been walked. */
  cursor: number;
  /** Last registration id of the range. */
  lastId: number;
  /** When its readers' turn is; the message's TTL counts from here. */
  dueAtMs: number;
};

export type Lease = { owner: string; untilMs: number };

/** The lease that a batch is held by. */
export type HeldLease = { id: number; epoch: number; owner: string };

/** What of a batch goes on as a batch of its own. */
export type Split = {
  pushOrigins: readonly string[];
  /** Registration id up to which these push origins have been walked. */
  cursor: number;
  /** Leased at once to the owner of the page, until then; null: it is free. */
  leaseUntilMs: number | null;
  /** With a lease: registrations of the page that its owner goes on to send to. */
  underWay?: readonly number[];
};

/** How a page of a batch ended. */
export type Checkpoint = {
  batch: Pick<Batch, "id" | "epoch" | "cursor" | "lastId">;
  owner: string;
  /** Where the cursor stands from now on. */
  to: number;
  /** What came of the registrations between the batch's cursor and `to`. */
  walked: Delivered[];
  /** What came of its retries, each with the attempts that stood there when it was read. */
  retried: { attempts: number; delivered: Delivered }[];
  /** Push origins of the batch that go on as batches of their own; their retries go along. */
  splits?: readonly Split[];
};

/** What the checkpoint wrote, which may differ from what it was given: who is gone may have come back. */
export type Checkpointed = {
  /** By outcome, of first attempts and of retries alike. */
  counts: OutcomeCounts;
  /** Whether the batch has ended. */
  done: boolean;
  /** The batches that the splits became, in their order; null for one that nothing was left of. */
  splits: (Batch | null)[];
};

/**
 * A message's way through delivery (docs/states.md): planned into batches by a walk over registration ids, which are
 * leased, sent page by page, and end when they are walked and no retry is left.
 */
export type DeliveryStore = {
  /**
   * The message to start or to plan further: scheduled and its time has come, or being sent with registrations that no
   * batch covers yet. Of several, those planned least recently first.
   * @throws MessageUnreadable
   */
  nextToPlan(nowMs: number): Promise<Message | null>;
  /** scheduled -> sending, with the watermark: whoever registers later is not in the audience. */
  startSending(messageId: string, nowMs: number): Promise<boolean>;
  /**
   * Plans the next part of a message: looks at the next `keys` registrations (of its topic, or of the project), makes
   * a batch for each destination among them that are in the audience (and, for a local time, each due time) and moves `plannedTo`. Only if
   * the message is being sent and `plannedTo` stands where the message says.
   * @param dueAt when a message with a local time is due in a time zone; null stands for an unknown one
   */
  planPart(
    message: Message,
    options: { keys: number; dueAt: (timeZone: string | null) => number },
    nowMs: number,
  ): Promise<boolean>;

  /** Frees batches whose lease has ended; not those of this owner, who may still be at work. */
  freeEndedLeases(owner: string, nowMs: number): Promise<void>;
  /** Destinations that have a batch which no breaker holds, which is free, and which has something to do. */
  readyDestinations(nowMs: number): Promise<Destination[]>;
  /** Ids of messages with a batch to lease at this destination, the one that was ready first comes first. */
  readyMessages(destination: Destination, nowMs: number): Promise<string[]>;
  /** Leases the first ready batch of this message at this destination. */
  lease(
    destination: Destination,
    messageId: string,
    lease: Lease,
    nowMs: number,
  ): Promise<Batch | null>;
  /** Held push origins whose probe is due and that have something to send: proven ones, then unproven ones, longest due first; of each so many. */
  dueProbes(nowMs: number, limit: number): Promise<(PushOriginKey & { proven: boolean })[]>;
  /** Leases the first ready batch that the breaker of this push origin holds. */
  leaseHeld(at: PushOriginKey, lease: Lease, nowMs: number): Promise<Batch | null>;
  /** Only if it is still leased under this epoch. */
  extendLease(lease: HeldLease, untilMs: number): Promise<boolean>;
  /** Gives the batch back as it was. Only if it is still leased under this epoch. */
  release(lease: HeldLease): Promise<boolean>;
  /** Ends every lease. For who knows that nobody else works: it holds the lock of the data folder. */
  releaseAll(): Promise<void>;
  /** Confirms that nothing more is begun of a cancelled batch under this lease. */
  confirmStopped(lease: HeldLease): Promise<boolean>;
  /** Whether a cancelled message has a batch under a running lease whose owner has not confirmed that it stopped. */
  isStopping(messageId: string, nowMs: number): Promise<boolean>;

  /**
   * Push origins of the batch that open breakers hold, and of an `unproven` batch those that have accepted something by
   * now, go on as batches of their own. Only under this lease.
   * @returns the batch as it is now; null if the lease was lost
   */
  splitOff(batch: Batch, owner: string): Promise<Batch | null>;
  /** Live registrations of the batch after its cursor, by ascending id. */
  batchPage(batch: Batch, message: Message, limit: number): Promise<Recipient[]>;
  /** Retries of this batch that are due, longest due first. */
  dueRetries(batch: Batch, message: Message, nowMs: number, limit: number): Promise<DueRetry[]>;
  /**
   * Writes a page: the cursor, the counts of batch and message, what was not simply accepted, the end of those who are
   * gone, who was refused for what may be their own fault, and gives the lease back; ends the batch if it is walked and no retry is left. All in one transaction, and
   * only if the batch is leased to the owner under this epoch and its cursor stands where `batch` says. A registration that is `gone` is ended only in
   * the generation it was sent to; one that moved to another destination meanwhile is owed the message there.
   * Of a batch that was cancelled meanwhile retries become `failed`.
   * @returns null if nothing was written
   */
  checkpoint(page: Checkpoint, nowMs: number): Promise<Checkpointed | null>;

  /** Ends batches whose time is over and that nobody works on; retries left become `failed`. Tells how many. */
  expireBatches(nowMs: number): Promise<number>;
  /** sending or paused -> done: messages that are planned to the end and have no open batch. Gives their ids. */
  finishMessages(nowMs: number): Promise<string[]>;
  /** sending -> paused: messages planned to the end whose open batches are all held by open breakers. Gives their ids. */
  pauseHeld(): Promise<string[]>;
  /** paused -> sending: messages with an open batch that no breaker holds. Gives their ids. */
  resumeFreed(): Promise<string[]>;
  /** Any state that has not ended -> cancelled, with its batches: for a message whose row cannot be read. */
  cancelUnreadable(messageId: string, nowMs: number): Promise<boolean>;

  /**
   * For a clock that was ahead and has been put back: what was put off under it, and what was begun at once, is due as
   * soon as it was meant, and not as late as the clock was wrong. Changes nothing else. Reads all retries.
   */
  clockPutBack(nowMs: number): Promise<void>;

  queue(nowMs: number): Promise<QueueFigures>;
  /** Registrations that wait for a breaker: not sent to yet, or to be tried again. Those not met by a walk yet are left out. */
  waitingAt(held: PushOriginKey): Promise<number>;
  /** When anything was accepted last, wherever that was; null if nothing ever was. */
  lastAcceptedAt(): Promise<number | null>;
  /** Whether a message gave up on this host, which has accepted nothing since. */
  hasGivenUp(pushOrigin: string): Promise<boolean>;
  giveUp(pushOrigin: string, nowMs: number): Promise<void>;
  /**
   * What waits to be tried again at push origins that have accepted nothing since its batch was due, by reason. Who
   * moved there or came back was not tried yet and is left out. Reads every open batch with retries.
   */
  notAccepting(): Promise<NotAccepting[]>;
};

/** Registrations that were tried in vain where nothing was accepted since. */
export type NotAccepting = PushOriginKey &
  Explanation & {
    registrations: number;
    /** Since when the first of them was due. */
    sinceMs: number;
  };

/** Why a registration waits or ended without a push that would say: reasons that the store and the delivery write themselves. */
export type StoreReason =
  | "expired"
  | "cancelled"
  | "not-in-audience"
  | "never-accepted"
  | "moved"
  | "renewed";

export type QueueFigures = {
  /** Batches that have not ended. */
  openBatches: number;
  /** Registrations to be tried again. */
  retries: number;
  /** Since when the batch that has been due longest is due, whoever works on it or holds it back; null if none is due. */
  oldestDueMs: number | null;
};
