import { z } from "zod";
import { pushServiceSchema } from "./push-service.ts";

const heldSchema = {
  pushService: pushServiceSchema,
  pushOrigin: z.string(),
  /** Why: a code of docs/operating.md, "Reasons". */
  reason: z.string(),
  since: z.iso.datetime(),
  /** Registrations that a message waits for there. */
  waiting: z.int(),
};

/** What needs somebody now. A code never changes its meaning. */
export const attentionItemSchema = z.discriminatedUnion("code", [
  /** The push service does not take the project's VAPID key: nothing is sent there. */
  z.object({ code: z.literal("key-refused"), ...heldSchema, nextProbeAt: z.iso.datetime() }),
  /** The push service is left alone for now, for another reason. */
  z.object({ code: z.literal("breaker-open"), ...heldSchema, nextProbeAt: z.iso.datetime() }),
  /** It is not left alone, and has accepted nothing since so many registrations were due there. */
  z.object({ code: z.literal("nothing-accepted"), ...heldSchema }),
  /** The disk of the data folder has less free space than the settings want. */
  z.object({
    code: z.literal("disk-low"),
    freeBytes: z.int(),
    thresholdBytes: z.int(),
  }),
  /** Nine of ten live registrations that the project may have are there, or more. */
  z.object({ code: z.literal("registrations-quota"), used: z.int(), quota: z.int() }),
  /** Nine of ten messages that the project may publish within an hour were published, or more. */
  z.object({ code: z.literal("messages-quota"), used: z.int(), quota: z.int() }),
  /** What should have been removed by now is still there. */
  z.object({ code: z.literal("retention-late"), keepDays: z.int(), oldest: z.iso.datetime() }),
]);
export type AttentionItem = z.infer<typeof attentionItemSchema>;

/** Answer of `GET /v1/projects/{project}/attention`: what is worst first. */
export const attentionSchema = z
  .object({ items: z.array(attentionItemSchema) })
  .meta({ id: "Attention" });
export type Attention = z.infer<typeof attentionSchema>;
