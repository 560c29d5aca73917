export { default as OneSignal } from "react-onesignal";
