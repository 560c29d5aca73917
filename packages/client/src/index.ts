export { createMessaging } from "./page/messaging.ts";
export type { Messaging, MessagingOptions, TokenRequest } from "./page/messaging.ts";
export { notificationsOf } from "./page/notifications.ts";
export type { Asker, Notifications, NotificationsState } from "./page/notifications.ts";
export { listNotices } from "./storage/notices.ts";
export type { Notice } from "./storage/notices.ts";
export { MessagingError } from "./errors.ts";
export type { MessagingErrorCode } from "./errors.ts";
