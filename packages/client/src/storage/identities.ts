import { toBase64url } from "../base64url.ts";
import type { LossCause } from "../loss.ts";
import { transaction } from "./database.ts";

/** What a server has confirmed, and when. */
export type Confirmation = { token: string; endpoint: string; vapidKey: string; atMs: number };

/** What this browser is to one project of one server. Page and worker both need it. */
export type Identity = {
  /** Address of the project's registrations: the key. */
  registrationsUrl: string;
  /** 32 random bytes, base64url: what this browser alone may show to the server. */
  clientSecret: string;
  /** What the server confirmed last; absent until it has. */
  confirmed?: Confirmation | undefined;
  /** When a look last found nothing lost; absent until one has. */
  lookedAtMs?: number | undefined;
  /** The loss that has been found; none once it is healed. */
  lost?: LossCause | undefined;
  /** The visitor has turned notifications off: nothing registers. A click removes the mark. */
  off?: boolean | undefined;
  /** When this browser last dropped a subscription that might be dead; absent if it never has. */
  droppedAtMs?: number | undefined;
};

export type ConfirmedIdentity = Identity & { confirmed: Confirmation };

/** The identity kept for that project, or undefined. */
export function findIdentity(registrationsUrl: string): Promise<Identity | undefined> {
  return transaction<Identity | undefined>("identities", "readonly", (store) =>
    store.get(registrationsUrl),
  );
}

/**
 * The identity kept for that project; made, with a fresh client secret, where there is none. One transaction, so
 * two tabs that come at once get the same secret, and therefore one registration.
 */
export async function establishIdentity(registrationsUrl: string): Promise<Identity> {
  const fresh = freshIdentity(registrationsUrl);
  return (await change(registrationsUrl, (present) => present ?? fresh)) ?? fresh;
}

function freshIdentity(registrationsUrl: string): Identity {
  return {
    registrationsUrl,
    clientSecret: toBase64url(crypto.getRandomValues(new Uint8Array(32))),
  };
}

/**
 * Replaces the kept identity with what `next` returns, in one transaction. Changes nothing if `next` returns undefined.
 * Resolves to the identity as it was before.
 */
function change(
  registrationsUrl: string,
  next: (present: Identity | undefined) => Identity | undefined,
): Promise<Identity | undefined> {
  return transaction<Identity | undefined>("identities", "readwrite", (store) => {
    const request = store.get(registrationsUrl);
    request.onsuccess = () => {
      const changed = next(request.result);
      if (changed) store.put(changed);
    };
    return request;
  });
}

/** The identities that a server has confirmed, in no order. */
export async function listConfirmed(): Promise<ConfirmedIdentity[]> {
  const identities = await transaction<Identity[]>("identities", "readonly", (store) =>
    store.getAll(),
  );
  return identities.filter(isConfirmed);
}

/**
 * As `listConfirmed`, the latest first. The browser's one subscription belongs to that one, and to others only if they use
 * the same VAPID key.
 */
export async function listLatestConfirmed(): Promise<ConfirmedIdentity[]> {
  const identities = await listConfirmed();
  // oxlint-disable-next-line unicorn/no-array-sort -- The array is this function's own, and toSorted() is younger than web push.
  return identities.sort((one, other) => other.confirmed.atMs - one.confirmed.atMs);
}

/** Whether a server has confirmed the subscription with that endpoint, for whichever project. */
export async function isEndpointConfirmed(endpoint: string): Promise<boolean> {
  return (await listConfirmed()).some((one) => one.confirmed.endpoint === endpoint);
}

/** Whether a server has confirmed that identity, and the visitor has not turned notifications off since. */
export function isConfirmed(identity: Identity | undefined): identity is ConfirmedIdentity {
  return !!identity?.confirmed && !identity.off;
}

/**
 * Keeps what the visitor has decided last: whether notifications are off. Nothing but the visitor's own action may call it, and
 * it waits for no lock, so the decisions are kept in their order.
 */
export function keepOff(registrationsUrl: string, off: boolean): Promise<unknown> {
  return change(registrationsUrl, (present) => ({
    ...(present ?? freshIdentity(registrationsUrl)),
    off,
  }));
}

/**
 * Adds to the kept identity what a look or a registration has found. Adds nothing if the server has confirmed the browser
 * anew since `seen` was read, or if the visitor has left. Resolves to whether it was added.
 */
export async function keepFinding(
  seen: Identity,
  finding: Pick<Identity, "lookedAtMs" | "lost" | "droppedAtMs">,
): Promise<boolean> {
  const isAsSeen = (present: Identity | undefined): present is Identity =>
    !!present && present.confirmed?.atMs === seen.confirmed?.atMs;
  const before = await change(seen.registrationsUrl, (present) =>
    isAsSeen(present) ? { ...present, ...finding } : undefined,
  );
  return isAsSeen(before);
}

/**
 * Keeps what the server has just confirmed. Forgets the last look and the loss, which were about what it had confirmed
 * before.
 */
export function keepConfirmed(
  { registrationsUrl, clientSecret }: Identity,
  confirmed: Confirmation,
): Promise<unknown> {
  return change(registrationsUrl, (present) => ({
    ...present,
    registrationsUrl,
    clientSecret,
    lookedAtMs: undefined,
    lost: undefined,
    confirmed,
  }));
}

/** Gives the identity a new secret, no confirmation, and the loss `lost`. Keeps the visitor's decision and the last drop. */
export function forgetIdentity(registrationsUrl: string, lost?: LossCause): Promise<unknown> {
  return change(registrationsUrl, (present) => ({
    ...present,
    ...freshIdentity(registrationsUrl),
    confirmed: undefined,
    lost,
  }));
}
