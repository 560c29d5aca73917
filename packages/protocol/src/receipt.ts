import { z } from "zod";
import { tokenSchema } from "./registration.ts";

/** What a browser's worker reports of a notification. */
export const receiptEventSchema = z.enum(["displayed", "clicked", "closed"]);
export type ReceiptEvent = z.infer<typeof receiptEventSchema>;

/** Body of `POST /v1/projects/{project}/receipts`. */
export const receiptSchema = z
  .object({
    messageId: z.uuid(),
    /** The registration that the message was sent to. */
    token: tokenSchema,
    /** As it came in the push: proof that this message was sent to this registration. 16 bytes, base64url. */
    key: z.string().regex(/^[A-Za-z0-9_-]{22}$/, "22 characters of base64url"),
    event: receiptEventSchema,
    /** The action that was clicked; absent for a click on the notification itself. */
    action: z.string().min(1).max(64).optional(),
  })
  .meta({ id: "Receipt" });
export type Receipt = z.infer<typeof receiptSchema>;
