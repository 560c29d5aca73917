import { PushLabError } from "./errors.ts";
import type { Push } from "./push-service/pushes.ts";
import type { Subscription } from "./push-service/subscriptions.ts";

/** Something that happened in the lab. `browser` is the profile's id: given to it at check-in, or Firefox's uaid. */
export type LabEvent =
  /** A profile was seen for the first time. */
  | { readonly type: "checked-in"; readonly browser: string }
  /** A registration is kept waiting, and the browser gave it up before it was answered. */
  | { readonly type: "registration-held"; readonly browser: string }
  | { readonly type: "registration-abandoned"; readonly browser: string }
  /** A registration was answered with an error. */
  | { readonly type: "registration-refused"; readonly browser: string; readonly error: string }
  | { readonly type: "subscribed"; readonly subscription: Subscription }
  /** The browser unsubscribed, or the lab was told to end it. */
  | { readonly type: "ended"; readonly subscription: Subscription }
  /** A browser's connection for messages came up, or went. */
  | { readonly type: "connected"; readonly browser: string }
  | { readonly type: "disconnected"; readonly browser: string; readonly reason: string }
  /** A connection ended before it was a browser's: not the protocol, or not who it said. */
  | { readonly type: "connection-refused"; readonly reason: string }
  /** A sender asked the proxy for something that is not the lab's. `reason` stood in the answer. */
  | { readonly type: "proxy-refused"; readonly target: string; readonly reason: string }
  /** Something was sent to the endpoint, and answered. */
  | { readonly type: "push"; readonly push: Push }
  /** A push moved on its way to the browser: see its `delivery`. */
  | { readonly type: "delivery"; readonly push: Push };

export type EventStream<Event = LabEvent> = {
  readonly emit: (event: Event) => void;
  /** Calls the listener with every event from now on; the result stops that. */
  readonly on: (listener: (event: Event) => void) => () => void;
  /** Resolves with the first thing `find` gives that is neither undefined nor false; asked now, and after every event. */
  readonly until: <Found>(find: () => Found | undefined | false) => Promise<Found>;
  /** Rejects everyone who still waits. */
  readonly close: () => void;
};

/** Tells who listens what happened, in the order it happened. State has changed before its event is told. */
export function createEventStream<Event = LabEvent>(): EventStream<Event> {
  const listeners = new Set<(event: Event) => void>();
  const waiting = new Set<(error: PushLabError) => void>();
  let closed = false;

  const on: EventStream<Event>["on"] = (listener) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };

  return {
    on,
    emit: (event) => {
      for (const listener of listeners) listener(event);
    },
    until: <Found>(find: () => Found | undefined | false) =>
      new Promise<Found>((resolve, reject) => {
        const settle = (): void => {
          stopListening();
          waiting.delete(fail);
        };
        const fail = (error: unknown): void => {
          settle();
          reject(error);
        };
        const look = (): void => {
          try {
            const found = find();
            if (found === undefined || found === false) return;
            settle();
            resolve(found);
          } catch (error) {
            fail(error);
          }
        };
        const stopListening = on(look);
        waiting.add(fail);
        if (closed) fail(closedError());
        else look();
      }),
    close: () => {
      closed = true;
      for (const fail of waiting) fail(closedError());
      listeners.clear();
    },
  };
}

function closedError(): PushLabError {
  return new PushLabError("lab-closed", "The lab was closed while something was still waited for.");
}
