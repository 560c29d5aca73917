import { z } from "zod";
import { limits } from "./limits.ts";
import { topicNameSchema } from "./topic.ts";
import { userIdSchema } from "./user-token.ts";

const tokenTextSchema = z.string().min(1).max(100);

/** All kinds but that of many tokens, with what each text may be. */
function shortTargets(
  texts: Record<"topic" | "condition" | "userId" | "token", z.ZodType<string>>,
) {
  return [
    z.strictObject({ kind: z.literal("all").describe("Every live registration of the project.") }),
    z.strictObject({
      kind: z
        .literal("topic")
        .describe("Every browser that is in the topic when the server comes to send to it."),
      topic: texts.topic.describe("Name of the topic."),
    }),
    z.strictObject({
      kind: z.literal("condition").describe("Every browser whose topics fit the condition."),
      condition: texts.condition.describe(
        "Topics joined by `&&`, `||`, `!` and brackets, the syntax of FCM: `'a' in topics && !('b' in topics)`.",
      ),
    }),
    z.strictObject({
      kind: z.literal("user").describe("Whichever browsers the user has when their turn comes."),
      userId: texts.userId.describe("The site's own id of the user."),
    }),
    z.strictObject({
      kind: z.literal("token").describe("One registration."),
      token: texts.token.describe("The registration's token."),
    }),
  ] as const;
}

/** To whom a message goes, among the project's live registrations. */
export const targetSchema = z
  .discriminatedUnion("kind", [
    ...shortTargets({
      topic: topicNameSchema,
      condition: z.string().min(1).max(limits.conditionCharacters),
      userId: userIdSchema,
      token: tokenTextSchema,
    }),
    z.strictObject({
      kind: z.literal("tokens").describe("Several registrations."),
      tokens: z
        .array(tokenTextSchema)
        .min(1)
        .max(limits.tokensPerRequest)
        .describe("Their tokens."),
    }),
  ])
  .meta({
    id: "Target",
    description: "To whom a message goes, among the project's live registrations.",
  });
export type MessageTarget = z.infer<typeof targetSchema>;

const keptShortTargets = shortTargets({
  topic: z.string(),
  condition: z.string(),
  userId: z.string(),
  token: z.string(),
});

/** A target that the server keeps. An earlier version may have taken names that `targetSchema` refuses. */
export const keptTargetSchema = z
  .discriminatedUnion("kind", [
    ...keptShortTargets,
    z.strictObject({
      kind: z.literal("tokens").describe("Several registrations."),
      tokens: z.array(z.string()).describe("Their tokens."),
    }),
  ])
  .meta({
    id: "KeptTarget",
    description: "To whom a message goes, among the project's live registrations.",
  });

/** A kept target as lists and events tell it: of many tokens how many they are. */
export const briefTargetSchema = z
  .discriminatedUnion("kind", [
    ...keptShortTargets,
    z.strictObject({
      kind: z.literal("tokens").describe("Several registrations."),
      count: z.int().describe("How many they are."),
    }),
  ])
  .meta({
    id: "BriefTarget",
    description: "To whom a message goes; of many tokens how many they are.",
  });
export type BriefTarget = z.infer<typeof briefTargetSchema>;
