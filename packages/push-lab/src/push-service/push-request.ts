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

export type Refusal = { readonly status: number; readonly reason: string };

export type PushCheck = {
  readonly details: PushDetails;
  readonly outcome: { readonly subscription: Subscription } | Refusal;
};

/** RFC 8030, 7.2: a push service must take at least this much; the real ones take no more. */
export const maxBodyBytes = 4096;
/** What FCM and Mozilla keep at most is four weeks and 30 days; the shorter one. */
export const longestTtlSeconds = 28 * 24 * 60 * 60;

const urgencies: readonly Urgency[] = ["very-low", "low", "normal", "high"];

/**
 * Decides what the push service answers to a request, as strictly as the real services (RFC 8030, 8188, 8292): pure, but
 * for the look-up of the subscription. The first thing that is wrong decides.
 *
 * @param services the origins this push service plays, such as `https://jmt17.google.com`
 */
export function checkPushRequest(
  request: PushRequest,
  {
    services,
    find,
    nowMs,
  }: {
    services: readonly string[];
    find: (endpoint: string) => Subscription | undefined;
    nowMs: number;
  },
): PushCheck {
  const { headers, body } = request;
  const origin = `https://${request.authority.toLowerCase().replace(/:443$/, "")}`;
  let details: PushDetails = { endpoint: `${origin}${request.path}` };
  const refuse = (status: number, reason: string): PushCheck => ({
    details,
    outcome: { status, reason },
  });

  if (!services.includes(origin))
    return refuse(421, `this push service is ${services.join(" or ")}, not ${origin}`);
  if (request.method !== "POST")
    return refuse(405, `a push is sent with POST, not ${request.method}`);

  const subscription = find(details.endpoint);
  if (subscription === undefined) return refuse(404, "there is no such subscription");
  if (subscription.ended !== undefined)
    return refuse(subscription.ended.status, "the subscription has ended");

  const ttl = headers["ttl"];
  if (ttl === undefined) return refuse(400, "the TTL header is missing");
  if (!/^\d{1,15}$/.test(ttl))
    return refuse(400, `TTL is "${ttl}", expected a whole number of seconds`);
  details = { ...details, ttlSeconds: Math.min(Number(ttl), longestTtlSeconds) };

  const contentEncoding = headers["content-encoding"];
  if (contentEncoding !== undefined) details = { ...details, contentEncoding };
  if (body.byteLength > maxBodyBytes) return refuse(413, `the body is over ${maxBodyBytes} bytes`);
  if (body.byteLength > 0 && contentEncoding !== "aes128gcm")
    return refuse(400, `Content-Encoding is "${contentEncoding ?? ""}", expected aes128gcm`);

  const topic = headers["topic"];
  if (topic !== undefined) {
    if (!/^[A-Za-z0-9_-]{1,32}$/.test(topic))
      return refuse(400, `Topic is "${topic}", expected at most 32 characters of base64url`);
    details = { ...details, topic };
  }

  const urgency = urgencies.find((known) => known === (headers["urgency"] ?? "normal"));
  if (urgency === undefined)
    return refuse(
      400,
      `Urgency is "${headers["urgency"] ?? ""}", expected ${urgencies.join(", ")}`,
    );
  details = { ...details, urgency };

  const check = checkVapid(headers["authorization"], {
    origin,
    applicationServerKey: subscription.applicationServerKey,
    nowMs,
  });
  if (!("vapid" in check)) return refuse(check.status, check.reason);
  return { details: { ...details, vapid: check.vapid }, outcome: { subscription } };
}
