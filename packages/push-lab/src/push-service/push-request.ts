import { type Mistake, type Refusal, type ServiceRules, vapidRefusal } from "./service-rules.ts";
import type { Subscription } from "./subscriptions.ts";
import { checkVapid, type Vapid } from "./vapid.ts";

/** A request to the push service as it came, its body cut off after `maxBodyBytes` + 1. */
export type PushRequest = {
  readonly method: string;
  /** The Host header or `:authority`. */
  readonly authority: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

export type Urgency = "very-low" | "low" | "normal" | "high";

/** What could be read of the request; after a refusal, what was read before it. */
export type PushDetails = {
  readonly endpoint: string;
  readonly ttlSeconds?: number;
  readonly urgency?: Urgency;
  readonly topic?: string;
  readonly contentEncoding?: string;
  readonly vapid?: Vapid;
};

/** What has to be known of whom a push is for. */
export type Recipient = Pick<Subscription, "ended"> & {
  /**
   * base64url; empty where the subscription was made without one, so that anybody may send to it. Undefined where any key
   * will do, but one there must be.
   */
  readonly applicationServerKey: string | undefined;
};

export type PushCheck<Found extends Recipient> = {
  readonly details: PushDetails;
  readonly outcome:
    | { readonly service: ServiceRules; readonly subscription: Found }
    /** Without a service where it was sent to none that is played here. */
    | { readonly service: ServiceRules | undefined; readonly refusal: Refusal };
};

/** Of the push service that a request was sent to. */
export function originOf({ authority }: Pick<PushRequest, "authority">): string {
  return `https://${authority.toLowerCase().replace(/:443$/, "")}`;
}

/** RFC 8030, 7.2: a push service must take at least this much; the real ones take no more. */
export const maxBodyBytes = 4096;

/** What each mistake is answered with, where no service does it its own way. */
const statuses: Readonly<
  Record<Exclude<Mistake, "subscription-ended" | "vapid-wrong" | "vapid-other-key">, number>
> = {
  "other-service": 421,
  method: 405,
  "subscription-unknown": 404,
  "ttl-missing": 400,
  "ttl-unreadable": 400,
  "ttl-negative": 400,
  "body-too-large": 413,
  "content-encoding": 400,
  topic: 400,
  urgency: 400,
  "own-demand": 400,
  "vapid-unusable": 401,
};

const urgencies: readonly Urgency[] = ["very-low", "low", "normal", "high"];

/**
 * Decides what the push service answers to a request, as strictly as the real services (RFC 8030, 8188, 8292): pure, but
 * for the look-up of the subscription. The first thing that is wrong decides.
 *
 * @param services what is played here
 * @param check of the Authorization header
 */
export function checkPushRequest<Found extends Recipient>(
  request: PushRequest,
  {
    services,
    find,
    nowMs,
    check = checkVapid,
  }: {
    services: readonly ServiceRules[];
    find: (endpoint: string) => Found | undefined;
    nowMs: number;
    check?: typeof checkVapid;
  },
): PushCheck<Found> {
  const { headers, body } = request;
  const origin = originOf(request);
  const service = services.find((known) => known.origin === origin);
  let details: PushDetails = { endpoint: `${origin}${request.path}` };
  const refuseWith = (refusal: Refusal): PushCheck<Found> => ({
    details,
    outcome: { service, refusal },
  });
  const refuse = (mistake: keyof typeof statuses, reason: string): PushCheck<Found> =>
    refuseWith({ mistake, status: statuses[mistake], reason });

  if (service === undefined)
    return refuse(
      "other-service",
      `this push service is ${services.map((known) => known.origin).join(" or ")}, not ${origin}`,
    );
  if (request.method !== "POST")
    return refuse("method", `a push is sent with POST, not ${request.method}`);

  const subscription = find(details.endpoint);
  if (subscription === undefined)
    return refuse("subscription-unknown", "there is no such subscription");
  if (subscription.ended !== undefined)
    return refuseWith({
      mistake: "subscription-ended",
      status: subscription.ended.status,
      reason: "the subscription has ended",
    });

  const ttl = headers["ttl"];
  if (ttl === undefined) return refuse("ttl-missing", "the TTL header is missing");
  if (/^-\d{1,15}$/.test(ttl)) return refuse("ttl-negative", `TTL is "${ttl}", expected 0 or more`);
  if (!/^\d{1,15}$/.test(ttl))
    return refuse("ttl-unreadable", `TTL is "${ttl}", expected a whole number of seconds`);
  details = { ...details, ttlSeconds: Math.min(Number(ttl), service.longestTtlSeconds) };

  const contentEncoding = headers["content-encoding"];
  if (contentEncoding !== undefined) details = { ...details, contentEncoding };
  if (body.byteLength > maxBodyBytes)
    return refuse("body-too-large", `the body is over ${maxBodyBytes} bytes`);
  if (body.byteLength > 0 && contentEncoding !== "aes128gcm")
    return refuse(
      "content-encoding",
      `Content-Encoding is "${contentEncoding ?? ""}", expected aes128gcm`,
    );

  const topic = headers["topic"];
  if (topic !== undefined) {
    if (!/^[A-Za-z0-9_-]{1,32}$/.test(topic))
      return refuse("topic", `Topic is "${topic}", expected at most 32 characters of base64url`);
    details = { ...details, topic };
  }

  const urgency = urgencies.find((known) => known === (headers["urgency"] ?? "normal"));
  if (urgency === undefined)
    return refuse(
      "urgency",
      `Urgency is "${headers["urgency"] ?? ""}", expected ${urgencies.join(", ")}`,
    );
  details = { ...details, urgency };

  const objection = service.objection?.(headers);
  if (objection !== undefined) return refuse("own-demand", objection);

  const { applicationServerKey } = subscription;
  const authorization = headers["authorization"];
  // Made without a key, a subscription is anybody's to send to.
  if (applicationServerKey === "" && authorization === undefined)
    return { details, outcome: { service, subscription } };
  const checked = check(authorization, {
    origin,
    applicationServerKey: applicationServerKey ?? "",
    nowMs,
  });
  if ("vapid" in checked)
    return { details: { ...details, vapid: checked.vapid }, outcome: { service, subscription } };
  const { mistake, reason } = checked;
  if (mistake === "vapid-unusable") return refuse(mistake, reason);
  return refuseWith(vapidRefusal(service, mistake, reason));
}
