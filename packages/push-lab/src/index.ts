export {
  shownNotifications,
  type ScriptedPage,
  type ShownNotification,
  waitForNotification,
  type WantedNotification,
} from "./browsers/notifications.ts";
export { allowNotifications } from "./chromium/notification-permission.ts";
export type { RegistrationError } from "./chromium/registration-server.ts";
export { PushLabError, type PushLabErrorCode } from "./errors.ts";
export type { LabEvent } from "./events.ts";
export { allowNotificationsInFirefox } from "./firefox/notification-permission.ts";
export type { FirefoxPreferences } from "./firefox/preferences.ts";
export { startPushLab, type LabCertificate, type PushLab, type PushLabOptions } from "./lab.ts";
export type { EndpointAddress } from "./proxy/endpoint-address.ts";
export type { Delivery } from "./push-service/message-queue.ts";
export type { Urgency } from "./push-service/push-request.ts";
export type { Push } from "./push-service/pushes.ts";
export type { ScriptedAnswer } from "./push-service/push-service.ts";
export type { Subscription } from "./push-service/subscriptions.ts";
export type { Vapid, VapidClaims } from "./push-service/vapid.ts";
