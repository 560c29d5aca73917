import { failingAs } from "../errors.ts";
import { isEndpointConfirmed } from "../storage/identities.ts";

const scopePath = "/sineta-push-scope/";

/** TypeScript's DOM library does not declare Trusted Types. */
declare const trustedTypes: {
  createPolicy: (name: string, options: typeof policyOptions) => typeof policyOptions;
};

const policyOptions = { createScriptURL: (url: string) => url };
let policy: typeof policyOptions | undefined;

/**
 * Creates the Trusted Types policy `sineta`. A page that demands Trusted Types takes no address for `register()` but one from a
 * policy. A page may allow to create a policy only once. If it cannot be created, the address stays plain, and the page's
 * `default` policy may convert it.
 */
function createPolicy() {
  try {
    // The name is `trustedTypesPolicyName` of protocol. Importing it would cost the page 37 bytes.
    return trustedTypes.createPolicy("sineta", policyOptions);
  } catch {
    return policyOptions;
  }
}

/** A scope of its own below the worker's file, so that it never fights with the site's own worker. */
function workerScope(workerUrl: string): string {
  return new URL(`.${scopePath}`, workerUrl).href;
}

/**
 * The worker's registration, or undefined. `getRegistration()` alone falls back to a wider scope, which is the site's
 * own worker (Service Workers, "Match Service Worker Registration").
 *
 * @throws MessagingError `worker-failed`
 */
export function findWorker(workerUrl: string): Promise<ServiceWorkerRegistration | undefined> {
  return failingAs("worker-failed", async () => {
    const scope = workerScope(workerUrl);
    const registration = await navigator.serviceWorker.getRegistration(scope);
    return registration?.scope === scope ? registration : undefined;
  });
}

/**
 * Installs the service worker and waits until it is active. `navigator.serviceWorker.ready` would never resolve
 * here: the page lies outside the worker's scope.
 *
 * @throws MessagingError `worker-failed`
 */
export function installWorker(workerUrl: string): Promise<ServiceWorkerRegistration> {
  return failingAs("worker-failed", async () => {
    const present = await findWorker(workerUrl);
    policy ??= createPolicy();
    const registration = await navigator.serviceWorker.register(policy.createScriptURL(workerUrl), {
      scope: workerScope(workerUrl),
    });
    if (present) void refreshWorker(registration);
    const workers = [registration.active, registration.waiting, registration.installing];
    await activation(workers.find((one) => one?.scriptURL === workerUrl));
    return registration;
  });
}

/**
 * Has the browser fetch the worker's file anew. `register()` with the same address fetches nothing where no page lies
 * in the scope (Service Workers, "Register").
 */
export async function refreshWorker(registration: ServiceWorkerRegistration): Promise<void> {
  try {
    await registration.update();
  } catch {
    // If the file cannot be fetched, the worker stays as it is.
  }
}

/**
 * Unregisters each Sineta worker with a subscription that no server has confirmed. No page uses such a worker. The browser
 * ends its subscription, too (Push API, "Push Subscription"). Call it after the server has confirmed the page's own
 * subscription. The caller holds the lock `registration`, so no other tab is registering.
 */
export async function unregisterUnused(): Promise<void> {
  try {
    for (const registration of await navigator.serviceWorker.getRegistrations()) {
      if (!registration.scope.endsWith(scopePath)) continue;
      const present = await registration.pushManager.getSubscription();
      const isUsed = !present || (await isEndpointConfirmed(present.endpoint));
      if (!isUsed) await registration.unregister();
    }
  } catch {
    // The next registration tries again.
  }
}

/** Rejects if there is no worker, or if the browser gives it up. */
function activation(worker: ServiceWorker | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (worker?.state === "activated") resolve();
      else if (!worker || worker.state === "redundant") reject();
    };
    worker?.addEventListener("statechange", look);
    look();
  });
}
