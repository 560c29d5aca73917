import { z } from "zod";
import { plainName, roleSchema, scopeSchema } from "./access.ts";
import { limits } from "./limits.ts";

const moment = z.iso.datetime();

/** As addresses are compared: trimmed, in lower case. What it names is for the mail servers to know. */
export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(limits.emailCharacters)
  .regex(/^[^\s@\p{Cc}\p{Cf}]+@[^\s@\p{Cc}\p{Cf}]+$/u, "an e-mail address");

export const operatorNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(limits.operatorNameCharacters)
  .regex(plainName, "no control characters");

/** What is typed to log in is looked at, whatever it is; bounds that a person never meets keep it cheap. */
export const typedSchema = z.string().max(limits.typedCharacters);
/** Of an invitation: 32 random bytes in base64url. */
const invitationTokenSchema = z.string().max(100);

/** Body of `POST /v1/session`. */
export const logInSchema = z
  .strictObject({
    email: typedSchema,
    password: typedSchema,
    /** A code, of an operator who has a second factor. */
    secondFactor: z.string().max(100).optional(),
  })
  .meta({ id: "LogIn" });
export type LogIn = z.infer<typeof logInSchema>;

/** Answer of whatever logs in, and of `GET /v1/session`. */
export const operatorSchema = z
  .object({
    id: z.int(),
    email: z.string(),
    name: z.string(),
    /** By the project's name. */
    roles: z.record(z.string(), roleSchema),
  })
  .meta({ id: "Operator" });
export type OperatorAnswer = z.infer<typeof operatorSchema>;

/** Answer of `GET /v1/sessions`: the last used first. */
export const sessionListSchema = z
  .object({
    sessions: z.array(
      z.object({
        id: z.int(),
        /** As the browser named itself. */
        device: z.string(),
        /** IP address that it was last used from. */
        address: z.string(),
        startedAt: moment,
        /** To the minute or so. */
        lastUsedAt: moment,
        /** Whether it is the one that asks. */
        current: z.boolean(),
      }),
    ),
  })
  .meta({ id: "SessionList" });
export type SessionList = z.infer<typeof sessionListSchema>;

/** Body of `PUT /v1/session/password`. What the new one has to be is said by codes of their own. */
export const passwordChangeSchema = z
  .strictObject({ current: typedSchema, new: typedSchema })
  .meta({ id: "PasswordChange" });

/** Body of `POST /v1/invitations/look`. */
export const invitationLookSchema = z
  .strictObject({ token: invitationTokenSchema })
  .meta({ id: "InvitationLook" });

/** Its answer. */
export const invitationShownSchema = z
  .object({
    project: z.string(),
    /** As in the settings: empty where nobody has named the project. */
    displayName: z.string(),
    role: roleSchema,
    /** For nobody else; null: for whoever has the link. */
    email: z.string().nullable(),
  })
  .meta({ id: "InvitationShown" });
export type InvitationShown = z.infer<typeof invitationShownSchema>;

/** Body of `POST /v1/invitations/accept`; an operator who is logged in gives the token alone. */
export const invitationAcceptSchema = z
  .strictObject({
    token: invitationTokenSchema,
    email: emailSchema.optional(),
    name: operatorNameSchema.optional(),
    password: typedSchema.optional(),
  })
  .refine(
    ({ email, name, password }) =>
      [email, name, password].every((value) => value === undefined) ||
      [email, name, password].every((value) => value !== undefined),
    "email, name and password stand together or not at all",
  )
  .meta({ id: "InvitationAccept" });

/** Body of `POST /v1/projects/{project}/invitations`. */
export const invitationRequestSchema = z
  .strictObject({ role: roleSchema, email: emailSchema.optional() })
  .meta({ id: "InvitationRequest" });

const invitationSchema = z.object({
  id: z.int(),
  role: roleSchema,
  /** For nobody else; null: for whoever has the link. */
  email: z.string().nullable(),
  /** E-mail address of an operator; null: the server, at its first start or by its command line. */
  invitedBy: z.string().nullable(),
  createdAt: moment,
  expiresAt: moment,
});

/** Answer of `GET /v1/projects/{project}/invitations`: the newest first. */
export const invitationListSchema = z
  .object({ invitations: z.array(invitationSchema) })
  .meta({ id: "InvitationList" });
export type InvitationList = z.infer<typeof invitationListSchema>;

/** Answer of `POST /v1/projects/{project}/invitations`. */
export const invitationMadeSchema = z
  .object({
    id: z.int(),
    /** Whoever opens it takes the invitation. It is shown this once. */
    link: z.url(),
    expiresAt: moment,
  })
  .meta({ id: "InvitationMade" });
export type InvitationMade = z.infer<typeof invitationMadeSchema>;

/** Answer of `GET /v1/projects/{project}/operators`: by e-mail address. */
export const operatorListSchema = z
  .object({
    operators: z.array(
      z.object({
        id: z.int(),
        email: z.string(),
        name: z.string(),
        role: roleSchema,
        /** Whether log-in asks for more than the password. */
        hasSecondFactor: z.boolean(),
        createdAt: moment,
        lastLoginAt: moment.nullable(),
      }),
    ),
  })
  .meta({ id: "OperatorList" });
export type OperatorList = z.infer<typeof operatorListSchema>;

/** Answer to a change of an operator's role, and to its end. */
export const operatorChangedSchema = z
  .object({
    /**
     * Of somebody who is no owner any more: keys that this operator has made, and so has seen, and that are good still, the
     * oldest first. They go on until somebody revokes them.
     */
    apiKeys: z.array(
      z.object({ prefix: z.string(), name: z.string(), scopes: z.array(scopeSchema) }),
    ),
  })
  .meta({ id: "OperatorChanged" });

/** Body of `PUT /v1/projects/{project}/operators/{id}`. */
export const roleChangeSchema = z.strictObject({ role: roleSchema }).meta({ id: "RoleChange" });
