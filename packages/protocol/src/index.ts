export { limits } from "./limits.ts";
export {
  apiKeyListSchema,
  apiKeyRequestSchema,
  apiKeyRevocationSchema,
  apiKeyRotationSchema,
  madeApiKeySchema,
  revokedApiKeySchema,
  roles,
  roleSchema,
  scopeSchema,
} from "./access.ts";
export type {
  ApiKeyList,
  ApiKeyRequest,
  MadeApiKey,
  RevokedApiKey,
  Role,
  Scope,
} from "./access.ts";
export { attentionItemSchema, attentionSchema } from "./attention.ts";
export type { Attention, AttentionItem } from "./attention.ts";
export {
  audienceDaysSchema,
  audienceSchema,
  browserSchema,
  languageSchema,
  registrationListSchema,
  registrationStateSchema,
  registrationStorySchema,
  systemSchema,
} from "./audience.ts";
export type {
  Audience,
  AudienceDays,
  BrowserName,
  DayFigures,
  RegistrationEvent,
  RegistrationList,
  RegistrationState,
  RegistrationStory,
  RegistrationSummary,
  SystemName,
} from "./audience.ts";
export { pushServiceSchema } from "./push-service.ts";
export type { PushServiceName } from "./push-service.ts";
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
  operatorChangedSchema,
  operatorListSchema,
  operatorNameSchema,
  operatorSchema,
  passwordChangeSchema,
  roleChangeSchema,
  sessionListSchema,
} from "./operator.ts";
export type {
  InvitationList,
  InvitationMade,
  InvitationShown,
  LogIn,
  OperatorAnswer,
  OperatorList,
  SessionList,
} from "./operator.ts";
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
export type { Account, PasskeyList, RecoveryCodes, TotpOffer } from "./second-factor.ts";
export { installationSchema } from "./installation.ts";
export type { Installation } from "./installation.ts";
export {
  findingCodes,
  findingReasons,
  siteCheckRequestSchema,
  siteCheckSchema,
} from "./site-check.ts";
export type { Finding, FindingCode, FindingReason, SiteCheck } from "./site-check.ts";
export { doctorChecks, doctorFindings } from "./doctor-findings.ts";
export type { DoctorCheck, DoctorCode, DoctorState } from "./doctor-findings.ts";
export { doctorEchoSchema, doctorHeader, doctorSchema } from "./doctor.ts";
export type { DoctorBody, DoctorEcho, DoctorFinding } from "./doctor.ts";
export { doctorText } from "./doctor-text.ts";
export { audienceLossesSchema, lossCauseSchema, returnCauseSchema } from "./loss.ts";
export type { AudienceLosses, LossCause, ReturnCause } from "./loss.ts";
export { originUseSchema, pageOriginExpected, pageOriginOf } from "./page-origin.ts";
export type { OriginUse } from "./page-origin.ts";
export { settingsChangeSchema, settingsSchema } from "./project-settings.ts";
export type { ProjectSettings, SettingsChange } from "./project-settings.ts";
export { httpErrors, messagingErrors, commandErrors, errorSections } from "./errors.ts";
export type {
  HttpErrorCode,
  MessagingErrorCode,
  CommandErrorCode,
  ErrorSection,
} from "./errors.ts";
export { csvLanguageSchema, csvSeparatorSchema } from "./csv.ts";
export type { CsvLanguage, CsvSeparator } from "./csv.ts";
export { problemSchema } from "./problem.ts";
export type { Problem } from "./problem.ts";
export {
  clientSecretHeader,
  clientSecretSchema,
  lookResponseSchema,
  registrationRequestSchema,
  registrationResponseSchema,
  subscriptionSchema,
  tokenSchema,
  vapidKeySchema,
} from "./registration.ts";
export type {
  LookResponse,
  RegistrationRequest,
  RegistrationResponse,
  SubscriptionBody,
} from "./registration.ts";
export {
  topicChangeSchema,
  topicListSchema,
  topicNameSchema,
  topicEditSchema,
  topicPolicySchema,
  topicRequestSchema,
  topicSchema,
  topicTokensSchema,
} from "./topic.ts";
export type {
  TopicChange,
  TopicEdit,
  TopicList,
  TopicPolicy,
  TopicRequest,
  TopicTokens,
} from "./topic.ts";
export { userIdSchema, userTokenClaimsSchema } from "./user-token.ts";
export type { UserTokenClaims } from "./user-token.ts";
export { receiptEventSchema, receiptSchema } from "./receipt.ts";
export type { Receipt, ReceiptEvent } from "./receipt.ts";
export { linkAddress, linkExpected } from "./link.ts";
export { firstCharacters, textExpected, textRules } from "./text.ts";
export { keptNotificationSchema, notificationSchema } from "./notification.ts";
export type { NotificationContent, PushPayload } from "./notification.ts";
export { pageConfigElementId, pageConfigSchema, projectConfigSchema } from "./config.ts";
export type { ConsoleConfig, PageConfig, ProjectConfig } from "./config.ts";
export { inexactNumbers, inexactSentence, mayHaveInexactNumbers } from "./inexact-numbers.ts";
export { isNestedAtMost } from "./json.ts";
export type { JsonValue } from "./json.ts";
export { briefTargetSchema, keptTargetSchema, targetSchema } from "./target.ts";
export type { BriefTarget, MessageTarget } from "./target.ts";
export {
  dryRunSchema,
  idempotencyKeyHeader,
  idempotencyKeySchema,
  messageBriefSchema,
  messageDataSchema,
  messageListSchema,
  messageMoveSchema,
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
  MessageMove,
  MessageProgress,
  MessageRequest,
  MessageState,
  MessageStatus,
  MessageSummary,
  Published,
  Urgency,
} from "./message.ts";
export {
  exceptionOutcomeSchema,
  messageExceptionsSchema,
  messageFilterSchema,
  receiptsOverTimeSchema,
} from "./message-views.ts";
export type {
  ExceptionOutcome,
  MessageExceptions,
  MessageFilterQuery,
  ReceiptsOverTime,
} from "./message-views.ts";
export {
  deliverySchema,
  holdReasonSchema,
  holdStateSchema,
  resumedSchema,
  resumeSchema,
} from "./delivery.ts";
export type { DeliveryBody, HoldBody, Resumed } from "./delivery.ts";
export {
  draftContentSchema,
  draftIdSchema,
  draftListSchema,
  draftSaveSchema,
  draftSchema,
  draftSummarySchema,
} from "./draft.ts";
export type { Draft, DraftContent, DraftList, DraftSave, DraftSummary } from "./draft.ts";
export {
  imageFileTypeSchema,
  imageListSchema,
  imageSchema,
  imageTypes,
  imageUsesSchema,
} from "./image.ts";
export type { Image, ImageFileType, ImageList, ImageUses } from "./image.ts";
export { parseCondition } from "./condition.ts";
export type { Condition, ParsedCondition } from "./condition.ts";
