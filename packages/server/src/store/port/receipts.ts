import type { ReceiptEvent } from "@sineta/protocol";

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
   * @returns false, with nothing written, if message or registration are not of the project, or if the message's receipts
   *   were removed (`RetentionStore.removeReceipts`): one that comes again could not be told from a new one
   */
  add(receipt: NewReceipt, nowMs: number): Promise<boolean>;
  /** How many registrations clicked each action of the message, by the action's id. Reads all its receipts. */
  clicksByAction(messageId: string): Promise<ReadonlyMap<string, number>>;
};
