import type { Receipt } from "@sineta/protocol";
import { listLatestConfirmed } from "../storage/identities.ts";

/** What is reported of a notification; written out, so that the published types stand alone. */
export type ReceiptEvent = "displayed" | "clicked" | "closed";

/** What of a push a receipt shows to prove that the message came to this browser. */
export type ReceiptSource = { messageId: string; receiptKey: string };

/**
 * Reports to the server that confirmed this browser last what became of a notification. Never rejects: a receipt
 * that cannot be sent is lost. Nothing without a source, which notifications of an earlier version lack.
 */
export async function report(
  event: ReceiptEvent,
  source: ReceiptSource | undefined,
  action?: string,
): Promise<void> {
  try {
    const [latest] = await listLatestConfirmed();
    if (!latest || !source?.receiptKey) return;
    const receipt: Receipt = {
      messageId: source.messageId,
      token: latest.confirmed.token,
      key: source.receiptKey,
      event,
      action,
    };
    // The address lies beside the registrations; `keepalive` lets the request outlive the worker.
    await fetch(new URL("receipts", latest.registrationsUrl), {
      method: "POST",
      body: JSON.stringify(receipt),
      headers: { "Content-Type": "application/json" },
      credentials: "omit",
      keepalive: true,
    });
  } catch {
    // Lost.
  }
}
