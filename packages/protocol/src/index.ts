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
export { topicNameSchema, topicPolicySchema } from "./topic.ts";
export type { TopicPolicy } from "./topic.ts";
export { userIdSchema, userTokenClaimsSchema } from "./user-token.ts";
export type { UserTokenClaims } from "./user-token.ts";
export { receiptEventSchema, receiptSchema } from "./receipt.ts";
export type { Receipt, ReceiptEvent } from "./receipt.ts";
export { notificationSchema } from "./notification.ts";
export type { NotificationContent, PushPayload } from "./notification.ts";
export { pageConfigElementId, pageConfigSchema, projectConfigSchema } from "./config.ts";
export type { PageConfig, ProjectConfig } from "./config.ts";
