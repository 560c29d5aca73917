import type { EventStream } from "../events.ts";
import type { MessageQueue } from "./message-queue.ts";
import type { Subscription, Subscriptions } from "./subscriptions.ts";

/** Ends a subscription with everything that hangs on it. Returns what it ended; undefined where it was not live. */
export type EndSubscription = (endpoint: string, status: 404 | 410) => Subscription | undefined;

/** What waits for an ended subscription is dropped, and who listens is told. */
export function createEndSubscription({
  subscriptions,
  queue,
  events,
}: {
  subscriptions: Subscriptions;
  queue: MessageQueue;
  events: EventStream;
}): EndSubscription {
  return (endpoint, status) => {
    const subscription = subscriptions.end(endpoint, status);
    if (subscription === undefined) return undefined;
    queue.drop(subscription.browser, endpoint);
    events.emit({ type: "ended", subscription });
    return subscription;
  };
}
