export { createMessaging } from "./page/messaging.ts";
export type { MessagingOptions, WithServer } from "./page/options.ts";
export type { Messaging, MessagingState, SinetaMessaging, TokenRequest } from "./page/messaging.ts";
export type { Healing, Loss, LossCause } from "./loss.ts";
export { notificationsOf } from "./page/notifications.ts";
export type { Asker, Notifications, NotificationsState } from "./page/notifications.ts";
export { listNotices } from "./storage/notices.ts";
export type { Notice } from "./storage/notices.ts";
export { MessagingError } from "./errors.ts";
export type { MessagingErrorCode } from "./errors.ts";

// For an adapter to another messaging library; page/firebase.ts is one.
export { canOfferPush } from "./page/availability.ts";
export type { Offer } from "./page/availability.ts";
export { withinDeadline } from "./page/deadline.ts";
