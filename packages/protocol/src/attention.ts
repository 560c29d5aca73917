import { z } from "zod";
import { holdReasonSchema } from "./delivery.ts";
import { pushServiceSchema } from "./push-service.ts";
import { vapidKeySchema } from "./registration.ts";

const heldSchema = {
  pushService: pushServiceSchema,
  pushOrigin: z.string().describe("Origin of the push service's addresses."),
  reason: z.string().describe('Why: a code of docs/operating.md, "Reasons".'),
  since: z.iso.datetime().describe("Since when."),
  waiting: z.int().describe("Registrations there that a message waits for."),
};

/** What needs somebody now. A code never changes its meaning. */
export const attentionItemSchema = z.discriminatedUnion("code", [
  z.object({
    code: z
      .literal("delivery-held")
      .describe("The server sends nothing until an operator resumes the delivery."),
    reason: holdReasonSchema,
    since: z.iso.datetime().describe("Since when."),
  }),
  z.object({
    code: z
      .literal("key-refused")
      .describe("The push service does not take the project's VAPID key: nothing is sent there."),
    ...heldSchema,
    nextProbeAt: z.iso.datetime().describe("When the server tries the push service again."),
  }),
  z.object({
    code: z.literal("breaker-open").describe("The push service is left alone for now."),
    ...heldSchema,
    nextProbeAt: z.iso.datetime().describe("When the server tries the push service again."),
  }),
  z.object({
    code: z
      .literal("nothing-accepted")
      .describe("The push service has accepted nothing since registrations were due there."),
    ...heldSchema,
  }),
  z.object({
    code: z
      .literal("vapid-key-unknown")
      .describe(
        "Pages of an origin ask for tokens with a VAPID key that the project does not have, and get none.",
      ),
    origin: z.string().describe("Origin of the pages."),
    keyStart: z
      .string()
      .describe(
        "The first characters of the key that the server refused most often for the origin.",
      ),
    vapidKey: vapidKeySchema.describe("The key that the pages should have."),
    since: z.iso
      .datetime()
      .describe("When the server refused the first registration for that key."),
    last: z.iso.datetime().describe("When the server refused the last one."),
    refused: z.int().describe("Registrations that it has refused for that key."),
  }),
  z.object({
    code: z
      .literal("disk-low")
      .describe("The disk of the data folder has less free space than the settings want."),
    freeBytes: z.int().describe("Free space now."),
    thresholdBytes: z.int().describe("What the settings want."),
  }),
  z.object({
    code: z
      .literal("registrations-quota")
      .describe("Nine of ten live registrations that the project may have are there, or more."),
    used: z.int().describe("Live registrations."),
    quota: z.int().describe("Live registrations that the project may have."),
  }),
  z.object({
    code: z
      .literal("messages-quota")
      .describe(
        "Nine of ten messages that the project may publish within an hour were published, or more.",
      ),
    used: z.int().describe("Messages published within the last hour."),
    quota: z.int().describe("Messages that the project may publish within an hour."),
  }),
  z.object({
    code: z
      .literal("retention-late")
      .describe("What should have been removed by now is still there."),
    keepDays: z.int().describe("Days for which it is to be kept."),
    oldest: z.iso.datetime().describe("The moment that the oldest of it is from."),
  }),
]);
export type AttentionItem = z.infer<typeof attentionItemSchema>;

/** Answer of `GET /v1/projects/{project}/attention`: what is worst first. */
export const attentionSchema = z
  .object({
    items: z
      .array(attentionItemSchema)
      .describe("What needs somebody now, the worst first; empty if all is well."),
  })
  .meta({ id: "Attention" });
export type Attention = z.infer<typeof attentionSchema>;
