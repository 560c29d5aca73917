import { dayMs, hourMs, isYounger } from "../age.ts";
import { failingAs, isNotAllowed, MessagingError } from "../errors.ts";
import { oneAfterTheOther } from "../lock.ts";
import type { Healing, Loss } from "../loss.ts";
import { callRegistration } from "../registration.ts";
import { addressQuestion } from "../shown-address.ts";
import {
  findIdentity,
  forgetIdentity,
  isConfirmed,
  keepFinding,
  keepOff,
} from "../storage/identities.ts";
import { type Notice, onNotice } from "../storage/notices.ts";
import { findSubscription, isMadeWith, subscribeAndRegisterHeld } from "../subscription.ts";
import { canOfferPush } from "./availability.ts";
import { withinDeadline } from "./deadline.ts";
import { lookAndHeal, type HealTarget } from "./heal.ts";
import { hint } from "./hint.ts";
import { findLoss, lossToldByServer } from "./look.ts";
import type { MessagingOptions, WithServer } from "./options.ts";
import { afterLoad, isFirstLoad } from "./page-load.ts";
import { askPermission } from "./permission.ts";
import { findWorker, installWorker, unregisterUnused } from "./worker.ts";

export type TokenRequest = {
  vapidKey: string;
  /**
   * Whether the server must be asked even if it confirmed the token less than 24 hours ago. Default: true, as for a click.
   * With false the request is a load's: it resolves to null after `deleteToken({ stayOff: true })`.
   */
  confirm?: boolean | undefined;
};

export type MessagingState = {
  /** This page load has got a token. */
  enabled: boolean;
  /** The last loss that this page load has found; null where it has found none. */
  loss: Loss | null;
};

/** Push messaging on this page, as far as a bell needs it. The names are those the field knows from Firebase. */
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
   * server that cannot be reached learns of it from the push service at the next send. With `stayOff` the browser keeps
   * that the visitor has turned notifications off: no load gets a token, until one is asked for without `confirm: false`. If
   * that happens before the subscription has ended, all stays, and it resolves to false.
   *
   * @throws MessagingError `worker-failed`, `subscribe-failed`, `storage-failed`
   */
  deleteToken: (options?: { stayOff?: boolean | undefined }) => Promise<boolean>;
  /**
   * Calls `listener` with each notice as it arrives, in whichever tab; returns what ends it. If the browser blocks the site's
   * data, it may call nothing.
   */
  onMessage: (listener: (notice: Notice) => void) => () => void;
  /** How this browser stands, as far as this page load knows. Absent where nothing looks. */
  state?: () => MessagingState;
  /**
   * Calls `listener` when a look after load finds that pushes no longer reach this browser, and again when that is
   * healed or healing has failed; returns what ends it.
   */
  onHealing?: (listener: (healing: Healing) => void) => () => void;
};

/**
 * Push messaging by a Sineta server, with what a registration there can do beyond being sent to. Topics and user need
 * the token, so they come after `getToken`. After load it looks by itself whether pushes still reach this browser, and
 * heals what is lost.
 */
export type SinetaMessaging = Required<Messaging> & {
  /**
   * Puts this browser into an open topic of the project.
   *
   * @throws MessagingError `not-registered`, `server-unreachable`, `server-refused` (with `topic-unknown` or
   * `topic-kept` as `problem`), `storage-failed`
   */
  joinTopic: (topic: string) => Promise<void>;
  /**
   * Takes this browser out of a topic, open or kept.
   *
   * @throws MessagingError `not-registered`, `server-unreachable`, `server-refused` (with `topic-unknown` as
   * `problem`), `storage-failed`
   */
  leaveTopic: (topic: string) => Promise<void>;
  /**
   * Binds this browser to a user of the site, by a JWT that the site's backend has signed; null or undefined unbinds it.
   * Rejects with `not-registered` also if the visitor has turned notifications off, and if the browser has dropped its
   * subscription, as it does when the visitor withdraws the permission: call `deleteToken` then on signing out, or the
   * user's messages come back with the permission.
   *
   * @throws MessagingError `not-registered`, `server-unreachable`, `server-refused` (with `user-token-invalid` or
   * `user-token-expired` as `problem`), `worker-failed`, `subscribe-failed`, `storage-failed`
   */
  setUser: (userToken: string | null | undefined) => Promise<void>;
  /**
   * For a visitor who asks to be forgotten: has the server remove all that could tell whose browser this was, then ends
   * the subscription and forgets the token. Where the server cannot be told it rejects, and nothing has changed.
   *
   * @throws MessagingError `not-registered`, `server-unreachable`, `server-refused`, `worker-failed`,
   * `subscribe-failed`, `storage-failed`
   */
  forget: () => Promise<void>;
};

/** TypeScript's library leaves `prerendering` out (HTML standard, "prerendering"). */
declare const document: Document & { readonly prerendering?: boolean };

/** What was created, by its addresses and key: whoever asks again for the same gets the same. */
const created: Record<string, SinetaMessaging> = {};

