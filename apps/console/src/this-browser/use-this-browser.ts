import {
  createMessaging,
  notificationsOf,
  type Messaging,
  type MessagingOptions,
  type NotificationsState,
} from "@sineta/client";
import { useEffect, useSyncExternalStore } from "react";

/** The server writes it into the page (http/site.ts), as into the site's. */
const configElementId = "sineta-config";

function readConfig(page: Document): MessagingOptions | null {
  const text = page.getElementById(configElementId)?.textContent;
  return text ? JSON.parse(text) : null;
}

const config = readConfig(document);
/** Null where push cannot be offered. The console is a page of the project's own origin: what it asks for, the site has, too. */
const messaging: Messaging | null = config && createMessaging(config);
const notifications = notificationsOf(messaging);

const off: NotificationsState = {
  enabled: false,
  busy: false,
  token: null,
  error: null,
  loss: null,
};
const asker = {};

/** The registration of the browser that the operator works in. */
export type ThisBrowser = NotificationsState & {
  /** For the bell, and to hear what arrives; null where push cannot be offered. */
  messaging: Messaging | null;
  /** Asks for permission and a token. Call it directly in a click's handler. */
  enable(): void;
};

/** Asks nobody for anything by itself: the token is there by itself where notifications are allowed already. */
export function useThisBrowser(): ThisBrowser {
  const state = useSyncExternalStore(
    notifications?.subscribe ?? (() => () => undefined),
    () => notifications?.getState() ?? off,
  );
  useEffect(() => {
    if (messaging !== null && Notification.permission === "granted") {
      notifications?.askOnLoad(asker);
    }
  }, []);
  return { ...state, messaging, enable: () => notifications?.ask() };
}
