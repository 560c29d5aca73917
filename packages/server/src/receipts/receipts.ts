import type { Receipt } from "@sineta/protocol";
import type { ActiveProject } from "../projects/project.ts";
import type { ReceiptStore } from "../store/port.ts";
import { receiptKeyMatches } from "./receipt-key.ts";

export type Receipts = {
  /**
   * Takes a browser's report of a notification. Once it has answered, the receipt is durable and counted, once for
   * each message, registration and event. The database is not asked before the key is right.
   * @returns false if the key is wrong, if message or registration are not of the project, or if the message ended so
   *   long ago that its receipts were removed
   */
  take(input: {
    project: Pick<ActiveProject, "id" | "receiptSecret">;
    receipt: Receipt;
  }): Promise<boolean>;
};

export function createReceipts({
  store,
  now,
}: {
  store: ReceiptStore;
  now: () => number;
}): Receipts {
  return {
    async take({ project, receipt }) {
      if (!receiptKeyMatches(project.receiptSecret, receipt)) return false;
      const { messageId, token, event } = receipt;
      const action = event === "clicked" ? (receipt.action ?? null) : null;
      return store.add({ projectId: project.id, messageId, token, event, action }, now());
    },
  };
}
