import { z } from "zod";
import { limits } from "./limits.ts";
import { messageStateSchema } from "./message.ts";

export const holdReasonSchema = z
  .enum(["restored", "cloned", "asked"])
  .describe(
    "`restored`: the data comes from a back-up. `cloned`: the data folder is a copy. `asked`: an operator has stopped the delivery.",
  );

const holdSchema = z.object({
  reason: holdReasonSchema,
  since: z.iso.datetime().describe("Since when delivery is held."),
});
export type HoldBody = z.infer<typeof holdSchema>;

const countSchema = z.int().min(0);

const heldMessageSchema = z.object({
  id: z.string().describe("The message's id."),
  title: z.string().describe("Its title."),
  state: messageStateSchema.describe("Its state now."),
  createdAt: z.iso.datetime().describe("When it was published."),
  scheduleAt: z.iso
    .datetime()
    .describe("When it is due; with a local time, in the first time zone."),
  scheduleAtLocal: z.string().optional().describe("The local time at which each reader gets it."),
  expiresAt: z.iso
    .datetime()
    .describe(
      "From when a resume sends nothing of it, even if it is named in `send`: its TTL is over.",
    ),
  registrations: countSchema
    .nullable()
    .describe("Registrations that wait in what is planned; null before planning begins."),
  doubtful: z
    .boolean()
    .describe(
      "Whether another server may send it or have sent it, or the message that it replaces. If the time that it has there is over by the resume, the resume cancels it unless `send` names it.",
    ),
  fate: z
    .enum(["cancel", "now", "later", "expire"])
    .describe(
      "What a resume does. `cancel`: it is cancelled, because another server may have sent it. `now`: it is sent. `later`: it is " +
        "sent at its time. `expire`: its validity is over, and nothing of it is sent.",
    ),
});

/** Answer of `GET /v1/projects/{project}/delivery`. */
export const deliverySchema = z
  .object({
    state: z.enum(["running", "held"]).describe("`held`: the server sends nothing."),
    hold: holdSchema.nullable().describe("Why delivery is held; null while it runs."),
    asOf: z.iso.datetime().describe("The moment of this answer, for `asOf` of a resume."),
    counts: z
      .object({
        cancel: countSchema.describe("Messages that a resume cancels."),
        now: countSchema.describe("Messages that a resume sends."),
        later: countSchema.describe("Messages that are sent at their time."),
        expire: countSchema.describe(
          "Messages that a resume does not send, because their TTL is over.",
        ),
      })
      .describe("How many messages wait, by what a resume does; all 0 while delivery runs."),
    messages: z
      .array(heldMessageSchema)
      .describe("Of each kind the first 100, by due time; none while delivery runs."),
  })
  .meta({ id: "Delivery" });
export type DeliveryBody = z.infer<typeof deliverySchema>;

/** Strict: a resume cannot be undone, and a misspelt `send` would let messages be cancelled. */
export const resumeSchema = z
  .strictObject({
    sendDue: z
      .boolean()
      .default(false)
      .describe("Whether the messages that a resume would cancel are sent."),
    send: z
      .array(z.string().max(limits.typedCharacters))
      .max(1_000)
      .default([])
      .describe("Ids of messages that are sent instead of cancelled."),
    asOf: z.iso
      .datetime()
      .optional()
      .describe(
        "`asOf` of the list that the operator has seen: a message that came due after it is sent at its time.",
      ),
    hold: holdSchema
      .optional()
      .describe(
        "The hold that the operator has seen. If it has ended, or another one is there, the resume changes nothing and answers `hold-changed`.",
      ),
  })
  .meta({ id: "Resume" });

/** Answer of `POST .../delivery/hold`. */
export const holdStateSchema = deliverySchema
  .pick({ state: true, hold: true })
  .meta({ id: "HoldState" });

/** Answer of `POST .../delivery/resume`. */
export const resumedSchema = holdStateSchema
  .extend({ cancelled: countSchema.describe("Messages that the resume has cancelled.") })
  .meta({ id: "Resumed" });
export type Resumed = z.infer<typeof resumedSchema>;
