export { initializeApp } from "firebase/app";
export { getMessaging } from "firebase/messaging";
export { fromFirebase } from "../../packages/client/src/page/firebase.ts";
export { NotificationBell } from "../../packages/react/src/index.ts";
import "../../packages/react/src/bell.css";
