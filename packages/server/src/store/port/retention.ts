/**
 * Removes what nothing needs any more, in portions: each call is one transaction, removes at most `limit` of what it is
 * about, and tells how many.
 */
export type RetentionStore = {
  /**
   * Registrations that ended before this time, with their receipts, their topics and what became of single messages at
   * them. The figures of messages stay. One that a message is still to be tried at stays until that is settled.
   */
  removeEnded(beforeMs: number, limit: number): Promise<number>;
  /** When the registration ended that `removeEnded` would remove first; null if there is none. */
  oldestEnded(beforeMs: number): Promise<number | null>;
  /** Receipts of messages that ended before this time. Their figures stay, and no receipt of theirs is taken any more. */
  removeReceipts(beforeMs: number, limit: number): Promise<number>;
  /** Batches of messages that have ended, once nobody works on them. What they counted is kept with the message. */
  removeBatches(limit: number): Promise<number>;
  /** Invitations, and questions put to passkeys, that have expired. */
  removeExpired(nowMs: number, limit: number): Promise<number>;
};
