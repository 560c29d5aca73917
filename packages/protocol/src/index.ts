export { limits } from "./limits.ts";
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
export { targetSchema } from "./target.ts";
export type { MessageTarget } from "./target.ts";
export {
  dryRunSchema,
  idempotencyKeyHeader,
  idempotencyKeySchema,
  messageDataSchema,
  messageListSchema,
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
