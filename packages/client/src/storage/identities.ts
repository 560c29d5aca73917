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
export function establishIdentity(registrationsUrl: string): Promise<Identity> {
  return change(registrationsUrl, (present, fresh) => present ?? fresh);
}

/**
 * Calls `next` with the kept identity, if there is one, and with a fresh one. Keeps what `next` returns, in one transaction,
 * and resolves to it. If that is undefined, nothing changes.
 */
async function change<T extends Identity | undefined>(
  registrationsUrl: string,
  next: (present: Identity | undefined, fresh: Identity) => T,
): Promise<T> {
  let changed!: T;
  await transaction("identities", "readwrite", (store) => {
    const fresh = {
      registrationsUrl,
      clientSecret: toBase64url(crypto.getRandomValues(new Uint8Array(32))),
    };
    const request = store.get(registrationsUrl);
    request.onsuccess = () => {
      changed = next(request.result, fresh);
      if (changed) store.put(changed);
    };
    return request;
  });
  return changed;
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
  return change(registrationsUrl, (present, fresh) => ({ ...(present ?? fresh), off }));
}

/**
 * Adds to the kept identity what a look or a registration has found. Adds nothing if the server has confirmed the browser
 * anew since `seen` was read, or if the visitor has left. Resolves to whether it was added.
 */
export async function keepFinding(
  seen: Identity,
  finding: Pick<Identity, "lookedAtMs" | "lost" | "droppedAtMs">,
): Promise<boolean> {
  const changed = await change(seen.registrationsUrl, (present) =>
    present && present.confirmed?.atMs === seen.confirmed?.atMs
      ? { ...present, ...finding }
      : undefined,
  );
  return !!changed;
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
  return change(registrationsUrl, (present, fresh) => ({
    ...present,
    ...fresh,
    confirmed: undefined,
    lost,
  }));
}
