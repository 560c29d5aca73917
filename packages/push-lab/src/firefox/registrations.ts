import type { EventStream } from "../events.ts";
import type { EndSubscription } from "../push-service/end-subscription.ts";
import type { Subscription, Subscriptions } from "../push-service/subscriptions.ts";
import { importVapidKey } from "../push-service/vapid.ts";
import { firefoxService } from "./service-rules.ts";

/** What Firefox registers. */
export type Registration = {
  readonly browser: string;
  /** Firefox makes it up; messages are addressed with it. */
  readonly channelId: string;
  /** base64url; empty where there was none. */
  readonly key: string;
};

export type Registrations = {
  /** The new subscription's endpoint, or undefined where the key is none. A repeated request gives the same endpoint. */
  readonly register: (registration: Registration) => string | undefined;
  readonly unregister: (registration: Omit<Registration, "key">) => void;
  /** Ends every subscription of every browser: their endpoints answer 410. */
  readonly endAll: () => void;
  readonly channelIdOf: (endpoint: string) => string | undefined;
};

/** Turns registrations into subscriptions. */
export function createRegistrations({
  subscriptions,
  endSubscription,
  events,
  now,
  random,
}: {
  subscriptions: Subscriptions;
  endSubscription: EndSubscription;
  events: EventStream;
  now: () => number;
  random: (bytes: number) => Uint8Array;
}): Registrations {
  const channelIds = new Map<string, string>();

  const live = (): readonly Subscription[] =>
    subscriptions
      .list()
      .filter(({ endpoint, ended }) => ended === undefined && channelIds.has(endpoint));
  const liveOf = ({ browser, channelId }: Omit<Registration, "key">) =>
    live().filter((one) => one.browser === browser && channelIds.get(one.endpoint) === channelId);

  return {
    register: (registration) => {
      const { browser, channelId, key } = registration;
      if (key !== "" && importVapidKey(key) === undefined) return undefined;
      const same = liveOf(registration).find((one) => one.applicationServerKey === key);
      if (same !== undefined) return same.endpoint;

      const endpoint = `${firefoxService.origin}${pathFor({ key, nowMs: now(), random })}`;
      channelIds.set(endpoint, channelId);
      // The browser does not say which page it is.
      const subscription = subscriptions.add({
        endpoint,
        browser,
        origin: "",
        applicationServerKey: key,
      });
      events.emit({ type: "subscribed", subscription });
      return endpoint;
    },
    unregister: (registration) => {
      for (const { endpoint } of liveOf(registration)) endSubscription(endpoint, 410);
    },
    endAll: () => {
      for (const { endpoint } of live()) endSubscription(endpoint, 410);
    },
    channelIdOf: (endpoint) => channelIds.get(endpoint),
  };
}

/**
 * As Mozilla's endpoints look, in length and alphabet: a Fernet token around 64 bytes where the subscription is bound to a
 * VAPID key (v2), and around 32 where it is not (v1).
 */
function pathFor({
  key,
  nowMs,
  random,
}: {
  key: string;
  nowMs: number;
  random: (bytes: number) => Uint8Array;
}): string {
  const version = key === "" ? 1 : 2;
  const token = Buffer.alloc(version === 1 ? 105 : 137);
  token.writeUInt8(0x80);
  token.writeBigUInt64BE(BigInt(Math.trunc(nowMs / 1000)), 1);
  token.set(random(token.length - 9), 9);
  return `/wpush/v${version}/${token.toString("base64url")}`;
}
