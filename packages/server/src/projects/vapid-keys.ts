import { vapidKeyLabel } from "../secrets/labels.ts";
import type { Vault } from "../secrets/vault.ts";
import type { SealedVapidKey, Store } from "../store/port.ts";
import { generateVapidKeys, importVapidKeys, type VapidKeys } from "../webpush/vapid.ts";

/** The project's keys, opened. */
export type VapidKeyRing = {
  /** The one to subscribe with. */
  current: RingKey;
  /** Newest first; older ones serve the subscriptions that were made with them. */
  all: readonly RingKey[];
};

export type RingKey = { id: number; publicKey: string; keys: VapidKeys; createdAtMs: number };

/**
 * Opens the project's VAPID keys; makes the first one if there is none.
 * @throws CommandError `secret-unusable`: keys are there and cannot be opened. New ones are never made in their
 *   place, since every subscription is bound to the key it was made with.
 */
export async function openVapidKeys({
  store,
  projectId,
  vault,
  nowMs,
}: {
  store: Store;
  projectId: number;
  vault: Vault;
  nowMs: number;
}): Promise<VapidKeyRing> {
  let sealed = await store.projects.vapidKeys(projectId);
  if (sealed.length === 0) {
    vault.prepare();
    const { publicKey, privateKey } = generateVapidKeys();
    const label = vapidKeyLabel(publicKey);
    const sealedPrivateKey = vault.seal(label, Buffer.from(privateKey, "base64url"));
    // Another process may have been quicker: its key is taken then.
    await store.projects.addFirstVapidKey(projectId, { publicKey, sealedPrivateKey }, nowMs);
    sealed = await store.projects.vapidKeys(projectId);
  }
  const all = sealed.map((key) => openKey(key, vault));
  const current = all[0];
  if (current === undefined) throw new Error("a project has no VAPID key after one was added");
  return { current, all };
}

function openKey(
  { id, publicKey, sealedPrivateKey, createdAtMs }: SealedVapidKey,
  vault: Vault,
): RingKey {
  const privateKey = vault.open(vapidKeyLabel(publicKey), sealedPrivateKey);
  return {
    id,
    publicKey,
    createdAtMs,
    keys: importVapidKeys(publicKey, Buffer.from(privateKey).toString("base64url")),
  };
}
