/** A page that has Firebase Cloud Messaging already, and puts Sineta's bell on it. */
import { fromFirebase } from "@sineta/client/firebase";
import { NotificationBell, type SetTokenAction } from "@sineta/react";
import "@sineta/react/bell.css";
import { initializeApp } from "firebase/app";
import { getMessaging } from "firebase/messaging";
import { createRoot } from "react-dom/client";
import { firebaseConfig } from "./config.ts";

const messaging = fromFirebase(getMessaging(initializeApp(firebaseConfig)), {
  vapidKey: new URLSearchParams(location.search).get("vapidKey") ?? "",
  allowLoopback: true,
});
const actions: SetTokenAction[] = [];
const notices: unknown[] = [];
messaging?.onMessage((notice) => notices.push(notice));
Object.assign(window, { messaging, recordedActions: actions, recordedNotices: notices });

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <NotificationBell messaging={messaging} dispatch={(action) => actions.push(action)} />,
  );
}
