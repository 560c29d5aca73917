import { resolve } from "node:path";
import { restoreBackup, type Restored } from "../backup/restore-backup.ts";
import { countsText } from "../backup/counts.ts";
import { CommandError } from "../command-error.ts";
import type { Command } from "./command.ts";
import { printable, timeOf } from "./table.ts";

export const restoreCommand: Command = {
  name: "restore",
  summary: "Puts a back-up into an empty data folder",
  usage: "sineta restore FILE",
  help: `Copies FILE, which sineta backup has made, into the data folder, and does not change FILE. The command refuses a damaged file. It also
refuses a folder with data in it, or with a running server: move old data away first.

The keys in the back-up open with one secret. If SINETA_SECRET or SINETA_SECRET_FILE is set, or the data folder has a file
"secret", that has to be it: the command names the secret by its fingerprint. Else the command takes the secret out of a back-up
that was made --with-secret. Its passphrase comes from SINETA_BACKUP_PASSPHRASE; else the command asks for it.

After that the server delivers nothing until sineta resume.`,
  options: {},
  takesWords: true,
  run: async ({ words, report, terminal }) => {
    const [word = "", ...tooMany] = words;
    if (word === "" || tooMany.length > 0) {
      throw new CommandError("usage", "Expected sineta restore FILE: see sineta restore --help.");
    }
    const { dataFolder, secret, backupPassphrase: passphrase } = report.config;
    // Kept, so that a file's name with a slash behind it is refused as the system refuses it.
    const file = resolve(terminal.folder, word) + (word.endsWith("/") ? "/" : "");
    const restored = await restoreBackup({ file, dataFolder, secret, passphrase, terminal });
    terminal.out(restoredText(restored, file, dataFolder));
    return 0;
  },
};

function restoredText(restored: Restored, file: string, dataFolder: string): string {
  const { createdAtMs, version, secretFingerprint } = restored.label;
  const where =
    restored.secret.kind === "sealed"
      ? "came out of the back-up into the data folder"
      : `is that of ${printable(restored.secret.where)}`;
  return (
    `Restored ${printable(file)} into ${printable(dataFolder)}: ${countsText(restored)}, from ${timeOf(createdAtMs)}, by Sineta ${printable(version)}.\n` +
    `The secret ${printable(secretFingerprint)}, which opens its keys, ${where}.\n` +
    "The server delivers nothing until sineta resume.\n"
  );
}
