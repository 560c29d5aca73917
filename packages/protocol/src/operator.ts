import { z } from "zod";
import { roleSchema, scopeSchema } from "./access.ts";
import { limits } from "./limits.ts";
import { textSchema } from "./text-schema.ts";
import { invisible, textRules } from "./text.ts";

const moment = z.iso.datetime();

/** No part of an e-mail address has an invisible character. */
const emailPart = `[^\\s@${invisible}]+`;

/** As addresses are compared: trimmed, in lower case. What it names is for the mail servers to know. */
export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(limits.emailCharacters)
  .regex(RegExp(`^${emailPart}@${emailPart}$`, "u"), "an e-mail address");

export const operatorNameSchema: z.ZodString = textSchema(textRules.operatorName);

/** What is typed to log in is looked at, whatever it is; bounds that a person never meets keep it cheap. */
export const typedSchema = z.string().max(limits.typedCharacters);
/** Of an invitation: 32 random bytes in base64url. */
const invitationTokenSchema = z
  .string()
  .max(100)
  .describe("What stands behind `#` in the invitation's link.");

/** Body of `POST /v1/session`. */
export const logInSchema = z
  .strictObject({
    email: typedSchema.describe("E-mail address of the operator."),
    password: typedSchema.describe("The operator's password."),
    secondFactor: z
      .string()
      .max(100)
      .optional()
      .describe("A code, of an operator who has a second factor."),
  })
  .meta({ id: "LogIn" });
export type LogIn = z.infer<typeof logInSchema>;

/** Answer of whatever logs in, and of `GET /v1/session`. */
export const operatorSchema = z
  .object({
    id: z.int().describe("The operator's id."),
    email: z.string().describe("The operator's e-mail address, in lower case."),
    name: z.string().describe("The operator's name."),
    roles: z.record(z.string(), roleSchema).describe("By the project's name."),
  })
  .meta({ id: "Operator" });
export type OperatorAnswer = z.infer<typeof operatorSchema>;

/** Answer of `GET /v1/sessions`: the last used first. */
export const sessionListSchema = z
  .object({
    sessions: z
      .array(
        z.object({
          id: z.int().describe("The session's id."),
          device: z.string().describe("As the browser named itself."),
          address: z.string().describe("IP address that it was last used from."),
          startedAt: moment.describe("When the operator logged in."),
          lastUsedAt: moment.describe("To the minute or so."),
          current: z.boolean().describe("Whether it is the one that asks."),
        }),
      )
      .describe("The operator's sessions, the last used first."),
  })
  .meta({ id: "SessionList" });
export type SessionList = z.infer<typeof sessionListSchema>;

/** Body of `PUT /v1/session/password`. What the new one has to be is said by codes of their own. */
export const passwordChangeSchema = z
  .strictObject({
    current: typedSchema.describe("The password until now."),
    new: typedSchema.describe("The password from now on."),
  })
  .meta({ id: "PasswordChange" });

/** Body of `POST /v1/invitations/look`. */
export const invitationLookSchema = z
  .strictObject({ token: invitationTokenSchema })
  .meta({ id: "InvitationLook" });

/** Its answer. */
export const invitationShownSchema = z
  .object({
    project: z.string().describe("Name of the project that the invitation is into."),
    displayName: z
      .string()
      .describe("As in the settings: empty where nobody has named the project."),
    role: roleSchema,
    email: z.string().nullable().describe("For nobody else; null: for whoever has the link."),
  })
  .meta({ id: "InvitationShown" });
export type InvitationShown = z.infer<typeof invitationShownSchema>;

/** Body of `POST /v1/invitations/accept`; an operator who is logged in gives the token alone. */
export const invitationAcceptSchema = z
  .strictObject({
    token: invitationTokenSchema,
    email: emailSchema.optional().describe("E-mail address of the new operator."),
    name: operatorNameSchema.optional().describe("Name of the new operator, for people."),
    password: typedSchema.optional().describe("Password of the new operator."),
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
  .strictObject({
    role: roleSchema,
    email: emailSchema
      .optional()
      .describe("For this address and nobody else; without it, whoever has the link can take it."),
  })
  .meta({ id: "InvitationRequest" });

const invitationSchema = z.object({
  id: z.int().describe("The invitation's id."),
  role: roleSchema,
  email: z.string().nullable().describe("For nobody else; null: for whoever has the link."),
  invitedBy: z
    .string()
    .nullable()
    .describe(
      "E-mail address of an operator; null: the server, at its first start or by its command line.",
    ),
  createdAt: moment.describe("When it was made."),
  expiresAt: moment.describe("When it ends."),
});

/** Answer of `GET /v1/projects/{project}/invitations`: the newest first. */
export const invitationListSchema = z
  .object({
    invitations: z
      .array(invitationSchema)
      .describe("Invitations that nobody has taken yet, the newest first."),
  })
  .meta({ id: "InvitationList" });
export type InvitationList = z.infer<typeof invitationListSchema>;

/** Answer of `POST /v1/projects/{project}/invitations`. */
export const invitationMadeSchema = z
  .object({
    id: z.int().describe("The invitation's id."),
    link: z.url().describe("Whoever opens it takes the invitation. It is shown this once."),
    expiresAt: moment.describe("When the link ends."),
  })
  .meta({ id: "InvitationMade" });
export type InvitationMade = z.infer<typeof invitationMadeSchema>;

/** Answer of `GET /v1/projects/{project}/operators`: by e-mail address. */
export const operatorListSchema = z
  .object({
    operators: z
      .array(
        z.object({
          id: z.int().describe("The operator's id."),
          email: z.string().describe("The operator's e-mail address."),
          name: z.string().describe("The operator's name."),
          role: roleSchema,
          hasSecondFactor: z.boolean().describe("Whether log-in asks for more than the password."),
          createdAt: moment.describe("When the operator's account was made."),
          lastLoginAt: moment.nullable().describe("When the operator logged in last; null: never."),
        }),
      )
      .describe("Operators of the project, by e-mail address."),
  })
  .meta({ id: "OperatorList" });
export type OperatorList = z.infer<typeof operatorListSchema>;

/** Answer to a change of an operator's role, and to its end. */
export const operatorChangedSchema = z
  .object({
    apiKeys: z
      .array(
        z.object({
          prefix: z.string().describe("The key's beginning, by which it is named."),
          name: z.string().describe("What it is called, for people."),
          scopes: z.array(scopeSchema).describe("What it may do."),
        }),
      )
      .describe(
        "Of somebody who is no owner any more: keys that this operator has made, and so has seen, and that are good still, the oldest first. They go on until somebody revokes them.",
      ),
  })
  .meta({ id: "OperatorChanged" });

/** Body of `PUT /v1/projects/{project}/operators/{id}`. */
export const roleChangeSchema = z.strictObject({ role: roleSchema }).meta({ id: "RoleChange" });
