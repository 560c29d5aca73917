import { z } from "zod";
import { limits } from "./limits.ts";
import { textSchema } from "./text-schema.ts";
import { textRules } from "./text.ts";

/**
 * What an API key may do. `send`: publish, change and cancel messages, hold and resume delivery. `read`: see messages, topics, figures, and
 * registrations with their tokens and user ids. `manage`: make and remove topics, put registrations into them, end
 * registrations, check pages, see settings. None includes another one.
 */
export const scopeSchema = z
  .enum(["send", "read", "manage"])
  .describe(
    "`send`: publish, change and cancel messages, hold and resume delivery. `read`: see messages, topics, figures, registrations. `manage`: change topics, end registrations, check pages, see settings.",
  );
export type Scope = z.infer<typeof scopeSchema>;

/** The least first. A `viewer` sees, an `editor` also publishes, an `owner` does everything and decides who may do what. */
export const roles = ["viewer", "editor", "owner"] as const;
/** What an operator is in a project: each role includes those before it. */
export const roleSchema = z
  .enum(roles)
  .describe("A `viewer` sees, an `editor` also publishes, an `owner` does everything.");
export type Role = z.infer<typeof roleSchema>;

export const apiKeyRequestSchema = z
  .strictObject({
    name: textSchema(textRules.apiKeyName).default("").describe("For people, to tell it by."),
    scopes: z
      .array(scopeSchema)
      .min(1)
      .max(10)
      .default(["send", "read"])
      .describe("What the key may do."),
    expiresAt: z.iso
      .datetime({ offset: true })
      .optional()
      .describe(
        "It opens nothing any more from then on; without it, it lives until it is revoked.",
      ),
  })
  .meta({ id: "ApiKeyRequest" });
export type ApiKeyRequest = z.infer<typeof apiKeyRequestSchema>;

export const apiKeyRotationSchema = z
  .strictObject({
    graceSeconds: z
      .int()
      .min(0)
      .max(90 * 86_400)
      .default(86_400)
      .describe("How long the old one is good for: a day unless it is said."),
  })
  .meta({ id: "ApiKeyRotation" });

/** A key that was just made: the one time that it is shown. */
export const madeApiKeySchema = z
  .object({
    key: z
      .string()
      .describe("The whole key. It is shown this once; send it as `Authorization: Bearer KEY`."),
    prefix: z.string().describe("The key's beginning, by which lists and addresses name it."),
  })
  .meta({ id: "MadeApiKey" });
export type MadeApiKey = z.infer<typeof madeApiKeySchema>;

export const apiKeyListSchema = z
  .object({
    apiKeys: z
      .array(
        z.object({
          prefix: z.string().describe("The key's beginning, by which it is named."),
          name: z.string().describe("What it is called, for people; empty if it has no name."),
          scopes: z.array(scopeSchema).describe("What it may do."),
          createdAt: z.iso.datetime().describe("When it was made."),
          lastUsedAt: z.iso.datetime().nullable().describe("To the minute or so."),
          expiresAt: z.iso.datetime().nullable().describe("When it ends by itself; null: never."),
          revokedAt: z.iso.datetime().nullable().describe("When it was revoked; null: it was not."),
          createdBy: z
            .object({
              kind: z
                .enum(["operator", "command-line"])
                .describe("Whether an operator or the command line made it."),
              name: z
                .string()
                .nullable()
                .describe("Null: the command line, or an operator who is gone."),
            })
            .nullable()
            .describe("Who has seen it when it was made; null: it is from before that was kept."),
        }),
      )
      .describe("All keys of the project, the newest first."),
  })
  .meta({ id: "ApiKeyList" });
export type ApiKeyList = z.infer<typeof apiKeyListSchema>;

/** Body of `DELETE /v1/projects/{project}/api-keys/{prefix}`; none is as good as an empty one. */
export const apiKeyRevocationSchema = z
  .strictObject({
    cancelMessages: z
      .boolean()
      .optional()
      .describe(
        "Ends what the key has published and what has not ended: also of a key that is revoked already.",
      ),
  })
  .meta({ id: "ApiKeyRevocation" });

/** Its answer: what the key, or one whose successor it is, had published that had not ended. */
export const revokedApiKeySchema = z
  .object({
    messages: z
      .object({
        count: z.int().describe("How many messages they are."),
        cancelled: z.boolean().describe("Whether they were cancelled; else they go on."),
        first: z
          .array(
            z.object({
              id: z.uuid().describe("The message's id."),
              title: z.string().describe("The notification's title."),
              state: z.enum(["scheduled", "sending", "paused"]).describe("How far the message is."),
              scheduleAt: z.iso.datetime().describe("When its sending begins, or began."),
            }),
          )
          .max(limits.openMessagesNamed)
          .describe("As they stood, those that come first."),
      })
      .describe("What the key had published that had not ended."),
  })
  .meta({ id: "RevokedApiKey" });
export type RevokedApiKey = z.infer<typeof revokedApiKeySchema>;
