import { z } from "zod";
import { messageStateSchema, momentSchema } from "./message.ts";
import { pushServiceSchema } from "./push-service.ts";

/** Filter of `GET /v1/projects/{project}/messages` and of its export: a message has to be all that is given. */
export const messageFilterSchema = z.object({
  /** Each of its words begins a word of title or body; case and accents do not count. */
  search: z.string().min(1).max(200).optional(),
  state: messageStateSchema.optional(),
  /** Kind of the target. */
  target: z.enum(["all", "topic", "condition", "user", "token", "tokens"]).optional(),
  /** When sending begins: from here on. */
  from: momentSchema.optional(),
  /** And before this. */
  to: momentSchema.optional(),
});
export type MessageFilterQuery = z.infer<typeof messageFilterSchema>;

/** What stands between the fields of an export: spreadsheets expect a semicolon where a comma stands before decimals. */
export const csvSeparatorSchema = z.enum(["comma", "semicolon"]);
export type CsvSeparator = z.infer<typeof csvSeparatorSchema>;

export const exceptionOutcomeSchema = z.enum(["retry", "gone", "rejected", "failed"]);
export type ExceptionOutcome = z.infer<typeof exceptionOutcomeSchema>;

/** Answer of `GET /v1/projects/{project}/messages/{id}/exceptions`. */
export const messageExceptionsSchema = z
  .object({
    /** Registrations that did not simply accept the message, in the order in which they were registered. */
    exceptions: z.array(
      z.object({
        token: z.string(),
        pushService: pushServiceSchema,
        outcome: exceptionOutcomeSchema,
        /** Of what is gone, `gone`. */
        reason: z.string(),
        /** What the push service said, or what came instead of an answer. */
        detail: z.string(),
        attempts: z.int(),
        changedAt: momentSchema,
        /** When it is tried again; only of `retry`. */
        retryAt: momentSchema.optional(),
      }),
    ),
    /** Hand it back as `after` for the ones behind these; absent at the end. */
    next: z.int().optional(),
  })
  .meta({ id: "MessageExceptions" });
export type MessageExceptions = z.infer<typeof messageExceptionsSchema>;

/** Answer of `GET /v1/projects/{project}/messages/{id}/receipts-over-time`. */
export const receiptsOverTimeSchema = z
  .object({
    /** Hours in which anything was counted, the first one first. Each figure stands for itself. */
    hours: z.array(
      z.object({
        /** When the hour began, at a full hour of UTC. */
        at: momentSchema,
        /** Accepted by push services. */
        accepted: z.int(),
        displayed: z.int(),
        clicked: z.int(),
        closed: z.int(),
      }),
    ),
  })
  .meta({ id: "ReceiptsOverTime" });
export type ReceiptsOverTime = z.infer<typeof receiptsOverTimeSchema>;
