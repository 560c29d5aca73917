import type { ProjectSecretPurpose, Store } from "../store/port.ts";
import { sealKey } from "./sealed-key.ts";
import { openStoredKey, readSecret } from "./secret-file.ts";
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
  dataFolder: string;
  randomBytes: (count: number) => Uint8Array;
  nowMs: number;
}): Promise<Uint8Array> {
  const { store, projectId, purpose, dataFolder, randomBytes, nowMs } = parts;
  const label = `project secret v1 ${projectId} ${purpose}`;
  let sealed = await store.projects.secret(projectId, purpose);
  if (sealed === null) {
    // So that nothing new is sealed with a file that does not fit what is stored already.
    await openVapidKeys(parts);
    const fileSecret = readSecret(dataFolder);
    if (fileSecret === null) throw new Error("the project's keys are open, but not their secret");
    const first = sealKey(fileSecret, label, randomBytes(projectSecretBytes), randomBytes);
    // Another process may have been quicker: its secret is taken then.
    await store.projects.addFirstSecret(projectId, purpose, first, nowMs);
    sealed = await store.projects.secret(projectId, purpose);
    if (sealed === null) throw new Error("a project has no secret after one was added");
  }
  return openStoredKey(dataFolder, readSecret(dataFolder), label, sealed);
}