/**
 * Push messaging for this page, or null where it cannot be offered: only on a secure https page, never in an
 * iPhone's, iPad's or iPod's browser, and only with a VAPID key. Null on a server, too, and if an option is wrong. The
 * same options give the same object, so that a page asks once on load wherever its bells create it.
 */
export function createMessaging<Server extends string>(
  options: MessagingOptions & WithServer<Server>,
): SinetaMessaging | null {
  try {
    if (!canOfferPush(options)) return null;

    const { project, worker, server } = options;
    const { href } = new URL(
      `/v1/projects/${encodeURIComponent(project || "default")}/registrations`,
      server || location.origin,
    );
    const workerUrl = new URL(worker || "/sineta-sw.js", location.href);
    // Browsers keep a worker's address without its fragment.
    workerUrl.hash = "";
    // An "@" follows a user's name and password. `fetch` refuses them.
    if (!/^https?:[^@]+$/.test(href) || workerUrl.origin !== location.origin) throw new Error(href);
    const identification = JSON.stringify([href, workerUrl, options.vapidKey]);
    return (created[identification] ??= messagingOf(options, href, workerUrl.href));
  } catch (error) {
    // Whatever is wrong with an option, the rest of the page goes on.
    hint((hints) => hints.sayNoMessaging(options, error));
    return null;
  }
}

