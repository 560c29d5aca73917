export { initializeApp } from "firebase/app";
export { getMessaging, getToken, onMessage } from "firebase/messaging";
