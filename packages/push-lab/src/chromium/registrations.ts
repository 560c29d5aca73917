import type { EndSubscription } from "../push-service/end-subscription.ts";
import type { Subscription, Subscriptions } from "../push-service/subscriptions.ts";
import { importVapidKey } from "../push-service/vapid.ts";
import type { EventStream } from "../events.ts";
import type { Credentials } from "./check-in.ts";
import { chromiumService } from "./service-rules.ts";

/** A request to `/c2dm/register3`, as far as the lab uses it. */
export type RegistrationRequest = {
  readonly credentials: Credentials;
  readonly action: "register" | "delete";
  readonly app: string;
  readonly subtype: string;
  readonly sender: string;
};

/** What a message to a subscription is addressed with. */
export type Address = {
  readonly app: string;
  readonly subtype: string;
  readonly sender: string;
};

export type Registrations = {
  /** Answers as the service does: `token=...` or `Error=...`. */
  readonly answer: (request: RegistrationRequest) => string;
  readonly addressOf: (endpoint: string) => Address | undefined;
};

/**
 * Reads a registration from its form and its `Authorization: AidLogin <id>:<security token>` header.
 * Returns undefined where something is missing.
 */
export function readRegistration(
  form: URLSearchParams,
  authorization: string | undefined,
): RegistrationRequest | undefined {
  const [, browser, securityToken] = /^AidLogin (\d+):(\d+)$/.exec(authorization ?? "") ?? [];
  const subtype = form.get("X-subtype") ?? "";
  if (browser === undefined || securityToken === undefined) return undefined;
  if (form.get("device") !== browser || subtype === "") return undefined;
  return {
    credentials: { browser, securityToken },
    action: form.get("delete") === "true" ? "delete" : "register",
    app: form.get("app") ?? "",
    subtype,
    sender: form.get("sender") ?? "",
  };
}

/**
 * Turns registrations into subscriptions. Chromium registers other things of its own at the same place; they get a token
 * like everyone, but are no push subscriptions and appear nowhere.
 *
 * @param random gives bytes for tokens
 */
export function createRegistrations({
  subscriptions,
  endSubscription,
  events,
  random,
}: {
  subscriptions: Subscriptions;
  endSubscription: EndSubscription;
  events: EventStream;
  random: (bytes: number) => Uint8Array;
}): Registrations {
  const addresses = new Map<string, Address>();

  const liveOf = (browser: string, subtype: string): readonly Subscription[] =>
    subscriptions
      .list()
      .filter(
        ({ endpoint, ended, ...subscription }) =>
          ended === undefined &&
          subscription.browser === browser &&
          addresses.get(endpoint)?.subtype === subtype,
      );

  const unregister = (browser: string, subtype: string): string => {
    for (const { endpoint } of liveOf(browser, subtype)) endSubscription(endpoint, 410);
    return `token=${subtype}`;
  };

  const register = ({ credentials, app, subtype, sender }: RegistrationRequest): string => {
    const { browser } = credentials;
    const newToken = tokenFrom(random);
    const origin = webPushOrigin(subtype);
    if (origin === undefined) return `token=${newToken}`;
    if (importVapidKey(sender) === undefined) return "Error=INVALID_SENDER";

    const same = liveOf(browser, subtype).find(
      (subscription) => subscription.applicationServerKey === sender,
    );
    if (same !== undefined) return `token=${same.endpoint.slice(endpointStart.length)}`;

    const endpoint = `${endpointStart}${newToken}`;
    addresses.set(endpoint, { app, subtype, sender });
    const subscription = subscriptions.add({
      endpoint,
      browser,
      origin,
      applicationServerKey: sender,
    });
    events.emit({ type: "subscribed", subscription });
    return `token=${newToken}`;
  };

  return {
    answer: (request) =>
      request.action === "delete"
        ? unregister(request.credentials.browser, request.subtype)
        : register(request),
    addressOf: (endpoint) => addresses.get(endpoint),
  };
}

const endpointStart = `${chromiumService.origin}/fcm/send/`;

/** As FCM's tokens look, in length and alphabet: what stores endpoints is tested with a true one. */
function tokenFrom(random: (bytes: number) => Uint8Array): string {
  const text = (bytes: number): string => Buffer.from(random(bytes)).toString("base64url");
  return `${text(8)}:APA91b${text(100)}`;
}

/** The page's origin from a web push registration's `wp:<origin>/#<uuid>-V2`; undefined for any other registration. */
function webPushOrigin(subtype: string): string | undefined {
  const [, origin] = /^wp:(.*?)\/?#/.exec(subtype) ?? [];
  return origin;
}
