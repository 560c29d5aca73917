import { z } from "zod";
import { jsonObjectSchema } from "./json.ts";
import { limits } from "./limits.ts";
import { keptNotificationSchema, notificationSchema } from "./notification.ts";
import { pushServiceSchema } from "./push-service.ts";
import { briefTargetSchema, keptTargetSchema, targetSchema } from "./target.ts";

/** How soon a push service should wake a browser (RFC 8030, section 5.3). */
export const urgencySchema = z
  .enum(["very-low", "low", "normal", "high"])
  .describe("How soon a push service should wake a browser (RFC 8030, section 5.3).");
export type Urgency = z.infer<typeof urgencySchema>;

/** A moment: ISO 8601 with its zone, `2026-12-01T09:00:00Z` or `2026-12-01T09:00-03:00`. */
export const momentSchema = z
  .union(
    // Without the second, zod demands seconds.
    [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })],
    "a moment with its time zone, such as 2026-12-01T09:00-03:00",
  )
  .meta({ type: "string", format: "date-time" });
const withoutZone = "a date and time without time zone, such as 2026-12-01T09:00";
/** A date and time of day where the reader is: ISO 8601 without a zone, `2026-12-01T09:00` or `2026-12-01T09:00:30`. */
const localTimeSchema = z.iso
  .datetime({ local: true, error: withoutZone })
  .regex(/^[^Z.]+$/, withoutZone);

/** The project's own, beside the notification: what the page gets in `onMessage`. */
export const messageDataSchema = jsonObjectSchema(limits.dataDepth).refine(
  (data) => !("sineta" in data),
  "the name sineta is taken",
);

/** Body of `POST /v1/projects/{project}/messages`. */
export const messageRequestSchema = z
  .strictObject({
    target: targetSchema,
    notification: notificationSchema,
    data: messageDataSchema
      .optional()
      .describe(
        "The project's own, beside the notification: what the page gets in `onMessage`. At most 8 levels deep. The server refuses a number that JavaScript changes, such as 1234567890123456789: send it as a string.",
      ),
    ttlSeconds: z
      .int()
      .min(0)
      .max(limits.ttlSeconds)
      .optional()
      .describe(
        "How long it is worth delivering, from its time on; 0 is now or never. 28 days unless given.",
      ),
    urgency: urgencySchema
      .optional()
      .describe(
        "How soon a push service should wake a browser (RFC 8030, section 5.3). `normal` unless given.",
      ),
    collapseKey: z
      .string()
      .regex(/^[\w-]{1,32}$/, "1 to 32 of A-Z a-z 0-9 _ -")
      .optional()
      .describe(
        "A newer message with the same key replaces one that still waits at the push service (RFC 8030, section 5.4).",
      ),
    scheduleAt: momentSchema
      .optional()
      .describe("At once unless given. The server also reads it as `scheduledAt`."),
    scheduleAtLocal: localTimeSchema
      .optional()
      .describe("Instead of `scheduleAt`: at this time of day where each reader is."),
    replaces: z
      .uuid()
      .optional()
      .describe(
        "Id of a scheduled message. In one step the server cancels that message and publishes this one. It refuses if the sending of that message has begun. Give the time again: without one this message goes at once.",
      ),
    dryRun: z.boolean().optional().describe("Looks and counts; nothing is published."),
  })
  .refine(({ scheduleAt, scheduleAtLocal }) => !scheduleAt || !scheduleAtLocal, {
    path: ["scheduleAtLocal"],
    error: "either scheduleAt or scheduleAtLocal",
  })
  .meta({
    id: "MessageRequest",
    description:
      "A message: to whom, what it says, when and how. The server treats null in an optional field as absent.",
  });
export type MessageRequest = z.infer<typeof messageRequestSchema>;

/** Body of `POST /v1/projects/{project}/messages/{id}/move`. */
export const messageMoveSchema = z
  .strictObject({
    scheduleAt: momentSchema.optional().describe("When the server begins to send it."),
    scheduleAtLocal: localTimeSchema
      .optional()
      .describe("Instead of `scheduleAt`: at this time of day where each reader is."),
  })
  .refine(
    ({ scheduleAt, scheduleAtLocal }) =>
      (scheduleAt === undefined) !== (scheduleAtLocal === undefined),
    { error: "either scheduleAt or scheduleAtLocal" },
  )
  .meta({ id: "MessageMove", description: "The new time: one of the two." });
