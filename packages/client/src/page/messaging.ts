import { failingAs, isNotAllowed } from "../errors.ts";
import { unregister } from "../registration.ts";
import { findIdentity, forgetIdentity } from "../storage/identities.ts";
import { type Notice, onNotice } from "../storage/notices.ts";
import { isMadeWith, oneAfterTheOther, subscribeAndRegister } from "../subscription.ts";
import { isPushAvailable } from "./availability.ts";
import { withinDeadline } from "./deadline.ts";
import { installWorker, workerScope } from "./worker.ts";

export type MessagingOptions = {
  /** The project's public VAPID key, base64url: `sineta keys` prints it. */
  vapidKey: string;
  /** Origin of the Sineta server. Default: the page's own origin. */
  server?: string;
  /** Default: `default`. */
  project?: string;
  /** Address of the worker's file, on the page's own origin. Default: `/sineta-sw.js`. */
  worker?: string;
  /** A registration of an own worker that calls Sineta's worker functions; then `worker` is not used. */
  serviceWorkerRegistration?: ServiceWorkerRegistration;
  /** Let `http://localhost` and its kin count as secure, for development. Default: false. */
  allowLoopback?: boolean;
};

export type TokenRequest = {
  vapidKey: string;
  /**
   * Whether the server must be asked even if it confirmed the token less than 24 hours ago. Default: true.
   */
  confirm?: boolean;
};

/** Push messaging on this page. The names are those the field knows from Firebase. */
export type Messaging = {
  /** The public VAPID key that token requests are to carry. */
  readonly vapidKey: string;
  /**
   * Asks for the browser's push token, and for permission if that is open. Resolves to null where permission is
   * not granted. Call it directly in a click's handler: some browsers ask only then.
   *
   * @throws MessagingError every code of docs/errors.md, "browser"
   */
  getToken: (request: TokenRequest) => Promise<string | null>;
  /**
   * Ends the subscription and forgets the token, here and at the server. Resolves to whether there was one. A
   * server that cannot be reached learns of it from the push service at the next send.
   */
  deleteToken: () => Promise<boolean>;
  /** Calls `listener` with each notice as it arrives, in whichever tab; returns what ends it. */
  onMessage: (listener: (notice: Notice) => void) => () => void;
};

const confirmedForMs = 24 * 60 * 60 * 1000;

/** What was created, by its addresses and key: whoever asks again for the same gets the same. */
const created = new Map<string, Messaging>();

/**
 * Push messaging for this page, or null where it cannot be offered: only on a secure https page, never in an
 * iPhone's, iPad's or iPod's browser, and only with a VAPID key. Null on a server, too. The same options give the same object, so that a page asks once on
 * load wherever its bells create it.
 */
export function createMessaging(options: MessagingOptions): Messaging | null {
  if (typeof window === "undefined" || !options.vapidKey) return null;
  if (!isPushAvailable(window, options.allowLoopback ?? false)) return null;

  const { server = "", project = "default", worker = "/sineta-sw.js" } = options;
  const path = `/v1/projects/${encodeURIComponent(project)}/registrations`;
  const addresses: Addresses = {
    registrationsUrl: new URL(path, server || location.href).href,
    workerUrl: new URL(worker, location.href).href,
  };
  const identification = JSON.stringify([addresses, options.vapidKey]);
  const messaging = created.get(identification) ?? messagingOf(options, addresses);
  created.set(identification, messaging);
  return messaging;
}

type Addresses = { registrationsUrl: string; workerUrl: string };

function messagingOf(
  options: MessagingOptions,
  { registrationsUrl, workerUrl }: Addresses,
): Messaging {
  let running: Promise<string> | undefined;

  async function installed() {
    return (
      options.serviceWorkerRegistration ??
      (await navigator.serviceWorker.getRegistration(workerScope(workerUrl)))
    );
  }

  /** The token that the server confirmed of late, if subscription and key are still what they were. */
  async function confirmedToken(vapidKey: string): Promise<string | undefined> {
    const registration = await installed();
    const subscription = await registration?.pushManager.getSubscription();
    const confirmed = (await findIdentity(registrationsUrl))?.confirmed;
    if (!subscription || !confirmed || !isMadeWith(subscription, vapidKey)) return undefined;
    const ageMs = Date.now() - confirmed.atMs;
    const isUnchanged =
      confirmed.endpoint === subscription.endpoint && confirmed.vapidKey === vapidKey;
    return isUnchanged && ageMs >= 0 && ageMs < confirmedForMs ? confirmed.token : undefined;
  }

  /** What runs already is shared: one subscription, one registration, however many ask. */
  function renewedToken(vapidKey: string): Promise<string> {
    running ??= (async () => {
      const registration = options.serviceWorkerRegistration ?? (await installWorker(workerUrl));
      return subscribeAndRegister(registration, registrationsUrl, vapidKey);
    })().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function obtain({ vapidKey, confirm = true }: TokenRequest): Promise<string | null> {
    try {
      const known = confirm ? undefined : await confirmedToken(vapidKey);
      return known ?? (await renewedToken(vapidKey));
    } catch (error) {
      if (isNotAllowed(error)) return null;
      throw error;
    }
  }

  return {
    vapidKey: options.vapidKey,

    async getToken(request) {
      if ((await askPermission()) !== "granted") return null;
      return withinDeadline(obtain(request));
    },

    deleteToken: () =>
      oneAfterTheOther(async () => {
        const registration = await installed();
        const identity = await findIdentity(registrationsUrl);
        await failingAs("subscribe-failed", async () => {
          await (await registration?.pushManager.getSubscription())?.unsubscribe();
        });
        await forgetIdentity(registrationsUrl);
        if (!identity?.confirmed) return false;
        await unregister(identity).catch(() => undefined);
        return true;
      }),

    onMessage: onNotice,
  };
}

async function askPermission(): Promise<NotificationPermission> {
  try {
    return Notification.permission === "default"
      ? await Notification.requestPermission()
      : Notification.permission;
  } catch (error) {
    if (isNotAllowed(error)) return "denied";
    throw error;
  }
}
