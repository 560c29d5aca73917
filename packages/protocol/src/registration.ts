import { z } from "zod";
import { limits } from "./limits.ts";
import { lossCauseSchema } from "./loss.ts";
import { topicNameSchema } from "./topic.ts";

const base64url32Bytes = /^[A-Za-z0-9_-]{43}$/;

/** Where the client secret travels: it belongs to the browser alone and never stands in an address. */
export const clientSecretHeader = "Sineta-Client-Secret";

/** A registration's address: 32 random bytes, base64url. No secret: it only allows being sent to. */
export const tokenSchema = z.string().regex(base64url32Bytes, "43 characters of base64url");

/** 32 random bytes, base64url, made and kept by the browser. */
export const clientSecretSchema = tokenSchema;

/**
 * Converts base64, or base64url with padding, to base64url without padding (RFC 4648, sections 4 and 5). Libraries and old
 * databases write keys so, some with line breaks, or with blanks around them. Other text stays as it is: the check of the key refuses it. A blank
 * within a key may be a `+` that a form has decoded.
 */
function asBase64url(text: string): string {
  return text
    .replaceAll(/[\r\n]/g, "")
    .trim()
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/={1,2}$/, "");
}

/** A VAPID public key: an uncompressed P-256 point, 65 bytes, base64url (RFC 8292, section 3.2). */
export const vapidKeySchema = z
  .string()
  .overwrite(asBase64url)
  .regex(/^B[A-Za-z0-9_-]{86}$/, "an uncompressed P-256 point, base64url")
  .describe(
    "A VAPID public key: an uncompressed P-256 point, 65 bytes, base64url (RFC 8292, section 3.2).",
  );

/** A push subscription as `PushSubscription.toJSON()` gives it (Push API). */
export const subscriptionSchema = z.object({
  endpoint: z
    .string()
    .min(1)
    .max(limits.endpointCharacters)
    .describe("Address at the push service to which pushes for this browser go."),
  keys: z
    .object({
      p256dh: z
        .string()
        .overwrite(asBase64url)
        // In hexadecimal it has 130. The check of the key says so.
        .max(200)
        .describe(
          "The browser's public key: an uncompressed P-256 point, base64url (RFC 8291, section 3.1).",
        ),
      auth: z
        .string()
        .overwrite(asBase64url)
        .max(64)
        .describe("The authentication secret: 16 bytes, base64url (RFC 8291, section 3.2)."),
    })
    .describe("What pushes for this browser are sealed with."),
});
export type SubscriptionBody = z.infer<typeof subscriptionSchema>;

/** Body of `POST /v1/projects/{project}/registrations`. */
export const registrationRequestSchema = z
  .object({
    subscription: subscriptionSchema.describe(
      "A push subscription as `PushSubscription.toJSON()` gives it (Push API).",
    ),
    vapidKey: vapidKeySchema.describe("The VAPID public key that the subscription was made with."),
    token: tokenSchema
      .optional()
      .describe("The token of an earlier registration of this browser, to be kept."),
    locale: z
      .string()
      .min(1)
      .max(35)
      .optional()
      .describe(
        "A BCP 47 language tag, as `navigator.language` gives it. The server drops a text that people cannot read.",
      ),
    timeZone: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe("An IANA time zone name. Anything else counts as UTC."),
    loss: z
      .object({
        cause: z
          .string()
          .max(64)
          .describe(
            `One of ${lossCauseSchema.options.map((cause) => `\`${cause}\``).join(", ")}. The server ignores a loss with another cause, as a newer browser may tell it.`,
          ),
        confirmedAtMs: z
          .int()
          .describe(
            "When the server had last confirmed the browser, by the browser's clock. By it and the cause the server recognises a loss that it was told before.",
          ),
      })
      .optional()
      .describe("The loss that the browser has found, and heals by this request."),
    topics: z
      .array(topicNameSchema)
      .max(limits.topicsPerRequest)
      .optional()
      .describe("Open topics to join. What is joined already stays."),
    userToken: z
      .string()
      .max(limits.userTokenCharacters)
      .nullable()
      .optional()
      .describe(
        "Binds the registration to a user of the site (user-token.ts); null unbinds it. Without it, nothing changes.",
      ),
  })
  .meta({ id: "RegistrationRequest" });
export type RegistrationRequest = z.infer<typeof registrationRequestSchema>;

/** Answer to it: 201 for a new registration, 200 for one that was known. */
export const registrationResponseSchema = z
  .object({
    token: tokenSchema.describe("The registration's token: what a message to this browser names."),
  })
  .meta({ id: "RegistrationResponse" });
export type RegistrationResponse = z.infer<typeof registrationResponseSchema>;

/** Answer to a browser that looks how the server knows it. */
export const lookResponseSchema = z
  .discriminatedUnion("state", [
    z.object({
      state: z.literal("live").describe("Messages are sent to it."),
      vapidKey: vapidKeySchema.describe("The VAPID key that the subscription was made with."),
      endpointHash: z
        .string()
        .regex(/^[A-Za-z0-9_-]{12}$/, "12 characters of base64url")
        .describe(
          "The first nine bytes of the endpoint's SHA-256, base64url. A browser whose own endpoint has another hash registers again.",
        ),
    }),
    z.object({
      state: z.literal("gone").describe("The push service has ended the subscription."),
    }),
    z.object({
      state: z
        .literal("unknown")
        .describe("There is no registration with this token and this client secret."),
    }),
  ])
  .meta({ id: "LookResponse" });
export type LookResponse = z.infer<typeof lookResponseSchema>;
