import { failingAs } from "../errors.ts";

/** A scope of its own below the worker's file, so that it never fights with the site's own worker. */
export function workerScope(workerUrl: string): string {
  return new URL("sineta-push-scope/", workerUrl).href;
}

/**
 * Installs the service worker and waits until it is active. `navigator.serviceWorker.ready` would never resolve
 * here: the page lies outside the worker's scope.
 *
 * @throws MessagingError `worker-failed`
 */
export function installWorker(workerUrl: string): Promise<ServiceWorkerRegistration> {
  return failingAs("worker-failed", async () => {
    const registration = await navigator.serviceWorker.register(workerUrl, {
      scope: workerScope(workerUrl),
    });
    const worker = registration.active ?? registration.waiting ?? registration.installing;
    if (!worker) throw new Error("The browser installed no worker");
    await activation(worker);
    return registration;
  });
}

function activation(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (worker.state === "activated") resolve();
      else if (worker.state === "redundant") reject(new Error("The worker did not install"));
    };
    worker.addEventListener("statechange", look);
    look();
  });
}
