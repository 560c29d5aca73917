import { z } from "zod";
import { limits } from "./limits.ts";
import { operatorNameSchema, operatorSchema, typedSchema } from "./operator.ts";

const moment = z.iso.datetime();
const base64UrlSchema = z
  .string()
  .max(limits.registrationBodyBytes)
  .regex(/^[\w-]+$/);
/** Of an authenticator application, or a recovery code. */
const codeSchema = z.string().max(100);

/** Body of `POST /v1/session/totp` and of `POST /v1/session/recovery-codes`. */
export const passwordAgainSchema = z
  .strictObject({ password: typedSchema })
  .meta({ id: "PasswordAgain" });

/** Answer of `POST /v1/session/totp`. */
export const totpOfferSchema = z
  .object({
    /** 20 bytes in base32, to be typed. */
    secret: z.string(),
    /** `otpauth:`, to be shown as a QR code. */
    uri: z.string(),
  })
  .meta({ id: "TotpOffer" });
export type TotpOffer = z.infer<typeof totpOfferSchema>;

/** Body of `POST /v1/session/totp/confirm`. */
export const totpConfirmationSchema = z
  .strictObject({ code: codeSchema })
  .meta({ id: "TotpConfirmation" });

/** Body of `DELETE /v1/session/totp`. */
export const totpRemovalSchema = z
  .strictObject({ password: typedSchema, code: codeSchema })
  .meta({ id: "TotpRemoval" });

/** What is shown this once. */
export const recoveryCodesSchema = z
  .object({ recoveryCodes: z.array(z.string()) })
  .meta({ id: "RecoveryCodes" });
export type RecoveryCodes = z.infer<typeof recoveryCodesSchema>;

const passkeySchema = z.object({
  id: z.int(),
  name: z.string(),
  createdAt: moment,
  lastUsedAt: moment.nullable(),
  /** Host name that it was made for and serves alone; null: it was made before that was kept. */
  host: z.string().nullable(),
  /** Whether that is another one than the console's, so that browsers do not offer it here. */
  elsewhere: z.boolean(),
});

/** Answer of `GET /v1/session/passkeys`: the oldest first. */
export const passkeyListSchema = z
  .object({ passkeys: z.array(passkeySchema) })
  .meta({ id: "PasskeyList" });
export type PasskeyList = z.infer<typeof passkeyListSchema>;

/** Body of `POST /v1/session/passkeys/options`; without the password within 10 minutes of log-in. */
export const passkeyOptionsRequestSchema = z
  .strictObject({ password: typedSchema.optional() })
  .meta({ id: "PasskeyOptionsRequest" });

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()` (WebAuthn Level 3, section 5.1.8). */
export const passkeyCreationOptionsSchema = z
  .object({ challenge: z.string() })
  .meta({ id: "PasskeyCreationOptions", additionalProperties: true });

/** Body of `POST /v1/passkey-login/options`: who it is comes with the answer. */
export const passkeyLogInOptionsRequestSchema = z
  .strictObject({})
  .meta({ id: "PasskeyLogInOptionsRequest" });

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()` (WebAuthn Level 3, section 5.1.8). */
export const passkeyRequestOptionsSchema = z
  .object({ challenge: z.string() })
  .meta({ id: "PasskeyRequestOptions", additionalProperties: true });

/** What `PublicKeyCredential.toJSON()` gives (WebAuthn Level 3, section 5.1): whatever more there is is not looked at. */
const credentialSchema = z.object({
  id: base64UrlSchema,
  rawId: base64UrlSchema,
  type: z.literal("public-key"),
  clientExtensionResults: z.object({}).default({}),
});

/** Body of `POST /v1/session/passkeys`. */
export const passkeyRegistrationSchema = z
  .strictObject({
    /** For the operator to tell them apart. */
    name: operatorNameSchema,
    credential: credentialSchema.extend({
      response: z.object({
        clientDataJSON: base64UrlSchema,
        attestationObject: base64UrlSchema,
        transports: z.array(z.string().max(100)).max(20).default([]),
      }),
    }),
  })
  .meta({ id: "PasskeyRegistration" });

/** Body of `POST /v1/passkey-login`. */
export const passkeyLogInSchema = z
  .strictObject({
    credential: credentialSchema.extend({
      response: z.object({
        clientDataJSON: base64UrlSchema,
        authenticatorData: base64UrlSchema,
        signature: base64UrlSchema,
        userHandle: base64UrlSchema.nullish().transform((handle) => handle ?? ""),
      }),
    }),
  })
  .meta({ id: "PasskeyLogIn" });

/** Answer of `GET /v1/session`. */
export const accountSchema = operatorSchema
  .extend({
    /** What log-in asks for after the password; null: nothing. */
    secondFactor: z.object({ recoveryCodesLeft: z.int() }).nullable(),
    /** The oldest first. */
    passkeys: z.array(passkeySchema),
  })
  .meta({ id: "Account" });
export type Account = z.infer<typeof accountSchema>;
