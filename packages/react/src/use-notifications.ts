import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import {
  createMessaging,
  type Messaging,
  type MessagingOptions,
  notificationsOf,
  type NotificationsState,
  type WithServer,
} from "@sineta/client";
import { setToken, type SetTokenAction } from "./set-token.ts";

/**
 * Either a messaging object, or what `createMessaging` takes. The latter is made of texts, so that a React Server
 * Component can pass it on; the object is then made in the browser.
 */
export type MessagingSource =
  | {
      /** What `createMessaging` gave: null where push cannot be offered. */
      messaging: Messaging | null;
    }
  | (MessagingOptions & { messaging?: undefined });

export type NotificationsOptions = MessagingSource & {
  /** The shared state's dispatch: gets the `setToken` action for every token returned. */
  dispatch?: ((action: SetTokenAction) => unknown) | undefined;
  /** Gets the cause of a failure. The console gets its line without it; of healing that failed, it gets none. */
  onError?: ((error: unknown) => void) | undefined;
  /**
   * Whether to ask for a token on load even if the browser then opens its question. With false a load asks only where the
   * permission is granted. Once it becomes true, it asks. Default: true.
   */
  askOnLoad?: boolean | undefined;
};

export type NotificationsView = NotificationsState & {
  /** Whether push messaging was initialised. False on a server and while hydrating. */
  available: boolean;
  /** Asks for a token again. Call it directly in a click's handler. */
  ask: () => void;
  /**
   * Turns notifications off. Each bell and control of the page dispatches `setToken` with null then. No load asks again
   * until `ask` is called. If it fails, `onError` gets the cause, and the state stays as it was.
   */
  disable: () => void;
};

const nothing: NotificationsState = {
  enabled: false,
  busy: false,
  token: null,
  error: null,
  loss: null,
};
const unsubscribed = () => () => undefined;

/** The messaging object to use; null where there is none. The same options give the same object, however often it runs. */
function messagingIn(options: NotificationsOptions): Messaging | null {
  if (options.messaging === undefined) return createMessaging<string>(options);
  const { messaging } = options;
  if (messaging === null || typeof messaging.getToken === "function") return messaging;
  // Without a key there is none, and the hint names the option `messaging`.
  return createMessaging({ ...options, vapidKey: "" });
}

/** A browser without push may have no `Notification` at all, and reading its permission may throw. */
function isGranted(): boolean {
  try {
    return globalThis.Notification?.permission === "granted";
  } catch {
    return false;
  }
}

/**
 * The bell's state and its requests, for a control of your own. Asks for a token once per page load, by itself.
 */
export function useNotifications<Server extends string>(
  given: NotificationsOptions & WithServer<Server>,
): NotificationsView {
  // Code without types may pass anything, and what throws here takes React's page down.
  const options: NotificationsOptions = { ...given };
  const messaging = messagingIn(options);
  const notifications = notificationsOf(messaging);
  const state = useSyncExternalStore(
    notifications?.subscribe ?? unsubscribed,
    () => notifications?.getState() ?? null,
    () => null,
  );

  // Stands for the dispatch where there is none: by it the bell is known.
  const [own] = useState(() => ({}));
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const asker = useCallback(() => {
    const { dispatch, onError } = latest.current;
    return {
      onToken: (token: string) => void dispatch?.(setToken(token)),
      onDisabled: () => void dispatch?.(setToken(null)),
      onError: (error: unknown) => onError?.(error),
    };
  }, []);

  const askOnLoad = options.askOnLoad ?? true;
  useEffect(() => {
    if (!notifications) return;
    const mayAsk = askOnLoad || isGranted();
    notifications.askOnLoad(latest.current.dispatch ?? own, asker(), mayAsk);
  }, [notifications, asker, own, askOnLoad]);

  const ask = useCallback(() => notifications?.ask(asker()), [notifications, asker]);
  const disable = useCallback(() => notifications?.disable(), [notifications]);

  return { ...(state ?? nothing), available: state !== null, ask, disable };
}
