import type { WorkerDependencies } from "./dependencies.ts";

/** The browser has changed or dropped its subscription: a new one is made, and the token is kept. */
export function handleSubscriptionChange(
  event: ExtendableEvent,
  dependencies: WorkerDependencies,
): void {
  event.waitUntil(dependencies.renewRegistrations());
}
