/** What a site with a service worker of its own writes with the published package: compiled, never run. */
import { handleNotificationClick, handlePush, workerDependencies } from "@sineta/client/worker";

declare const self: ServiceWorkerGlobalScope;

const dependencies = workerDependencies(self);
self.addEventListener("push", (event) => handlePush(event, dependencies));
self.addEventListener("notificationclick", (event) => {
  handleNotificationClick(event, dependencies);
  // @ts-expect-error a push's handler takes no click
  handlePush(event, dependencies);
});
