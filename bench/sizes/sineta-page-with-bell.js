export { createMessaging } from "../../packages/client/src/index.ts";
export { NotificationBell } from "../../packages/react/src/index.ts";
import "../../packages/react/src/bell.css";
