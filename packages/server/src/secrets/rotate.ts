import { CommandError } from "../command-error.ts";
import type { Asker, SealedStore } from "../store/port.ts";
import { labelOf } from "./labels.ts";
import { openSealedKey, sealKey } from "./sealed-key.ts";
import {
  promoteNextSecret,
  readSecret,
  removeSecret,
  secretPath,
  writeNextSecret,
} from "./secret-file.ts";
import { openVault, sealingKey } from "./vault.ts";

export type Rotation = {
  store: SealedStore;
  dataFolder: string;
  /** `SINETA_SECRET`: what to seal with from now on; null: a new file. */
  secret: string | null;
  /** `SINETA_OLD_SECRET`: what everything is sealed with; null: the file. */
  oldSecret: string | null;
  asker: Asker;
  randomBytes: (count: number) => Uint8Array;
  nowMs: number;
};

/**
 * Seals everything anew with another secret. However it ends, one of both secrets opens all there is: everything is
 * stored in one transaction, and a new file stands beside the old one before, and takes its name after that. No server
 * may be running.
 * @returns how many secrets were sealed anew; 0 if SINETA_SECRET is what they are sealed with already
 * @throws CommandError `secret-unusable`: the old secret does not open what is stored, or the new one is the old one
 */
export async function rotateSecret(rotation: Rotation): Promise<number> {
  const { store, dataFolder, secret, oldSecret, asker, randomBytes, nowMs } = rotation;
  if (secret !== null && secret === oldSecret) {
    throw new CommandError(
      "secret-unusable",
      "SINETA_SECRET is the same as SINETA_OLD_SECRET: set it to the new secret.",
    );
  }
  const all = await store.all();
  if (secret !== null && all.length > 0 && openAll(sealingKey(secret), all)) {
    removeSecret(dataFolder);
    return 0;
  }
  if (secret !== null && oldSecret === null && readSecret(dataFolder) === null) {
    throw new CommandError(
      "secret-unusable",
      `There is no file ${secretPath(dataFolder)}: set SINETA_OLD_SECRET to the secret there is, and SINETA_SECRET to the new one.`,
    );
  }
  const setting = "SINETA_OLD_SECRET";
  const old = openVault({ dataFolder, secret: oldSecret, setting, randomBytes });
  const opened = all.map(({ place, sealed }) => ({
    place,
    before: sealed,
    plain: old.open(labelOf(place), sealed),
  }));

  const next = secret === null ? writeNextSecret(dataFolder, randomBytes) : sealingKey(secret);
  const changes = opened.map(({ place, before, plain }) => {
    const after = sealKey(next, labelOf(place), plain, randomBytes);
    const again = openSealedKey(next, labelOf(place), after);
    if (again === null || Buffer.compare(again, plain) !== 0) {
      throw new Error("what was sealed does not open");
    }
    return { place, before, after };
  });
  const audit = {
    ...asker,
    projectId: null,
    action: "secret.rotated",
    subject: secret === null ? "file" : "SINETA_SECRET",
    change: { sealed: changes.length },
  };
  if (!(await store.replace(changes, audit, nowMs))) {
    throw new CommandError(
      "secret-unusable",
      "Something was sealed meanwhile, so nothing was changed: try again.",
    );
  }
  if (secret === null) promoteNextSecret(dataFolder);
  else removeSecret(dataFolder);
  return changes.length;
}

/** Whether this key opens all of it. */
function openAll(key: Uint8Array, all: Awaited<ReturnType<SealedStore["all"]>>): boolean {
  return all.every(({ place, sealed }) => openSealedKey(key, labelOf(place), sealed) !== null);
}
