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
export type { Fault, Rule } from "./faults/fault.ts";
export type { RuleHandle, RuleReport } from "./faults/rules.ts";
export type { FirefoxPreferences } from "./firefox/preferences.ts";
export {
  startPushLab,
  type LabCertificate,
  type PushLab,
  type PushLabOptions,
  type ScriptedAnswer,
} from "./lab.ts";
export type { EndpointAddress } from "./proxy/endpoint-address.ts";
export type { Delivery } from "./push-service/message-queue.ts";
export type { Urgency } from "./push-service/push-request.ts";
export type { Push } from "./push-service/pushes.ts";
export type { Subscription } from "./push-service/subscriptions.ts";
export type { Vapid, VapidClaims } from "./push-service/vapid.ts";
export type { OriginCounts, SinkCounts } from "./sink/counts.ts";
export type { KeptPush } from "./sink/reception.ts";
export { type Sink, type SinkOptions, type SinkSubscription, startSink } from "./sink/sink.ts";
