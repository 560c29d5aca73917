import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { CommandError } from "../command-error.ts";
import { databaseFile } from "../data-errors.ts";
import { openPresentDataFolder } from "../data-folder.ts";
import { fingerprintOf } from "../secrets/fingerprint.ts";
import {
  fittingKey,
  noFittingKey,
  possibleKeys,
  type SecretPlace,
} from "../secrets/fitting-key.ts";
import { rotateSecret } from "../secrets/rotate.ts";
import { takeServeLock } from "../serve-lock.ts";
import type { SealedStore } from "../store/port.ts";
import { commandLineAsker } from "./asker.ts";
import type { Command } from "./command.ts";

export const secretsCommand: Command = {
  name: "secrets",
  summary: "Changes the secret that keys are sealed with in the database, or tells which it is",
  usage: "sineta secrets rotate | fingerprint",
  help: `The database seals its private VAPID keys, the keys of receipts and of users, and the operators' second factors with
one secret. The secret is the text of SINETA_SECRET, the text in the file that SINETA_SECRET_FILE names, or else the file
"secret" in the data folder.

  rotate     seals everything anew with another secret; stop the server first. No subscription and no key is lost, because
             only their seal changes. After an interruption one of the two secrets opens everything.
               From data folder to data folder: sineta secrets rotate
               From the data folder to a setting: set SINETA_SECRET or SINETA_SECRET_FILE, then rotate; it removes the file "secret"
               From a setting to another secret: set SINETA_SECRET or SINETA_SECRET_FILE to the new one, and SINETA_OLD_SECRET or
                 SINETA_OLD_SECRET_FILE to the old one, then rotate
               From a setting to the data folder: set SINETA_OLD_SECRET or SINETA_OLD_SECRET_FILE alone, then rotate
  fingerprint
             prints eight characters by which you tell this secret from another: write them on the copy that you keep apart. Back-ups
             name their secret so, too. It fails if the secret does not open the keys in the database; without a database it
             prints those of the secret alone`,
  options: {},
  takesWords: true,
  run: async ({ words, report, terminal }) => {
    const { dataFolder, secret, oldSecret } = report.config;
    if (words.length === 1 && words[0] === "fingerprint") {
      terminal.out(`${fingerprintOf(await keyInUse({ dataFolder, secret }))}\n`);
      return 0;
    }
    if (words.length !== 1 || words[0] !== "rotate") {
      throw new CommandError(
        "usage",
        "Expected sineta secrets rotate or sineta secrets fingerprint: see sineta secrets --help.",
      );
    }
    const nowMs = Date.now();
    const store = await openPresentDataFolder(dataFolder, nowMs);
    try {
      // A server that runs holds the old secret, and would seal with it.
      const release = takeServeLock(dataFolder);
      try {
        const count = await rotateSecret({
          store: store.sealed,
          dataFolder,
          secret,
          oldSecret,
          asker: commandLineAsker(),
          randomBytes,
          nowMs,
        });
        terminal.out(
          count === 0
            ? `Everything is sealed with ${secret?.variable} already.\n`
            : `${count} ${count === 1 ? "secret is" : "secrets are"} sealed anew${secret === null ? "" : ` with ${secret.variable}`}.\n`,
        );
      } finally {
        release();
      }
    } finally {
      await store.close();
    }
    return 0;
  },
};

/** The key that opens the database in the folder, or where there is none yet, that of the secret there is. */
async function keyInUse(place: SecretPlace): Promise<Uint8Array> {
  const keys = possibleKeys(place);
  const key = fittingKey(keys, await sealedIn(place.dataFolder));
  if (key === null) throw noFittingKey(keys, place);
  return key;
}

async function sealedIn(dataFolder: string): ReturnType<SealedStore["all"]> {
  if (!existsSync(databaseFile(dataFolder))) return [];
  const store = await openPresentDataFolder(dataFolder, Date.now());
  try {
    return await store.sealed.all();
  } finally {
    await store.close();
  }
}
