import {
  canOfferPush,
  type Messaging,
  type Notice,
  type Offer,
  withinDeadline,
} from "@sineta/client";
import {
  deleteToken,
  getToken,
  type MessagePayload,
  type Messaging as FirebaseMessaging,
  onMessage,
} from "firebase/messaging";
import { isNotAllowed } from "../errors.ts";
import { askPermission } from "./permission.ts";

/** Scope of the worker that Firebase registers by itself (its `DEFAULT_SW_SCOPE`). */
const firebaseScope = "/firebase-cloud-messaging-push-scope";

/** What was adapted: whoever asks again for the same gets the same, so that a page asks once on load. */
const adapted = new WeakMap<FirebaseMessaging, Messaging>();

/**
 * Firebase's messaging object as the bell knows it: tokens are Firebase's, and so is the worker that shows what
 * arrives (`/firebase-messaging-sw.js`). Null where push cannot be offered, as with `createMessaging`. Also null for
 * what is no messaging object, such as null: where `isSupported` says no, Firebase's own `getMessaging` throws.
 *
 * `getToken` resolves to null where permission is not granted and otherwise rejects with Firebase's own error, or
 * with the MessagingError `token-timeout`. Firebase decides itself when it asks its server anew, whatever
 * `confirm` says. `deleteToken` ends the subscription even if Firebase's server cannot be told. A data message shows nothing, so `onMessage` passes on notification messages only.
 */
export function fromFirebase(firebase: FirebaseMessaging | null, offer: Offer): Messaging | null {
  // Code without types may pass anything, and none of it may end the page's script.
  if (!firebase || typeof firebase !== "object" || !isOffered(offer)) return null;
  const present = adapted.get(firebase);
  if (present?.vapidKey === offer.vapidKey) return present;
  const messaging = messagingOn(firebase, offer.vapidKey);
  adapted.set(firebase, messaging);
  return messaging;
}

/** On some pages reading `navigator.serviceWorker` throws. */
function isOffered(offer: Offer): boolean {
  try {
    return canOfferPush({ ...offer });
  } catch {
    return false;
  }
}

function messagingOn(firebase: FirebaseMessaging, ownKey: string): Messaging {
  // Each project of Firebase has a key of its own. Its messaging object does not tell the project: `app` is undefined.
  const decision = keptDecision(`sineta off ${ownKey}`);
  let running: Promise<string> | undefined;
  const listeners = new Set<(notice: Notice) => void>();
  let stopListening: (() => void) | undefined;

  /** What runs already is shared: two requests at the same time would get two tokens from Firebase. */
  async function obtain(vapidKey: string): Promise<string | null> {
    running ??= getToken(firebase, { vapidKey }).finally(() => {
      running = undefined;
    });
    try {
      const token = await running;
      if (!decision.isOff()) return token || null;
      // The visitor has turned notifications off meanwhile.
      await end();
      return null;
    } catch (error) {
      if (isRefusal(error)) return null;
      throw error;
    }
  }

  async function turnOff(): Promise<boolean> {
    decision.keep("ending");
    const hadToken = await end();
    if (decision.isOff()) decision.keep("ended");
    return hadToken;
  }

  async function end(): Promise<boolean> {
    try {
      return await deleteToken(firebase);
    } catch (error) {
      // Firebase asks its server first, and keeps the subscription if that fails.
      const registration = await navigator.serviceWorker.getRegistration(firebaseScope);
      const subscription = await registration?.pushManager.getSubscription();
      if (!(await subscription?.unsubscribe())) throw error;
      return true;
    }
  }

  return {
    vapidKey: ownKey,

    // Firebase would ask for the permission, too; asked here, its open question stands outside the clock.
    async getToken(request) {
      // Code without types may leave out the request, as with Firebase's own function.
      const vapidKey = request?.vapidKey ?? ownKey;
      const confirm = request?.confirm ?? true;
      if (!confirm && decision.isOff()) {
        // The page that turned notifications off has ended in the middle.
        if (decision.isEnding()) await turnOff();
        return null;
      }
      if (!(await isGranted())) return null;
      if (confirm) decision.keep(null);
      return withinDeadline(obtain(vapidKey));
    },

    deleteToken: (options) => (options?.stayOff ? turnOff() : end()),

    // Firebase has room for one listener; the bell's page may have several.
    onMessage(listener) {
      const own = (notice: Notice) => listener(notice);
      if (listeners.size === 0) {
        stopListening = onMessage(firebase, (payload) => {
          const notice = noticeOf(payload, Date.now());
          // One that throws keeps the others from nothing.
          if (notice) for (const one of listeners) queueMicrotask(() => one(notice));
        });
      }
      listeners.add(own);
      return () => {
        if (listeners.delete(own) && listeners.size === 0) stopListening?.();
      };
    },
  };
}

/**
 * The visitor's decision to turn notifications off. Local storage keeps it for each tab and each load. If the browser
 * blocks that, or if it is full, the decision lasts as long as the page.
 */
function keptDecision(key: string) {
  /** The decision, where it could not be stored. */
  let here: string | null = null;
  const read = () => {
    try {
      return localStorage.getItem(key) ?? here;
    } catch {
      return here;
    }
  };
  return {
    isOff: () => read() !== null,
    isEnding: () => read() === "ending",
    keep(decision: "ending" | "ended" | null) {
      here = null;
      try {
        if (decision) localStorage.setItem(key, decision);
        else localStorage.removeItem(key);
      } catch {
        here = decision;
      }
    },
  };
}

/** Asks for the permission if that is open. A browser that refuses to ask has denied it. */
async function isGranted(): Promise<boolean> {
  try {
    return (await askPermission()) === "granted";
  } catch (error) {
    if (isNotAllowed(error)) return false;
    throw error;
  }
}

/** Whether the browser refused for want of permission: that is "none", not a failure. */
function isRefusal(error: unknown): boolean {
  return (
    isNotAllowed(error) ||
    (error instanceof Error &&
      "code" in error &&
      (error.code === "messaging/permission-blocked" ||
        error.code === "messaging/permission-default"))
  );
}

function noticeOf(
  { messageId, notification, fcmOptions, data }: MessagePayload,
  receivedAtMs: number,
): Notice | undefined {
  if (!notification) return undefined;
  const { title = "", body, icon } = notification;
  const navigate = new URL(fcmOptions?.link ?? "/", location.href).href;
  return { id: messageId, title, body, navigate, icon, data, receivedAtMs };
}
