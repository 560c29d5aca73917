import { dayMs, isYounger } from "./age.ts";
import { toBase64url } from "./base64url.ts";
import { failingAs, MessagingError } from "./errors.ts";
import { register } from "./registration.ts";
import {
  establishIdentity,
  forgetIdentity,
  type Identity,
  isEndpointConfirmed,
  keepFinding,
} from "./storage/identities.ts";

/** Whether the subscription was made with that VAPID public key; a push service accepts no other for it. */
export function isMadeWith(subscription: PushSubscription, vapidKey: string): boolean {
  const key = subscription.options.applicationServerKey;
  return !!key && toBase64url(key) === vapidKey;
}

/**
 * The present subscription of that worker, or null.
 *
 * @throws MessagingError `subscribe-failed`
 */
export function findSubscription(
  registration: ServiceWorkerRegistration,
): Promise<PushSubscription | null> {
  return failingAs("subscribe-failed", () => registration.pushManager.getSubscription());
}

/**
 * A push subscription made with `vapidKey`: the browser's present one if it can be used, else a new one.
 *
 * @throws MessagingError `server-refused` with `subscription-gone` as `problem` if the push service has ended the second
 * one in a day; whatever the browser throws
 */
async function subscribe(
  { pushManager }: ServiceWorkerRegistration,
  vapidKey: string,
  identity: Identity,
): Promise<PushSubscription> {
  const present = await pushManager.getSubscription();
  if (present) await dropUnusable(present, vapidKey, identity);
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: vapidKey });
}

/**
 * Drops the present subscription if it was made with another VAPID key, or if it may be dead. It may be dead if the server
 * calls it gone or knows another one, or if no server has confirmed it to this browser. A push service may end the
 * new subscription again. So the client drops a doubtful subscription once a day at most.
 */
async function dropUnusable(present: PushSubscription, vapidKey: string, identity: Identity) {
  const { confirmed, lost, droppedAtMs = 0 } = identity;
  const isGone = lost === "subscription-gone";
  const isDoubtful =
    isGone ||
    lost === "registration-outdated" ||
    (!confirmed && !(await isEndpointConfirmed(present.endpoint)));
  if (isDoubtful && !isYounger(droppedAtMs, dayMs)) {
    await present.unsubscribe();
    // If the browser is ended now, the next load finds none, or a new one without a loss.
    await keepFinding(identity, { lost: "subscription-missing", droppedAtMs: Date.now() });
  } else if (isGone) {
    throw new MessagingError("server-refused", { problem: lost });
  } else if (!isMadeWith(present, vapidKey)) await present.unsubscribe();
}

/**
 * Subscribes and registers, and resolves to the token. It tells the server `more` if that is given. The caller holds the
 * lock `registration`: two tabs that subscribe at the same time get two subscriptions from Chromium, and only the later
 * one lives.
 *
 * @throws MessagingError `subscribe-failed`, `server-unreachable`, `server-refused`, `storage-failed`
 */
export async function subscribeAndRegisterHeld(
  registration: ServiceWorkerRegistration,
  registrationsUrl: string,
  vapidKey: string,
  more?: Parameters<typeof register>[3],
): Promise<string> {
  const attempt = (identity: Identity) =>
    failingAs("subscribe-failed", async () =>
      register(identity, await subscribe(registration, vapidKey, identity), vapidKey, more),
    );
  const identity = await establishIdentity(registrationsUrl);
  return attempt(identity).catch(async (error: Partial<MessagingError>) => {
    const { problem } = error;
    if (problem === "subscription-gone") await keepFinding(identity, { lost: problem });
    // The server knows the subscription under another secret: this browser comes back as a new one, with a new subscription.
    else if (problem === "registration-refused") {
      await forgetIdentity(registrationsUrl, "registration-outdated");
    } else throw error;
    return attempt(await establishIdentity(registrationsUrl));
  });
}
