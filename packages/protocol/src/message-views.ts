import { z } from "zod";
import { messageStateSchema, momentSchema } from "./message.ts";
import { pushServiceSchema } from "./push-service.ts";

/** Filter of `GET /v1/projects/{project}/messages` and of its export: a message has to be all that is given. */
export const messageFilterSchema = z.object({
  search: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "Each of its words begins a word of the title or the body. Words in Chinese, Japanese, Korean, Thai and some other " +
        "scripts are found anywhere in it. Case, accents and the width of characters do not count. Signs and pictures are no " +
        "words: a search for them alone finds nothing.",
    ),
  state: messageStateSchema.optional().describe("How far the messages are."),
  target: z
    .enum(["all", "topic", "condition", "user", "token", "tokens"])
    .optional()
    .describe("Kind of the target."),
  from: momentSchema.optional().describe("When sending begins: from here on."),
  to: momentSchema.optional().describe("And before this."),
});
export type MessageFilterQuery = z.infer<typeof messageFilterSchema>;

export const exceptionOutcomeSchema = z.enum(["retry", "gone", "rejected", "failed"]);
export type ExceptionOutcome = z.infer<typeof exceptionOutcomeSchema>;

/** Answer of `GET /v1/projects/{project}/messages/{id}/exceptions`. */
export const messageExceptionsSchema = z
  .object({
    exceptions: z
      .array(
        z.object({
          token: z
            .string()
            .optional()
            .describe("Token of the registration; absent once that was removed."),
          pushService: pushServiceSchema,
          outcome: exceptionOutcomeSchema.describe("What became of the push."),
          reason: z.string().describe("Of what is gone, `gone`."),
          detail: z
            .string()
            .describe("What the push service said, or what came instead of an answer."),
          attempts: z.int().describe("How often the push was tried."),
          changedAt: momentSchema.describe("When the outcome was last changed."),
          retryAt: momentSchema.optional().describe("When it is tried again; only of `retry`."),
        }),
      )
      .describe(
        "Registrations that did not simply accept the message, in the order in which they were registered.",
      ),
    next: z
      .int()
      .optional()
      .describe("Hand it back as `after` for the ones behind these; absent at the end."),
  })
  .meta({ id: "MessageExceptions" });
export type MessageExceptions = z.infer<typeof messageExceptionsSchema>;

/** Answer of `GET /v1/projects/{project}/messages/{id}/receipts-over-time`. */
export const receiptsOverTimeSchema = z
  .object({
    hours: z
      .array(
        z.object({
          at: momentSchema.describe("When the hour began, at a full hour of UTC."),
          accepted: z.int().describe("Accepted by push services."),
          displayed: z.int().describe("Shown by browsers."),
          clicked: z.int().describe("Clicked in browsers."),
          closed: z.int().describe("Dismissed in browsers."),
        }),
      )
      .describe(
        "Hours in which anything was counted, the first one first. Each figure stands for itself.",
      ),
  })
  .meta({ id: "ReceiptsOverTime" });
export type ReceiptsOverTime = z.infer<typeof receiptsOverTimeSchema>;
