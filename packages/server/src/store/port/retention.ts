/**
 * Removes what nothing needs any more, in portions: each call is one transaction, removes at most `limit` of what it is
 * about, and tells how many.
 */
export type RetentionStore = {
  /**
   * Registrations that ended before this time, with their receipts and topics. The figures of messages stay. What a message has met at them
   * stays with the message; what is still to be tried there fails in its turn.
   */
  removeEnded(beforeMs: number, limit: number): Promise<number>;
  /** When the registration ended that `removeEnded` would remove first; null if there is none. */
  oldestEnded(beforeMs: number): Promise<number | null>;
  /** Receipts of messages that ended before this time. Their figures stay, and no receipt of theirs is taken any more. */
  removeReceipts(beforeMs: number, limit: number): Promise<number>;
  /** What messages that ended before this time met at single registrations. Their figures stay; the reasons are not counted any more. */
  removeExceptions(beforeMs: number, limit: number): Promise<number>;
  /**
   * What is known of push origins that have never accepted anything, once no live registration is there: breakers, unless a message waits for
   * one, and hosts that were given up.
   */
  removeHosts(limit: number): Promise<number>;
  /** Endpoints that a push service called gone before this time. A browser that still shows one is registered under it again. */
  removeGoneEndpoints(beforeMs: number, limit: number): Promise<number>;
  /** Batches of messages that have ended, once nobody works on them. What they counted is kept with the message. */
  removeBatches(limit: number): Promise<number>;
  /** Invitations, and questions put to passkeys, that have expired. */
  removeExpired(nowMs: number, limit: number): Promise<number>;
};
