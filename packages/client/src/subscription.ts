import { toBase64url } from "./base64url.ts";
import { failingAs, MessagingError } from "./errors.ts";
import { oneAfterTheOther } from "./lock.ts";
import { register } from "./registration.ts";
import { establishIdentity, forgetIdentity } from "./storage/identities.ts";

/** Whether the subscription was made with that VAPID public key; a push service accepts no other for it. */
export function isMadeWith(subscription: PushSubscription, vapidKey: string): boolean {
  const key = subscription.options.applicationServerKey;
  return key !== null && toBase64url(key) === vapidKey;
}

/**
 * A push subscription made with `vapidKey`: the one that is there, or a new one. One that was made with another
 * key is replaced.
 *
 * @throws MessagingError `subscribe-failed`; the browser's own NotAllowedError
 */
async function subscribe(
  registration: ServiceWorkerRegistration,
  vapidKey: string,
): Promise<PushSubscription> {
  return failingAs("subscribe-failed", async () => {
    const present = await registration.pushManager.getSubscription();
    if (present && !isMadeWith(present, vapidKey)) await present.unsubscribe();
    return registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: vapidKey,
    });
  });
}

/**
 * Subscribes and registers, and resolves to the token. One tab after the other: two that subscribe at the same
 * time get two subscriptions from Chromium, and only the later one lives.
 *
 * @throws MessagingError `subscribe-failed`, `server-unreachable`, `server-refused`, `storage-failed`
 */
export function subscribeAndRegister(
  registration: ServiceWorkerRegistration,
  registrationsUrl: string,
  vapidKey: string,
): Promise<string> {
  return oneAfterTheOther("registration", async () => {
    const attempt = async () => {
      const subscription = await subscribe(registration, vapidKey);
      return register(await establishIdentity(registrationsUrl), subscription, vapidKey);
    };
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof MessagingError) || error.problem !== "registration-refused") {
        throw error;
      }
    }
    // The server knows the subscription under another secret: this browser has lost what it was, and comes back
    // as a new one.
    await forgetIdentity(registrationsUrl);
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    return attempt();
  });
}