export type MessageMove = z.infer<typeof messageMoveSchema>;

/** Names the request, so that sending it again publishes nothing twice. */
export const idempotencyKeyHeader = "Idempotency-Key";
export const idempotencyKeySchema = z
  .string()
  .regex(
    new RegExp(`^[\\x21-\\x7e]{1,${limits.idempotencyKeyCharacters}}$`),
    `1 to ${limits.idempotencyKeyCharacters} visible characters of ASCII`,
  );

export const messageStateSchema = z
  .enum(["scheduled", "sending", "paused", "done", "cancelled"])
  .describe(
    "How far the message is. `scheduled`: its time has not come. `paused`: every push service that it still needs is left alone for now.",
  );
export type MessageState = z.infer<typeof messageStateSchema>;

/** Tokens of the target that belong to no registration that can be reached. */
const unknownSchema = z.object({
  count: z.int().describe("How many tokens they are."),
  tokens: z.array(z.string()).max(limits.unknownTokensNamed).describe("The first of them."),
});

/** Answer to a publication: 202 for a new message, 200 for one that this Idempotency-Key has published before. */
export const publishedSchema = z
  .object({
    id: z.uuid().describe("The message's id."),
    state: messageStateSchema,
    scheduleAt: momentSchema.describe("When sending begins."),
    unknown: unknownSchema
      .optional()
      .describe("Only if there are any, and only when it is published."),
  })
  .meta({ id: "Published" });
export type Published = z.infer<typeof publishedSchema>;

const obstacleSchema = z.object({
  reason: z.string().describe('A code of docs/operating.md, "Reasons".'),
  detail: z.string().describe("The same in words, or what the push service said."),
  registrations: z.int().describe("Registrations that it is about."),
});

/** Answer to a dry run: what the message would meet if it went out now. */
export const dryRunSchema = z
  .object({
    plaintextBytes: z.int().describe("Plaintext of the largest push, of at most 3,993."),
    registrations: z.int().describe("Registrations that it would be for."),
    unknown: unknownSchema
      .optional()
      .describe("Only if there are any, and never for an API key that may not read."),
    byPushService: z
      .array(
        z.object({
          pushService: pushServiceSchema,
          registrations: z.int().describe("Registrations at this push service."),
          refused: z
            .array(obstacleSchema)
            .describe("Registrations that would not be sent to, by why."),
          waiting: z
            .array(obstacleSchema)
            .describe(
              "Registrations that would be sent to later, since their push service is held back, by why.",
            ),
          warnings: z.array(z.string()).describe("What may go wrong with some of them."),
        }),
      )
      .describe("The same by push service."),
  })
  .meta({ id: "DryRun" });
export type DryRun = z.infer<typeof dryRunSchema>;

/** Registrations by what has become of the message: every one that was sent to is in exactly one of these. */
const outcomeCountsSchema = z.object({
  accepted: z.int().describe("The push service took it."),
  gone: z
    .int()
    .describe(
      "The push service said that the subscription had ended: the registration is removed.",
    ),
  retry: z.int().describe("It was not taken, and is tried again."),
  rejected: z.int().describe("The push service refused it for good."),
  failed: z.int().describe("It was given up after its last attempt, or its TTL ran out."),
});

