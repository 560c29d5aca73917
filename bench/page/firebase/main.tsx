/**
 * The same bell on Firebase Cloud Messaging. The project exists nowhere: without permission Firebase asks nobody for anything, so what
 * is loaded and drawn here is all that a page loads and draws until its visitor allows notifications.
 */
import { fromFirebase } from "@sineta/client/firebase";
import { NotificationBell } from "@sineta/react";
import "@sineta/react/bell.css";
import { initializeApp } from "firebase/app";
import { getMessaging } from "firebase/messaging";
import { createRoot } from "react-dom/client";

const app = initializeApp({
  apiKey: "api-key-of-no-project",
  appId: "1:123456789012:web:0123456789abcdef",
  messagingSenderId: "123456789012",
  projectId: "no-project",
});
const { vapidKey } = JSON.parse(document.getElementById("sineta-config")?.textContent ?? "{}");
const messaging = fromFirebase(getMessaging(app), { vapidKey, allowLoopback: true });
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <header>
      <h1>Padaria</h1>
      <NotificationBell messaging={messaging} />
    </header>,
  );
}
