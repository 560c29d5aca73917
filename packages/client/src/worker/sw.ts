/** The worker as a ready file: built into one classic script, `sw.js`. */
import {
  handleNotificationClick,
  handleNotificationClose,
  handlePush,
  handleSubscriptionChange,
  workerDependencies,
} from "./index.ts";

declare const self: ServiceWorkerGlobalScope;

const dependencies = workerDependencies(self);

// No page is controlled by this worker, so a new version has nothing to wait for.
self.oninstall = () => void self.skipWaiting();
self.onpush = (event) => handlePush(event, dependencies);
self.onnotificationclick = (event) => handleNotificationClick(event, dependencies);
self.onnotificationclose = (event) => handleNotificationClose(event, dependencies);
self.onpushsubscriptionchange = (event) => handleSubscriptionChange(event, dependencies);
