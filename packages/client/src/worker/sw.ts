/** The worker as a ready file: built into one classic script, `sw.js`. */
import {
  handleNotificationClick,
  handlePush,
  handleSubscriptionChange,
  workerDependencies,
} from "./index.ts";

declare const self: ServiceWorkerGlobalScope;

const dependencies = workerDependencies(self);

// No page is controlled by this worker, so a new version has nothing to wait for.
self.addEventListener("install", () => void self.skipWaiting());
self.addEventListener("push", (event) => handlePush(event, dependencies));
self.addEventListener("notificationclick", (event) => handleNotificationClick(event, dependencies));
self.addEventListener("pushsubscriptionchange", (event) =>
  handleSubscriptionChange(event as ExtendableEvent, dependencies),
);
