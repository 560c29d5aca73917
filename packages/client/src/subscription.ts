import { toBase64url } from "./base64url.ts";
import { failingAs, MessagingError } from "./errors.ts";
import { oneAfterTheOther } from "./lock.ts";
import { register } from "./registration.ts";
import { establishIdentity, forgetIdentity, type Identity } from "./storage/identities.ts";

/** Whether the subscription was made with that VAPID public key; a push service accepts no other for it. */
export function isMadeWith(subscription: PushSubscription, vapidKey: string): boolean {
  const key = subscription.options.applicationServerKey;
  return key !== null && toBase64url(key) === vapidKey;
}

/**
 * A push subscription made with `vapidKey`: the browser's present one, or a new one. The present one is replaced if it
 * was made with another key, or if the push service has ended it.
 *
 * @throws MessagingError `subscribe-failed`; the browser's own NotAllowedError
 */
async function subscribe(
  registration: ServiceWorkerRegistration,
  vapidKey: string,
  { lost, confirmed }: Identity,
): Promise<PushSubscription> {
  return failingAs("subscribe-failed", async () => {
    const present = await registration.pushManager.getSubscription();
    const isGone = lost === "subscription-gone" && present?.endpoint === confirmed?.endpoint;
    if (present && (isGone || !isMadeWith(present, vapidKey))) await present.unsubscribe();
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
  return oneAfterTheOther("registration", () =>
    subscribeAndRegisterHeld(registration, registrationsUrl, vapidKey),
  );
}

/** The same, for a caller that holds the lock `registration`. It may have more to say to the server. */
export async function subscribeAndRegisterHeld(
  registration: ServiceWorkerRegistration,
  registrationsUrl: string,
  vapidKey: string,
  more?: Parameters<typeof register>[3],
): Promise<string> {
  const attempt = async () => {
    const identity = await establishIdentity(registrationsUrl);
    return register(identity, await subscribe(registration, vapidKey, identity), vapidKey, more);
  };
  try {
    return await attempt();
  } catch (error) {
    const problem = error instanceof MessagingError ? error.problem : undefined;
    // The server knows the subscription under another secret: this browser has lost what it was, and comes back
    // as a new one.
    if (problem === "registration-refused") await forgetIdentity(registrationsUrl);
    // The browser keeps a subscription that its push service has ended.
    else if (problem !== "subscription-gone") throw error;
  }
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  return attempt();
}