/** Answer of `GET /v1/projects/{project}/messages/{id}`. */
export const messageStatusSchema = z
  .object({
    id: z.uuid().describe("The message's id."),
    state: messageStateSchema,
    target: keptTargetSchema,
    notification: keptNotificationSchema,
    data: messageDataSchema
      .optional()
      .describe("The project's own, beside the notification; absent if there is none."),
    ttlSeconds: z.int().describe("How long it is worth delivering, from its time on."),
    urgency: urgencySchema,
    collapseKey: z
      .string()
      .optional()
      .describe(
        "A newer message with the same key replaces one that still waits; absent if it has none.",
      ),
    scheduleAt: momentSchema.describe(
      "When sending begins, or began to be due; with `scheduleAtLocal` in the first time zone.",
    ),
    scheduleAtLocal: z
      .string()
      .optional()
      .describe(
        "Time of day where each reader is, at which it is sent; absent if it is sent to all at once.",
      ),
    createdAt: momentSchema.describe("When it was published."),
    publisher: z
      .object({
        kind: z
          .enum(["api-key", "operator", "command-line"])
          .describe("Whether an API key, an operator or the command line published it."),
        name: z
          .string()
          .nullable()
          .describe(
            "The key's (its prefix, if it has none) or the operator's; null: the command line, or somebody who is gone.",
          ),
      })
      .nullable()
      .describe("By what it was published; null: it is from before that was kept."),
    replaces: z
      .uuid()
      .optional()
      .describe("Id of the scheduled message that it replaced; absent if it replaced none."),
    replacedBy: z
      .uuid()
      .optional()
      .describe("Id of the message that replaced it; absent if none did."),
    startedAt: momentSchema.optional().describe("When sending began; absent before."),
    endedAt: momentSchema.optional().describe("When it ended; absent before."),
    audience: z
      .object({
        registrations: z
          .int()
          .describe("Registrations that it is for, as far as they are counted."),
        complete: z.boolean().describe("Whether all of them are counted."),
      })
      .describe("Registrations counted so far, and whether all of the audience is."),
    counts: outcomeCountsSchema.describe("What has become of it, by outcome."),
    unsent: z
      .int()
      .describe(
        "Of the audience, those nothing has been sent to: not yet, or not any more where the message has ended.",
      ),
    byPushService: z
      .array(
        z.object({
          pushService: pushServiceSchema,
          registrations: z
            .int()
            .describe("Registrations at this push service, as far as they are counted."),
          counts: outcomeCountsSchema.describe("What has become of it there, by outcome."),
          unsent: z.int().describe("Registrations there that nothing has been sent to."),
        }),
      )
      .describe("The same by push service."),
    reasons: z
      .array(
        z.object({
          pushService: pushServiceSchema,
          outcome: z.enum(["retry", "rejected", "failed"]).describe("What became of these pushes."),
          reason: z.string().describe('A code of docs/operating.md, "Reasons".'),
          detail: z
            .string()
            .describe(
              "What the push service said to one of them, or what came instead of an answer.",
            ),
          registrations: z.int().describe("Registrations that it happened to."),
        }),
      )
      .describe("Why pushes were not accepted."),
    held: z
      .array(
        z.object({
          pushService: pushServiceSchema,
          pushOrigin: z.string().describe("Origin of the push service's addresses."),
          reason: z
            .string()
            .describe('Why it is left alone: a code of docs/operating.md, "Reasons".'),
          detail: z
            .string()
            .describe(
              "What the push service said; where it gave no answer, a reason's code, and behind `: ` the cause.",
            ),
          since: momentSchema.describe("Since when it is left alone."),
          nextProbeAt: momentSchema.describe("When the server tries it again."),
        }),
      )
      .describe(
        "Push services that are left alone for now, with what of the message waits for them.",
      ),
    receipts: z
      .object({
        displayed: z.int().describe("Notifications shown."),
        clicked: z.int().describe("Notifications clicked, a button of theirs included."),
        closed: z.int().describe("Notifications dismissed."),
      })
      .describe("What browsers have reported."),
    clicksByAction: z
      .record(z.string(), z.int())
      .describe("Clicks on each button, by its `action`."),
  })
  .meta({ id: "MessageStatus" });
export type MessageStatus = z.infer<typeof messageStatusSchema>;

/** Of a message, for an API key that may not read. */
export const messageBriefSchema = messageStatusSchema
  .pick({ id: true, state: true })
  .meta({ id: "MessageBrief" });

/** Data of the server-sent events of a message. */
export const messageProgressSchema = messageStatusSchema
  .extend({ target: briefTargetSchema })
  .meta({ id: "MessageProgress" });
export type MessageProgress = z.infer<typeof messageProgressSchema>;

/** A line of `GET /v1/projects/{project}/messages`. */
export const messageSummarySchema = messageStatusSchema
  .pick({
    id: true,
    state: true,
    scheduleAt: true,
    scheduleAtLocal: true,
    createdAt: true,
    publisher: true,
    replaces: true,
    replacedBy: true,
    audience: true,
    counts: true,
    unsent: true,
    receipts: true,
  })
  .extend({ title: z.string().describe("The notification's title."), target: briefTargetSchema })
  .meta({ id: "MessageSummary" });
export type MessageSummary = z.infer<typeof messageSummarySchema>;

export const messageListSchema = z
  .object({
    messages: z.array(messageSummarySchema).describe("Newest first."),
    next: z
      .uuid()
      .optional()
      .describe("Hand it back as `before` for the ones before these; absent at the end."),
  })
  .meta({ id: "MessageList" });
export type MessageList = z.infer<typeof messageListSchema>;
