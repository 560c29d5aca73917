import { z } from "zod";
import { limits } from "./limits.ts";
import { textSchema } from "./text-schema.ts";
import { textRules } from "./text.ts";

/** A topic's name. Not `.` and `..`: it is a part of addresses, and there they mean another place. */
export const topicNameSchema = z
  .string()
  .regex(/^(?!\.{1,2}$)[A-Za-z0-9_.~-]{1,64}$/, "1 to 64 of A-Z a-z 0-9 _ . ~ -, not . or ..")
  .describe("The topic's name.");

/**
 * Who may put a registration into a topic. `open`: any visitor, for the own browser. `kept`: the site's backend
 * alone, by naming the topic in a user token, or the operator. Everybody may leave either.
 */
export const topicPolicySchema = z
  .enum(["open", "kept"])
  .describe(
    "Who may put a registration into the topic. `open`: any visitor, for the own browser. `kept`: the site's backend or the operator alone.",
  );
export type TopicPolicy = z.infer<typeof topicPolicySchema>;

const readName = z
  .string()
  .describe("What people read as the topic's name. It is the name where the topic has no other.");
const displayNameSchema = textSchema(textRules.displayName).describe(
  "What people read as the topic's name, with spaces and accents. Empty: its name.",
);

/** Answer of `GET /v1/projects/{project}/topics`. */
export const topicListSchema = z
  .object({
    topics: z
      .array(
        z.object({
          name: z.string().describe("The topic's name."),
          displayName: readName,
          policy: topicPolicySchema,
          registrations: z.int().describe("Live ones that are in it."),
        }),
      )
      .describe("The project's topics, by name."),
  })
  .meta({ id: "TopicList" });
export type TopicList = z.infer<typeof topicListSchema>;

/** Body of `POST /v1/projects/{project}/topics`. */
export const topicRequestSchema = z
  .strictObject({
    name: topicNameSchema,
    displayName: displayNameSchema.optional(),
    policy: topicPolicySchema,
  })
  .meta({ id: "TopicRequest" });
export type TopicRequest = z.infer<typeof topicRequestSchema>;

/** Body of `PATCH /v1/projects/{project}/topics/{topic}`. */
export const topicEditSchema = z
  .strictObject({
    displayName: displayNameSchema.optional(),
    policy: topicPolicySchema.optional(),
  })
  .refine(({ displayName, policy }) => displayName !== undefined || policy !== undefined, {
    error: "displayName, policy or both",
  })
  .meta({ id: "TopicEdit", description: "What is to change of a topic: one of the two, or both." });
export type TopicEdit = z.infer<typeof topicEditSchema>;

/** Answer of both, and a topic in a registration's story. */
export const topicSchema = z
  .object({
    name: z.string().describe("The topic's name."),
    displayName: readName,
    policy: topicPolicySchema,
  })
  .meta({ id: "Topic" });

/** Body of `POST /v1/projects/{project}/topics/{topic}/join` and `/leave`. */
export const topicTokensSchema = z
  .strictObject({
    tokens: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(limits.tokensPerRequest)
      .describe("Tokens of registrations."),
  })
  .meta({ id: "TopicTokens" });
export type TopicTokens = z.infer<typeof topicTokensSchema>;

/** Its answer. */
export const topicChangeSchema = z
  .object({
    registrations: z
      .int()
      .describe("Registrations that are as was asked for, also those that were before."),
    unknown: z
      .array(z.string())
      .describe("Tokens that belong to no registration of the project, or to one that has left."),
  })
  .meta({ id: "TopicChange" });
export type TopicChange = z.infer<typeof topicChangeSchema>;
