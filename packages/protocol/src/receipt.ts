import { z } from "zod";
import { tokenSchema } from "./registration.ts";

/** What a browser's worker reports of a notification. */
export const receiptEventSchema = z
  .enum(["displayed", "clicked", "closed"])
  .describe("What became of the notification.");
export type ReceiptEvent = z.infer<typeof receiptEventSchema>;

/** Body of `POST /v1/projects/{project}/receipts`. */
export const receiptSchema = z
  .object({
    messageId: z.uuid().describe("The message whose notification it is."),
    token: tokenSchema.describe("The registration that the message was sent to."),
    key: z
      .string()
      .regex(/^[A-Za-z0-9_-]{22}$/, "22 characters of base64url")
      .describe(
        "As it came in the push: proof that this message was sent to this registration. 16 bytes, base64url.",
      ),
    event: receiptEventSchema,
    action: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe("The action that was clicked; absent for a click on the notification itself."),
  })
  .meta({ id: "Receipt" });
export type Receipt = z.infer<typeof receiptSchema>;
