/** Where the push services differ from RFC 8030 or from each other: all of it, and nothing else. */
import { createHash } from "node:crypto";
import { headerText, type PushAnswer } from "./push-answer.ts";
import type { PushService } from "./push-hosts.ts";

/**
 * Headers that only this push service needs.
 *
 * Windows: a push with TTL 0 is refused unless it says that it must not be cached (X-WNS-Cache-Policy in
 * Microsoft's "Push notification service request and response headers").
 */
export function extraHeaders(
  service: PushService,
  { ttlSeconds }: { ttlSeconds: number },
): Record<string, string> {
  return service === "windows" && ttlSeconds === 0 ? { "x-wns-cache-policy": "no-cache" } : {};
}

/**
 * The topic as this push service takes it.
 *
 * Apple: users report that topics are refused whose length is 1 modulo 4, which no base64url of whole bytes has. The
 * same topic always becomes the same other one, so that it still replaces what it should.
 */
export function topicFor(service: PushService, topic: string): string {
  if (service !== "apple" || topic.length % 4 !== 1) return topic;
  return createHash("sha256").update(topic).digest("base64url").slice(0, 32);
}

/** Whether the answer asks to send less. Windows says so with 406 as well. */
export function isThrottle({ service, status }: PushAnswer): boolean {
  return status === 429 || (service === "windows" && status === 406);
}

/**
 * Whether the text of a 400 is about VAPID: Apple's BadJwtToken and VapidPkHashMismatch, FCM's UnauthorizedRegistration
 * and "sender ID", Mozilla's "Crypto-Key" and "Authorization".
 */
export function speaksOfTheKey(explanation: string): boolean {
  return /vapid|jwt|crypto-?key|public ?key|authori[sz]|sender ?id/i.test(explanation);
}

/** What the push service says about its answer. Windows says it in headers and leaves the body empty. */
export function explanationOf({ service, headers, body }: PushAnswer): string {
  const said = [Buffer.from(body).toString("utf8")];
  if (service === "windows") {
    for (const name of ["x-wns-error-description", "x-wns-notificationstatus", "x-wns-status"]) {
      said.push(headerText(headers, name));
    }
  }
  return said.join(" ");
}

/**
 * Whom a throttle concerns. Apple limits how often one device is woken, so that everybody else there can be sent to
 * meanwhile; the others limit the sender (FCM per site since January 2026, Windows per sender and cloud service), and
 * whatever is sent next is refused as well.
 */
export function throttleScope(service: PushService): "device" | "sender" {
  return service === "apple" ? "device" : "sender";
}
