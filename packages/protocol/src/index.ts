export { limits } from "./limits.ts";
export {
  apiKeyListSchema,
  apiKeyRequestSchema,
  apiKeyRotationSchema,
  madeApiKeySchema,
  roles,
  roleSchema,
  scopeSchema,
} from "./access.ts";
export type { ApiKeyList, ApiKeyRequest, MadeApiKey, Role, Scope } from "./access.ts";
export { auditLineSchema, auditListSchema } from "./audit.ts";
export type { AuditLineBody, AuditList } from "./audit.ts";
export {
  emailSchema,
  invitationAcceptSchema,
  invitationListSchema,
  invitationLookSchema,
  invitationMadeSchema,
  invitationRequestSchema,
  invitationShownSchema,
  logInSchema,
  operatorListSchema,
  operatorNameSchema,
  operatorSchema,
  passwordChangeSchema,
  roleChangeSchema,
  sessionListSchema,
} from "./operator.ts";
export type { LogIn, OperatorAnswer, SessionList } from "./operator.ts";
export {
  accountSchema,
  passkeyCreationOptionsSchema,
  passkeyListSchema,
  passkeyLogInOptionsRequestSchema,
  passkeyLogInSchema,
  passkeyOptionsRequestSchema,
  passkeyRegistrationSchema,
  passkeyRequestOptionsSchema,
  passwordAgainSchema,
  recoveryCodesSchema,
  totpConfirmationSchema,
  totpOfferSchema,
  totpRemovalSchema,
} from "./second-factor.ts";
export type { Account, PasskeyList } from "./second-factor.ts";
export { settingsChangeSchema, settingsSchema } from "./project-settings.ts";
export type { ProjectSettings, SettingsChange } from "./project-settings.ts";
export { httpErrors, messagingErrors, commandErrors } from "./errors.ts";
export type { HttpErrorCode, MessagingErrorCode, CommandErrorCode } from "./errors.ts";
export { problemSchema } from "./problem.ts";
export type { Problem } from "./problem.ts";
export {
  clientSecretHeader,
  clientSecretSchema,
  registrationRequestSchema,
  registrationResponseSchema,
  subscriptionSchema,
  tokenSchema,
  vapidKeySchema,
} from "./registration.ts";
export type {
  RegistrationRequest,
  RegistrationResponse,
  SubscriptionBody,
} from "./registration.ts";
export {
  topicChangeSchema,
  topicListSchema,
  topicNameSchema,
  topicPolicySchema,
  topicTokensSchema,
} from "./topic.ts";
export type { TopicChange, TopicList, TopicPolicy, TopicTokens } from "./topic.ts";
export { userIdSchema, userTokenClaimsSchema } from "./user-token.ts";
export type { UserTokenClaims } from "./user-token.ts";
export { receiptEventSchema, receiptSchema } from "./receipt.ts";
export type { Receipt, ReceiptEvent } from "./receipt.ts";
export { notificationSchema } from "./notification.ts";
export type { NotificationContent, PushPayload } from "./notification.ts";
export { pageConfigElementId, pageConfigSchema, projectConfigSchema } from "./config.ts";
export type { PageConfig, ProjectConfig } from "./config.ts";
export { isNestedAtMost } from "./json.ts";
export type { JsonValue } from "./json.ts";
export { briefTargetSchema, targetSchema } from "./target.ts";
export type { BriefTarget, MessageTarget } from "./target.ts";
export {
  dryRunSchema,
  idempotencyKeyHeader,
  idempotencyKeySchema,
  messageDataSchema,
  messageListSchema,
  messageProgressSchema,
  messageRequestSchema,
  messageStateSchema,
  messageStatusSchema,
  messageSummarySchema,
  publishedSchema,
  urgencySchema,
} from "./message.ts";
export type {
  DryRun,
  MessageList,
  MessageProgress,
  MessageRequest,
  MessageState,
  MessageStatus,
  MessageSummary,
  Published,
  PushServiceName,
  Urgency,
} from "./message.ts";
export { parseCondition } from "./condition.ts";
export type { Condition, ParsedCondition } from "./condition.ts";
