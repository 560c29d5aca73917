import { projectSecretLabel } from "../secrets/labels.ts";
import type { Vault } from "../secrets/vault.ts";
import type { ProjectSecretPurpose, Store } from "../store/port.ts";
import { openVapidKeys } from "./vapid-keys.ts";

const projectSecretBytes = 32;

/**
 * Opens the project's secret for this purpose: 32 random bytes, made if there is none. They are stored sealed, as
 * VAPID keys are.
 * @throws CommandError `secret-unusable`: stored keys are there and cannot be opened. A new secret is never made in
 *   the place of one that is lost, since it would make worthless whatever the lost one has signed.
 */
export async function openProjectSecret(parts: {
  store: Store;
  projectId: number;
  purpose: ProjectSecretPurpose;
  vault: Vault;
  randomBytes: (count: number) => Uint8Array;
  nowMs: number;
}): Promise<Uint8Array> {
  const { store, projectId, purpose, vault, randomBytes, nowMs } = parts;
  const label = projectSecretLabel(projectId, purpose);
  let sealed = await store.projects.secret(projectId, purpose);
  if (sealed === null) {
    // So that nothing new is sealed with a secret that does not fit what is stored already.
    await openVapidKeys(parts);
    const first = vault.seal(label, randomBytes(projectSecretBytes));
    // Another process may have been quicker: its secret is taken then.
    await store.projects.addFirstSecret(projectId, purpose, first, nowMs);
    sealed = await store.projects.secret(projectId, purpose);
    if (sealed === null) throw new Error("a project has no secret after one was added");
  }
  return vault.open(label, sealed);
}
