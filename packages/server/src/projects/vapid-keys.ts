import type { SealedVapidKey, Store } from "../store/port.ts";
import { generateVapidKeys, importVapidKeys, type VapidKeys } from "../webpush/vapid.ts";
import { sealKey } from "./sealed-key.ts";
import { createSecret, openStoredKey, readSecret } from "./secret-file.ts";

/** The project's keys, opened. */
export type VapidKeyRing = {
  /** The one to subscribe with. */
  current: RingKey;
  /** Newest first; older ones serve the subscriptions that were made with them. */
  all: readonly RingKey[];
};

export type RingKey = { id: number; publicKey: string; keys: VapidKeys };

/**
 * Opens the project's VAPID keys; makes the first one if there is none.
 * @throws CommandError `secret-unusable`: keys are there and cannot be opened. New ones are never made in their
 *   place, since every subscription is bound to the key it was made with.
 */
export async function openVapidKeys({
  store,
  projectId,
  dataFolder,
  randomBytes,
  nowMs,
}: {
  store: Store;
  projectId: number;
  dataFolder: string;
  randomBytes: (count: number) => Uint8Array;
  nowMs: number;
}): Promise<VapidKeyRing> {
  let sealed = await store.projects.vapidKeys(projectId);
  let secret = readSecret(dataFolder);
  if (sealed.length === 0) {
    secret ??= createSecret(dataFolder, randomBytes);
    const { publicKey, privateKey } = generateVapidKeys();
    const sealedPrivateKey = sealKey(
      secret,
      labelOf(publicKey),
      Buffer.from(privateKey, "base64url"),
      randomBytes,
    );
    // Another process may have been quicker: its key is taken then.
    await store.projects.addFirstVapidKey(projectId, { publicKey, sealedPrivateKey }, nowMs);
    sealed = await store.projects.vapidKeys(projectId);
  }
  const all = sealed.map((key) => openKey(key, secret, dataFolder));
  const current = all[0];
  if (current === undefined) throw new Error("a project has no VAPID key after one was added");
  return { current, all };
}

function openKey(key: SealedVapidKey, secret: Uint8Array | null, dataFolder: string): RingKey {
  const label = labelOf(key.publicKey);
  const privateKey = openStoredKey(dataFolder, secret, label, key.sealedPrivateKey);
  return {
    id: key.id,
    publicKey: key.publicKey,
    keys: importVapidKeys(key.publicKey, Buffer.from(privateKey).toString("base64url")),
  };
}

function labelOf(publicKey: string): string {
  return `vapid key v1 ${publicKey}`;
}