function messagingOf(
  options: MessagingOptions,
  registrationsUrl: string,
  workerUrl: string,
): SinetaMessaging {
  let running: Promise<string | null> | undefined;
  /** What this page load has asked for last. */
  let asked: Promise<string | null> | undefined;
  let state: MessagingState = { enabled: false, loss: null };
  const healingListeners = new Set<(healing: Healing) => void>();

  const { vapidKey: ownKey } = options;
  const own = options.serviceWorkerRegistration || undefined;
  /** Code without types may pass a promise, and that may never settle. */
  const given =
    own &&
    (() =>
      withinDeadline(Promise.resolve(own)).catch((cause) => {
        throw new MessagingError("worker-failed", { cause });
      }));
  const installed = given ?? (() => findWorker(workerUrl));
  const install = given ?? (() => installWorker(workerUrl));
  /** The address to compare with that of the present worker; undefined for the site's own worker. */
  const ourUrl = own ? undefined : workerUrl;

  /**
   * The token if the server confirmed it within the last day, no loss is found, and `confirm` is false; else undefined.
   * Keeps the loss that it finds, so that the registration tells it. If the last confirmation is over a day old, it asks the
   * server for a loss, too, unless `confirm` is set.
   */
  async function confirmedToken(vapidKey: string, confirm: boolean): Promise<string | undefined> {
    const identity = await findIdentity(registrationsUrl);
    if (!isConfirmed(identity)) return undefined;
    const { token, atMs } = identity.confirmed;
    const isRecent = isYounger(atMs, dayMs);
    const seenHere = await findLoss(identity, await installed(), vapidKey, confirm && ourUrl);
    const lost = seenHere ?? (confirm || isRecent ? null : await lossToldByServer(identity));
    if (!lost) return !confirm && isRecent ? token : undefined;
    await keepFinding(identity, { lost });
    state = { ...state, loss: { cause: lost, healed: false } };
    return undefined;
  }

  /** Resolves to null if the visitor has turned notifications off meanwhile. The caller holds the lock `registration`. */
  async function registerHeld(
    worker: ServiceWorkerRegistration,
    key: string,
  ): Promise<string | null> {
    if (await endIfOffHeld()) return null;
    const token = await subscribeAndRegisterHeld(worker, registrationsUrl, key);
    await unregisterUnused();
    return token;
  }

  /** What runs already is shared: one subscription, one registration, however many ask. */
  function renewedToken(vapidKey: string): Promise<string | null> {
    // No other tab waits for the worker's file, which may be long in coming.
    return (running ??= install()
      .then((worker) => oneAfterTheOther("registration", () => registerHeld(worker, vapidKey)))
      .finally(() => {
        running = undefined;
      }));
  }

  async function ask(vapidKey: string, confirm: boolean): Promise<string | null> {
    try {
      // If the visitor has turned notifications off, a load opens no question. If the storage cannot tell, it does. A click
      // must ask before anything else.
      const kept = confirm
        ? undefined
        : await findIdentity(registrationsUrl).catch(() => undefined);
      if (kept?.off || (await askPermission()) !== "granted") return null;
      return await withinDeadline(obtain(vapidKey, confirm));
    } catch (error) {
      if (isNotAllowed(error)) return null;
      hint((hints) =>
        hints.sayNoToken(error, { ...options, vapidKey, registrationsUrl, workerUrl, install }),
      );
      throw error;
    }
  }

  async function obtain(vapidKey: string, confirm: boolean): Promise<string | null> {
    if (confirm) await keepOff(registrationsUrl, false);
    const token = (await confirmedToken(vapidKey, confirm)) ?? (await renewedToken(vapidKey));
    if (token) enable();
    return token;
  }

  /** A token also means that the loss is healed. */
  function enable() {
    state = { enabled: true, loss: state.loss && { ...state.loss, healed: true } };
  }

  async function lookAfterLoad(): Promise<void> {
    await afterLoad();
    // A registration counts as a look. If it fails, the next load heals.
    await asked;
    if (await oneAfterTheOther("registration", endIfOffHeld)) return;
    if (Notification.permission !== "granted") return;
    const target: HealTarget = {
      registrationsUrl,
      vapidKey: ownKey,
      workerUrl: ourUrl,
      installed,
      register: async () => registerHeld(await install(), ownKey),
    };
    const patienceMs = isFirstLoad(registrationsUrl) ? hourMs : dayMs;
    await lookAndHeal(target, patienceMs, (healing) => {
      state = { ...state, loss: { cause: healing.cause, healed: false } };
      if (healing.token) enable();
      healingListeners.forEach((listener) => queueMicrotask(() => listener(healing)));
    });
  }
  navigator.serviceWorker.addEventListener("message", ({ data, ports: [port] }) => {
    // A page that is prerendered shows nothing. The browser would not bring it forward.
    if (data === addressQuestion) port?.postMessage(document.prerendering || location.href);
  });

  // The next load tries again.
  lookAfterLoad().catch(() => undefined);

  function changeTopic(method: "PUT" | "DELETE", topic: unknown): Promise<void> {
    return oneAfterTheOther("registration", async () => {
      // The server knows no topic with another character than these (protocol's topic.ts). In an address, "." and ".."
      // mean another place.
      const name = String(topic).replace(/^\.{0,2}$|[^\w.~-]/g, "!");
      return callRegistration(await findIdentity(registrationsUrl), method, `/topics/${name}`);
    });
  }

  /** The caller holds the lock `registration`. */
  async function dropHeld(): Promise<void> {
    const registration = await installed();
    const present = registration && (await findSubscription(registration));
    if (present) await failingAs("subscribe-failed", () => present.unsubscribe());
    await forgetIdentity(registrationsUrl);
    await unregisterUnused();
    state = { enabled: false, loss: null };
  }

  /** As `dropHeld`, and tells the server. Resolves to whether there was a token. */
  async function endHeld(): Promise<boolean> {
    const identity = await findIdentity(registrationsUrl);
    await dropHeld();
    // Without a token this rejects at once.
    await callRegistration(identity, "DELETE").catch(() => undefined);
    return !!identity?.confirmed;
  }

  /**
   * Whether the visitor has turned notifications off. Does the rest if the page that was to do it has ended in the middle. The
   * caller holds the lock `registration`.
   */
  async function endIfOffHeld(): Promise<boolean | undefined> {
    const identity = await findIdentity(registrationsUrl);
    if (identity?.off && identity.confirmed) await endHeld();
    return identity?.off;
  }

  return {
    vapidKey: ownKey,

    // Code without types may leave out the request, as with Firebase's own function.
    getToken(request) {
      return (asked = ask(request?.vapidKey ?? ownKey, request?.confirm ?? true));
    },

    async deleteToken(request) {
      const stayOff = request?.stayOff;
      // The lock may be long in coming. If the page ends before, the next load does the rest.
      if (stayOff) await keepOff(registrationsUrl, true);
      return oneAfterTheOther("registration", async () =>
        // If the visitor has turned notifications on again meanwhile, all stays.
        stayOff && !(await findIdentity(registrationsUrl))?.off ? false : endHeld(),
      );
    },

    forget: () =>
      oneAfterTheOther("registration", async () => {
        await callRegistration(await findIdentity(registrationsUrl), "POST", "/forget");
        await dropHeld();
      }),

    onMessage(listener) {
      try {
        return onNotice(listener);
      } catch (error) {
        // If the visitor blocks the site's data, Firefox refuses a BroadcastChannel.
        hint((hints) => hints.sayNoMessages(error));
        return () => undefined;
      }
    },

    state: () => state,

    onHealing(listener) {
      healingListeners.add(listener);
      return () => healingListeners.delete(listener);
    },

    joinTopic: (topic) => changeTopic("PUT", topic),
    leaveTopic: (topic) => changeTopic("DELETE", topic),

    setUser: (userToken) =>
      oneAfterTheOther("registration", async () => {
        const identity = await findIdentity(registrationsUrl);
        const vapidKey = isConfirmed(identity) ? identity.confirmed.vapidKey : "";
        const registration = await installed();
        const present = registration && (await findSubscription(registration));
        if (!(registration && present && isMadeWith(present, vapidKey))) {
          throw new MessagingError("not-registered");
        }
        await subscribeAndRegisterHeld(registration, registrationsUrl, vapidKey, {
          // JSON would leave out undefined, and the user would stay.
          userToken: userToken ?? null,
        });
      }),
  };
}
