import { isYounger } from "../age.ts";
import { toBase64url } from "../base64url.ts";
import { oneAfterTheOther } from "../lock.ts";
import type { LossCause } from "../loss.ts";
import { look } from "../registration.ts";
import {
  type ConfirmedIdentity,
  findIdentity,
  isConfirmed,
  keepFinding,
} from "../storage/identities.ts";
import { findSubscription } from "../subscription.ts";
import { refreshWorker } from "./worker.ts";

/** The project and the worker that a look is about. */
export type LookTarget = {
  registrationsUrl: string;
  vapidKey: string;
  /** Address of the worker's file; undefined where the site's own worker is used. */
  workerUrl: string | undefined;
  installed: () => Promise<ServiceWorkerRegistration | undefined>;
};

/**
 * Looks whether pushes still reach this browser. Does so only if the last look is over a day old, or over an hour in a
 * tab's first page load. Has the browser fetch the worker's file anew. Keeps the loss that it finds, and resolves to it. If
 * the server does not answer, nothing changes.
 *
 * @throws MessagingError `worker-failed`, `subscribe-failed`, `storage-failed`
 */
export function lookIfDue(
  { registrationsUrl, vapidKey, workerUrl, installed }: LookTarget,
  patienceMs: number,
): Promise<LossCause | null | undefined> {
  // If two tabs come at the same time, the second sees that the first has looked.
  return oneAfterTheOther("look", async () => {
    const identity = await findIdentity(registrationsUrl);
    if (!isConfirmed(identity)) return undefined;
    // A full registration counts as a look, and forgets the one before.
    const { confirmed, lookedAtMs = confirmed.atMs } = identity;
    if (!identity.lost && isYounger(lookedAtMs, patienceMs)) return undefined;
    const registration = await installed();
    if (workerUrl && registration) void refreshWorker(registration);
    const seenHere = await findLoss(identity, registration, vapidKey, workerUrl);
    const lost = seenHere ?? (await lossToldByServer(identity));
    if (lost === undefined) return undefined;
    const finding = lost ? { lost } : { lookedAtMs: Date.now() };
    return (await keepFinding(identity, finding)) ? lost : undefined;
  });
}

/**
 * Finds a loss without the server. An earlier loss counts until it is healed. Without one, the browser's own subscription
 * is compared with the confirmed one, and the script that holds the scope with `workerUrl` if that is given.
 */
export async function findLoss(
  { confirmed, lost }: ConfirmedIdentity,
  registration: ServiceWorkerRegistration | undefined,
  vapidKey: string,
  workerUrl?: string | false,
): Promise<LossCause | undefined> {
  if (lost) return lost;
  if (!registration) return "worker-missing";
  const { active } = registration;
  if (workerUrl && active && active.scriptURL !== workerUrl) return "worker-replaced";
  const present = await findSubscription(registration);
  if (!present) return "subscription-missing";
  if (confirmed.vapidKey !== vapidKey) return "key-changed";
  return present.endpoint === confirmed.endpoint ? undefined : "subscription-changed";
}

/**
 * The loss that the server tells of; null if it tells of none. Undefined if it does not answer, or if the browser cannot
 * compare the answer.
 */
export async function lossToldByServer(
  identity: ConfirmedIdentity,
): Promise<LossCause | null | undefined> {
  try {
    const answer = await look(identity);
    if (answer.state === "gone") return "subscription-gone";
    if (answer.state === "unknown") return "registration-unknown";
    if (answer.state !== "live") return undefined;
    const { vapidKey, endpoint } = identity.confirmed;
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
    const isAsConfirmed =
      answer.vapidKey === vapidKey && toBase64url(hash).startsWith(answer.endpointHash);
    return isAsConfirmed ? null : "registration-outdated";
  } catch {
    return undefined;
  }
}
