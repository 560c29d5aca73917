export { initializeApp } from "firebase/app";
export { getMessaging, onBackgroundMessage } from "firebase/messaging/sw";
