import { z } from "zod";
import { jsonObjectSchema } from "./json.ts";
import { limits } from "./limits.ts";
import { notificationSchema } from "./notification.ts";
import { pushServiceSchema } from "./push-service.ts";
import { briefTargetSchema, targetSchema } from "./target.ts";

/** How soon a push service should wake a browser (RFC 8030, section 5.3). */
export const urgencySchema = z.enum(["very-low", "low", "normal", "high"]);
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
    data: messageDataSchema.optional(),
    /** How long it is worth delivering, from its time on; 0 is now or never. 28 days unless given. */
    ttlSeconds: z.int().min(0).max(limits.ttlSeconds).optional(),
    urgency: urgencySchema.optional(),
    /** A newer message with the same key replaces one that still waits at the push service (RFC 8030, section 5.4). */
    collapseKey: z
      .string()
      .regex(/^[\w-]{1,32}$/, "1 to 32 of A-Z a-z 0-9 _ -")
      .optional(),
    /** At once unless given. */
    scheduleAt: momentSchema.optional(),
    /** Instead of `scheduleAt`: at this time of day where each reader is. */
    scheduleAtLocal: localTimeSchema.optional(),
    /** Looks and counts; nothing is published. */
    dryRun: z.boolean().optional(),
  })
  .refine(({ scheduleAt, scheduleAtLocal }) => !scheduleAt || !scheduleAtLocal, {
    path: ["scheduleAtLocal"],
    error: "either scheduleAt or scheduleAtLocal",
  })
  .meta({ id: "MessageRequest" });
export type MessageRequest = z.infer<typeof messageRequestSchema>;

/** Names the request, so that sending it again publishes nothing twice. */
export const idempotencyKeyHeader = "Idempotency-Key";
export const idempotencyKeySchema = z
  .string()
  .regex(new RegExp(`^[\\x21-\\x7e]{1,${limits.idempotencyKeyCharacters}}$`));

export const messageStateSchema = z.enum(["scheduled", "sending", "paused", "done", "cancelled"]);
export type MessageState = z.infer<typeof messageStateSchema>;

/** Tokens of the target that belong to no registration that can be reached. */
const unknownSchema = z.object({
  count: z.int(),
  /** The first of them. */
  tokens: z.array(z.string()).max(limits.unknownTokensNamed),
});

/** Answer to a publication: 202 for a new message, 200 for one that this Idempotency-Key has published before. */
export const publishedSchema = z
  .object({
    id: z.uuid(),
    state: messageStateSchema,
    scheduledAt: momentSchema,
    /** Only if there are any, and only when it is published. */
    unknown: unknownSchema.optional(),
  })
  .meta({ id: "Published" });
export type Published = z.infer<typeof publishedSchema>;

const obstacleSchema = z.object({
  reason: z.string(),
  detail: z.string(),
  registrations: z.int(),
});

/** Answer to a dry run: what the message would meet if it went out now. */
export const dryRunSchema = z
  .object({
    /** Plaintext of the largest push, of at most 3,993. */
    plaintextBytes: z.int(),
    registrations: z.int(),
    /** Only if there are any, and never for an API key that may not read. */
    unknown: unknownSchema.optional(),
    byPushService: z.array(
      z.object({
        pushService: pushServiceSchema,
        registrations: z.int(),
        /** Registrations that would not be sent to, by why. */
        refused: z.array(obstacleSchema),
        /** Registrations that would be sent to later, since their push service is held back, by why. */
        waiting: z.array(obstacleSchema),
        /** What may go wrong with some of them. */
        warnings: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: "DryRun" });
export type DryRun = z.infer<typeof dryRunSchema>;

/** Registrations by what has become of the message: every one that was sent to is in exactly one of these. */
const outcomeCountsSchema = z.object({
  accepted: z.int(),
  gone: z.int(),
  retry: z.int(),
  rejected: z.int(),
  failed: z.int(),
});

/** Answer of `GET /v1/projects/{project}/messages/{id}`. */
export const messageStatusSchema = z
  .object({
    id: z.uuid(),
    state: messageStateSchema,
    target: targetSchema,
    notification: notificationSchema,
    data: messageDataSchema.optional(),
    ttlSeconds: z.int(),
    urgency: urgencySchema,
    collapseKey: z.string().optional(),
    /** When sending begins, or began to be due; with `scheduleAtLocal` in the first time zone. */
    scheduledAt: momentSchema,
    scheduleAtLocal: z.string().optional(),
    createdAt: momentSchema,
    /** By what it was published; null: it is from before that was kept. */
    publisher: z
      .object({
        kind: z.enum(["api-key", "operator", "command-line"]),
        /** The key's (its prefix, if it has none) or the operator's; null: the command line, or somebody who is gone. */
        name: z.string().nullable(),
      })
      .nullable(),
    startedAt: momentSchema.optional(),
    endedAt: momentSchema.optional(),
    /** Registrations counted so far, and whether all of the audience is. */
    audience: z.object({ registrations: z.int(), complete: z.boolean() }),
    counts: outcomeCountsSchema,
    /** Of the audience, those nothing has been sent to: not yet, or not any more where the message has ended. */
    unsent: z.int(),
    byPushService: z.array(
      z.object({
        pushService: pushServiceSchema,
        registrations: z.int(),
        counts: outcomeCountsSchema,
        unsent: z.int(),
      }),
    ),
    /** Why pushes were not accepted. */
    reasons: z.array(
      z.object({
        pushService: pushServiceSchema,
        outcome: z.enum(["retry", "rejected", "failed"]),
        reason: z.string(),
        /** What the push service said to one of them, or what came instead of an answer. */
        detail: z.string(),
        registrations: z.int(),
      }),
    ),
    /** Push services that are left alone for now, with what of the message waits for them. */
    held: z.array(
      z.object({
        pushService: pushServiceSchema,
        pushOrigin: z.string(),
        reason: z.string(),
        /** What the push service said; where it gave no answer, a reason's code, and behind `: ` the cause. */
        detail: z.string(),
        since: momentSchema,
        nextProbeAt: momentSchema,
      }),
    ),
    receipts: z.object({ displayed: z.int(), clicked: z.int(), closed: z.int() }),
    clicksByAction: z.record(z.string(), z.int()),
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
    scheduledAt: true,
    scheduleAtLocal: true,
    createdAt: true,
    publisher: true,
    audience: true,
    counts: true,
    unsent: true,
    receipts: true,
  })
  .extend({ title: z.string(), target: briefTargetSchema })
  .meta({ id: "MessageSummary" });
export type MessageSummary = z.infer<typeof messageSummarySchema>;

export const messageListSchema = z
  .object({
    /** Newest first. */
    messages: z.array(messageSummarySchema),
    /** Hand it back as `before` for the ones before these; absent at the end. */
    next: z.uuid().optional(),
  })
  .meta({ id: "MessageList" });
export type MessageList = z.infer<typeof messageListSchema>;
