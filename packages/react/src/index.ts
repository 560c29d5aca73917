export { NotificationBell } from "./notification-bell.tsx";
export type { NotificationBellProps } from "./notification-bell.tsx";
export type { BellLabels } from "./texts.ts";
export { useNotifications } from "./use-notifications.ts";
export type {
  MessagingSource,
  NotificationsOptions,
  NotificationsView,
} from "./use-notifications.ts";
export { setToken, tokenReducer } from "./set-token.ts";
export type { SetTokenAction } from "./set-token.ts";
