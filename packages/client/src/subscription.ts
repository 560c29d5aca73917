import { toBase64url } from "./base64url.ts";
import { failingAs, MessagingError } from "./errors.ts";
import { register } from "./registration.ts";
import { establishIdentity, forgetIdentity } from "./storage/identities.ts";

/** Whether the subscription was made with that VAPID public key; a push service accepts no other for it. */
export function isMadeWith(subscription: PushSubscription, vapidKey: string): boolean {
  const key = subscription.options.applicationServerKey;
  return key !== null && toBase64url(key) === vapidKey;
}

/**
 * A push subscription made with `vapidKey`: the one that is there, or a new one. One that was made with another
 * key is replaced. The lock keeps a second tab from ending what the first has just made.
 *
 * @throws MessagingError `subscribe-failed`; the browser's own NotAllowedError
 */
async function subscribe(
  registration: ServiceWorkerRegistration,
  vapidKey: string,
): Promise<PushSubscription> {
  return failingAs("subscribe-failed", async () => {
    await navigator.locks.request("sineta-subscription", async () => {
      const present = await registration.pushManager.getSubscription();
      if (present && !isMadeWith(present, vapidKey)) await present.unsubscribe();
    });
    return registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: vapidKey,
    });
  });
}

/**
 * Subscribes and registers, and resolves to the token. A server that knows the subscription under another secret
 * refuses it: then this browser has lost what it was, and comes back as a new one.
 *
 * @throws MessagingError `subscribe-failed`, `server-unreachable`, `server-refused`, `storage-failed`
 */
export async function subscribeAndRegister(
  registration: ServiceWorkerRegistration,
  registrationsUrl: string,
  vapidKey: string,
): Promise<string> {
  const subscription = await subscribe(registration, vapidKey);
  try {
    return await register(await establishIdentity(registrationsUrl), subscription, vapidKey);
  } catch (error) {
    if (!(error instanceof MessagingError) || error.problem !== "registration-refused") throw error;
    await forgetIdentity(registrationsUrl);
    await subscription.unsubscribe();
    const renewed = await subscribe(registration, vapidKey);
    return register(await establishIdentity(registrationsUrl), renewed, vapidKey);
  }
}
