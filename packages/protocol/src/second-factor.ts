import { z } from "zod";
import { limits } from "./limits.ts";
import { operatorNameSchema, operatorSchema, typedSchema } from "./operator.ts";

const moment = z.iso.datetime();
const base64UrlSchema = z
  .string()
  .max(limits.registrationBodyBytes)
  .regex(/^[\w-]+$/, "base64url");
/** Of an authenticator application, or a recovery code. */
const codeSchema = z.string().max(100);

/** Body of `POST /v1/session/totp` and of `POST /v1/session/recovery-codes`. */
export const passwordAgainSchema = z
  .strictObject({ password: typedSchema.describe("The operator's password, once more.") })
  .meta({ id: "PasswordAgain" });

/** Answer of `POST /v1/session/totp`. */
export const totpOfferSchema = z
  .object({
    secret: z.string().describe("20 bytes in base32, to be typed."),
    uri: z.string().describe("`otpauth:`, to be shown as a QR code."),
  })
  .meta({ id: "TotpOffer" });
export type TotpOffer = z.infer<typeof totpOfferSchema>;

/** Body of `POST /v1/session/totp/confirm`. */
export const totpConfirmationSchema = z
  .strictObject({ code: codeSchema.describe("A code that the authenticator shows now.") })
  .meta({ id: "TotpConfirmation" });

/** Body of `DELETE /v1/session/totp`. */
export const totpRemovalSchema = z
  .strictObject({
    password: typedSchema.describe("The operator's password, once more."),
    code: codeSchema.describe("A code that the authenticator shows now, or a recovery code."),
  })
  .meta({ id: "TotpRemoval" });

/** What is shown this once. */
export const recoveryCodesSchema = z
  .object({
    recoveryCodes: z
      .array(z.string())
      .describe("Codes that each log in once, instead of the authenticator."),
  })
  .meta({ id: "RecoveryCodes" });
export type RecoveryCodes = z.infer<typeof recoveryCodesSchema>;

const passkeySchema = z.object({
  id: z.int().describe("The passkey's id."),
  name: z.string().describe("What the operator calls it."),
  createdAt: moment.describe("When it was made."),
  lastUsedAt: moment.nullable().describe("When it last logged in; null: never."),
  host: z
    .string()
    .nullable()
    .describe(
      "Host name that it was made for and serves alone; null: it was made before that was kept.",
    ),
  elsewhere: z
    .boolean()
    .describe(
      "Whether that is another one than the console's, so that browsers do not offer it here.",
    ),
});

/** Answer of `GET /v1/session/passkeys`: the oldest first. */
export const passkeyListSchema = z
  .object({
    passkeys: z.array(passkeySchema).describe("The operator's passkeys, the oldest first."),
  })
  .meta({ id: "PasskeyList" });
export type PasskeyList = z.infer<typeof passkeyListSchema>;

/** Body of `POST /v1/session/passkeys/options`; without the password within 10 minutes of log-in. */
export const passkeyOptionsRequestSchema = z
  .strictObject({
    password: typedSchema
      .optional()
      .describe("The operator's password; not needed within 10 minutes of log-in."),
  })
  .meta({ id: "PasskeyOptionsRequest" });

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()` (WebAuthn Level 3, section 5.1.8). */
export const passkeyCreationOptionsSchema = z
  .object({
    challenge: z.string().describe("Random bytes that the authenticator signs, base64url."),
  })
  .meta({ id: "PasskeyCreationOptions", additionalProperties: true });

/** Body of `POST /v1/passkey-login/options`: who it is comes with the answer. */
export const passkeyLogInOptionsRequestSchema = z
  .strictObject({})
  .meta({ id: "PasskeyLogInOptionsRequest" });

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()` (WebAuthn Level 3, section 5.1.8). */
export const passkeyRequestOptionsSchema = z
  .object({
    challenge: z.string().describe("Random bytes that the authenticator signs, base64url."),
  })
  .meta({ id: "PasskeyRequestOptions", additionalProperties: true });

/** What `PublicKeyCredential.toJSON()` gives (WebAuthn Level 3, section 5.1): whatever more there is is not looked at. */
const credentialSchema = z.object({
  id: base64UrlSchema.describe("The credential's id, base64url."),
  rawId: base64UrlSchema.describe("The same."),
  type: z.literal("public-key").describe("WebAuthn has this one kind."),
  clientExtensionResults: z
    .object({})
    .default({})
    .describe("What the browser's extensions gave; none is looked at."),
});

/** Body of `POST /v1/session/passkeys`. */
export const passkeyRegistrationSchema = z
  .strictObject({
    name: operatorNameSchema.describe("For the operator to tell them apart."),
    credential: credentialSchema
      .extend({
        response: z
          .object({
            clientDataJSON: base64UrlSchema.describe(
              "The challenge and the page's origin, as the browser saw them, base64url.",
            ),
            attestationObject: base64UrlSchema.describe("The new public key, base64url."),
            transports: z
              .array(z.string().max(100))
              .max(20)
              .default([])
              .describe("How the authenticator can be reached, such as `internal`."),
          })
          .describe("The authenticator's answer."),
      })
      .describe("What `PublicKeyCredential.toJSON()` gave."),
  })
  .meta({ id: "PasskeyRegistration" });

/** Body of `POST /v1/passkey-login`. */
export const passkeyLogInSchema = z
  .strictObject({
    credential: credentialSchema
      .extend({
        response: z
          .object({
            clientDataJSON: base64UrlSchema.describe(
              "The challenge and the page's origin, as the browser saw them, base64url.",
            ),
            authenticatorData: base64UrlSchema.describe(
              "What the authenticator says of itself, base64url.",
            ),
            signature: base64UrlSchema.describe("Over both, base64url."),
            userHandle: base64UrlSchema
              .nullish()
              .transform((handle) => handle ?? "")
              .describe("The operator that the passkey is for, base64url."),
          })
          .describe("The authenticator's answer."),
      })
      .describe("What `PublicKeyCredential.toJSON()` gave."),
  })
  .meta({ id: "PasskeyLogIn" });

/** Answer of `GET /v1/session`. */
export const accountSchema = operatorSchema
  .extend({
    secondFactor: z
      .object({ recoveryCodesLeft: z.int().describe("Recovery codes that are still good.") })
      .nullable()
      .describe("What log-in asks for after the password; null: nothing."),
    passkeys: z.array(passkeySchema).describe("The oldest first."),
  })
  .meta({ id: "Account" });
export type Account = z.infer<typeof accountSchema>;
