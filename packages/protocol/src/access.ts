import { z } from "zod";
import { limits } from "./limits.ts";

/**
 * What an API key may do. `send`: publish and cancel messages. `read`: see messages, topics, figures, and
 * registrations with their tokens and user ids. `manage`: make and remove topics, put registrations into them, end
 * registrations, check pages, see settings. None includes another one.
 */
export const scopeSchema = z.enum(["send", "read", "manage"]);
export type Scope = z.infer<typeof scopeSchema>;

/** The least first. A `viewer` sees, an `editor` also publishes, an `owner` does everything and decides who may do what. */
export const roles = ["viewer", "editor", "owner"] as const;
/** What an operator is in a project: each role includes those before it. */
export const roleSchema = z.enum(roles);
export type Role = z.infer<typeof roleSchema>;

/** What a name may consist of: nothing that breaks a line, steers a terminal or turns the direction of what follows. */
export const plainName = /^[^\p{Cc}\p{Cf}\u2028\u2029]*$/u;

export const apiKeyRequestSchema = z.strictObject({
  /** For people, to tell it by. */
  name: z.string().max(100).regex(plainName, "no control characters").default(""),
  scopes: z.array(scopeSchema).min(1).max(10).default(["send", "read"]),
  /** It opens nothing any more from then on; without it, it lives until it is revoked. */
  expiresAt: z.iso.datetime({ offset: true }).optional(),
});
export type ApiKeyRequest = z.infer<typeof apiKeyRequestSchema>;

export const apiKeyRotationSchema = z.strictObject({
  /** How long the old one is good for: a day unless it is said. */
  graceSeconds: z
    .int()
    .min(0)
    .max(90 * 86_400)
    .default(86_400),
});

/** A key that was just made: the one time that it is shown. */
export const madeApiKeySchema = z.object({ key: z.string(), prefix: z.string() });
export type MadeApiKey = z.infer<typeof madeApiKeySchema>;

export const apiKeyListSchema = z.object({
  apiKeys: z.array(
    z.object({
      prefix: z.string(),
      name: z.string(),
      scopes: z.array(scopeSchema),
      createdAt: z.iso.datetime(),
      /** To the minute or so. */
      lastUsedAt: z.iso.datetime().nullable(),
      expiresAt: z.iso.datetime().nullable(),
      revokedAt: z.iso.datetime().nullable(),
      /** Who has seen it when it was made; null: it is from before that was kept. */
      createdBy: z
        .object({
          kind: z.enum(["operator", "command-line"]),
          /** Null: the command line, or an operator who is gone. */
          name: z.string().nullable(),
        })
        .nullable(),
    }),
  ),
});
export type ApiKeyList = z.infer<typeof apiKeyListSchema>;

/** Body of `DELETE /v1/projects/{project}/api-keys/{prefix}`; none is as good as an empty one. */
export const apiKeyRevocationSchema = z
  .strictObject({
    /** Ends what the key has published and what has not ended: also of a key that is revoked already. */
    cancelMessages: z.boolean().optional(),
  })
  .meta({ id: "ApiKeyRevocation" });

/** Its answer: what the key, or one whose successor it is, had published that had not ended. */
export const revokedApiKeySchema = z
  .object({
    messages: z.object({
      count: z.int(),
      /** Whether they were cancelled; else they go on. */
      cancelled: z.boolean(),
      /** As they stood, those that come first. */
      first: z
        .array(
          z.object({
            id: z.uuid(),
            title: z.string(),
            state: z.enum(["scheduled", "sending", "paused"]),
            scheduledAt: z.iso.datetime(),
          }),
        )
        .max(limits.openMessagesNamed),
    }),
  })
  .meta({ id: "RevokedApiKey" });
export type RevokedApiKey = z.infer<typeof revokedApiKeySchema>;
