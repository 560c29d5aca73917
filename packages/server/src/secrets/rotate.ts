import { CommandError } from "../command-error.ts";
import type { Asker, SealedStore } from "../store/port.ts";
import { fittingKey } from "./fitting-key.ts";
import { textOfSecret, type GivenSecret } from "./given-secret.ts";
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
  /** What to seal with from now on; null: a new file in the data folder. */
  secret: GivenSecret | null;
  /** What everything is sealed with; null: the file in the data folder. */
  oldSecret: GivenSecret | null;
  asker: Asker;
  randomBytes: (count: number) => Uint8Array;
  nowMs: number;
};

/**
 * Seals everything anew with another secret. However it ends, one of both secrets opens all there is: everything is
 * stored in one transaction, and a new file stands beside the old one before, and takes its name after that. No server
 * may be running.
 * @returns how many secrets were sealed anew; 0 if `secret` is what they are sealed with already
 * @throws CommandError `setting-invalid`: a file of a secret cannot be read. `secret-unusable`: the old secret does not open what is stored, or the new one is the old one
 */
export async function rotateSecret(rotation: Rotation): Promise<number> {
  const { store, dataFolder, secret, oldSecret, asker, randomBytes, nowMs } = rotation;
  const newText = secret === null ? null : textOfSecret(secret, dataFolder);
  if (oldSecret !== null && newText === textOfSecret(oldSecret, dataFolder)) {
    throw new CommandError(
      "secret-unusable",
      `${secret?.variable} is the same as ${oldSecret.variable}: set it to the new secret.`,
    );
  }
  const all = await store.all();
  if (newText !== null && all.length > 0 && fittingKey([sealingKey(newText)], all) !== null) {
    removeSecret(dataFolder);
    return 0;
  }
  if (secret !== null && oldSecret === null && readSecret(dataFolder) === null) {
    throw new CommandError(
      "secret-unusable",
      `There is no file ${secretPath(dataFolder)}: set SINETA_OLD_SECRET or SINETA_OLD_SECRET_FILE to the secret there is, and ${secret.variable} to the new one.`,
    );
  }
  const old = openVault({ dataFolder, secret: oldSecret, randomBytes });
  const opened = all.map(({ place, sealed }) => ({
    place,
    before: sealed,
    plain: old.open(labelOf(place), sealed),
  }));

  const next = newText === null ? writeNextSecret(dataFolder, randomBytes) : sealingKey(newText);
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
    subject: secret?.variable ?? "file",
    change: { sealed: changes.length },
  };
  if (!(await store.replace(changes, audit, nowMs))) {
    throw new CommandError(
      "secret-unusable",
      "Something was sealed meanwhile, so nothing was changed: try again.",
    );
  }
  if (secret === null) promoteNextSecret(dataFolder, next);
  else removeSecret(dataFolder);
  return changes.length;
}
