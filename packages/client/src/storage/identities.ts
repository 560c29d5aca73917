import { toBase64url } from "../base64url.ts";
import { transaction } from "./database.ts";

/** What this browser is to one project of one server. Page and worker both need it. */
export type Identity = {
  /** Address of the project's registrations: the key. */
  registrationsUrl: string;
  /** 32 random bytes, base64url: what this browser alone may show to the server. */
  clientSecret: string;
  /** What the server confirmed last; absent until it has. */
  confirmed?: {
    token: string;
    endpoint: string;
    vapidKey: string;
    atMs: number;
  };
};

/** The identity kept for that project, or undefined. */
export function findIdentity(registrationsUrl: string): Promise<Identity | undefined> {
  return transaction<Identity>("identities", "readonly", (store, answer) => {
    const request: IDBRequest<Identity> = store.get(registrationsUrl);
    request.onsuccess = () => answer(request.result);
  });
}

/**
 * The identity kept for that project; made, with a fresh client secret, where there is none. One transaction, so
 * two tabs that come at once get the same secret, and therefore one registration.
 */
export async function establishIdentity(registrationsUrl: string): Promise<Identity> {
  const fresh: Identity = {
    registrationsUrl,
    clientSecret: toBase64url(crypto.getRandomValues(new Uint8Array(32))),
  };
  const identity = await transaction<Identity>("identities", "readwrite", (store, answer) => {
    const request: IDBRequest<Identity | undefined> = store.get(registrationsUrl);
    request.onsuccess = () => {
      answer(request.result ?? fresh);
      if (!request.result) store.put(fresh);
    };
  });
  return identity ?? fresh;
}

/** Every identity kept: the worker renews them all when the browser changes its subscription. */
export async function listIdentities(): Promise<Identity[]> {
  const identities = await transaction<Identity[]>("identities", "readonly", (store, answer) => {
    const request: IDBRequest<Identity[]> = store.getAll();
    request.onsuccess = () => answer(request.result);
  });
  return identities ?? [];
}

/** Keeps an identity in place of what was kept. */
export async function keepIdentity(identity: Identity): Promise<void> {
  await transaction("identities", "readwrite", (store) => void store.put(identity));
}

/** Forgets the identity, and with it the client secret. */
export async function forgetIdentity(registrationsUrl: string): Promise<void> {
  await transaction("identities", "readwrite", (store) => void store.delete(registrationsUrl));
}
