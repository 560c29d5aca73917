import { z } from "zod";
import { limits } from "./limits.ts";
import { topicNameSchema } from "./topic.ts";
import { userIdSchema } from "./user-token.ts";

const tokenTextSchema = z.string().min(1).max(100);

/** All kinds but that of many tokens. */
const shortTargets = [
  z.strictObject({ kind: z.literal("all") }),
  /** Whoever is in the topic when their turn comes. */
  z.strictObject({ kind: z.literal("topic"), topic: topicNameSchema }),
  /** Whoever is in such topics: `'a' in topics && !('b' in topics)`, the syntax of FCM. */
  z.strictObject({
    kind: z.literal("condition"),
    condition: z.string().min(1).max(limits.conditionCharacters),
  }),
  /** Whichever browsers the user has when their turn comes. */
  z.strictObject({ kind: z.literal("user"), userId: userIdSchema }),
  z.strictObject({ kind: z.literal("token"), token: tokenTextSchema }),
] as const;

/** To whom a message goes, among the project's live registrations. */
export const targetSchema = z
  .discriminatedUnion("kind", [
    ...shortTargets,
    z.strictObject({
      kind: z.literal("tokens"),
      tokens: z.array(tokenTextSchema).min(1).max(limits.tokensPerRequest),
    }),
  ])
  .meta({ id: "Target" });
export type MessageTarget = z.infer<typeof targetSchema>;

/** A target as lists and events tell it: of many tokens how many they are. */
export const briefTargetSchema = z
  .discriminatedUnion("kind", [
    ...shortTargets,
    z.strictObject({ kind: z.literal("tokens"), count: z.int() }),
  ])
  .meta({ id: "BriefTarget" });
export type BriefTarget = z.infer<typeof briefTargetSchema>;
