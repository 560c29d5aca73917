import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileIn, removeOldest } from "../backup/backup-folder.ts";
import { countsText } from "../backup/counts.ts";
import { makeBackup } from "../backup/make-backup.ts";
import { newPassphrase } from "../backup/passphrase.ts";
import { CommandError } from "../command-error.ts";
import type { Command } from "./command.ts";
import { printable } from "./table.ts";

export const backupCommand: Command = {
  name: "backup",
  summary: "Makes a back-up of the database, also while the server runs",
  usage: "sineta backup FILE [--with-secret] | --folder DIR --keep N [--with-secret]",
  help: `Writes the database of one moment into FILE, for this user alone. FILE appears once it is whole; a file that is there is
never replaced. sineta restore puts it into an empty data folder.

  --folder       makes a file sineta-20261129T171000Z.db in this folder instead; its name is the time (UTC)
  --keep         with --folder: how many back-ups of this server stay, with the new one. The command removes the oldest once the
                 new one is whole. Back-ups of a server with other VAPID keys stay and do not count
  --with-secret  puts the secret that opens the keys into the back-up, sealed with a passphrase. The passphrase comes from
                 SINETA_BACKUP_PASSPHRASE; else the command asks for it. Without this flag, keep a copy of the secret apart: the
                 command prints its fingerprint, as sineta secrets fingerprint does

In the back-up the delivery is held, so that a restored server sends nothing twice: sineta resume lets it go on.`,
  options: {
    folder: { type: "string" },
    keep: { type: "string" },
    "with-secret": { type: "boolean" },
  },
  takesWords: true,
  run: async ({ flags, words, report, terminal }) => {
    const { dataFolder, secret, backupPassphrase: given } = report.config;
    const nowMs = Date.now();
    const kept = readFolder(flags, terminal.folder);
    const file = kept === null ? fileOf(words, terminal.folder) : fileIn(kept.folder, nowMs);
    if (kept !== null && words.length > 0) throw usage("FILE and --folder exclude each other");
    const withSecret = flags["with-secret"] === true;
    const passphrase = withSecret ? await newPassphrase({ given, terminal }) : null;
    const made = await makeBackup({ dataFolder, secret, file, passphrase, randomBytes, nowMs });
    const megabytes = (made.bytes / 1_000_000).toFixed(1);
    terminal.out(`Wrote ${printable(file)} (${megabytes} MB), with ${countsText(made)}.\n`);
    terminal.out(
      withSecret
        ? `The secret ${made.secretFingerprint} is in it, sealed with the passphrase.\n`
        : `The secret ${made.secretFingerprint} opens its keys and is not in it: keep a copy of the secret apart.\n`,
    );
    if (kept === null) return 0;
    const { removed, future, others, refused } = removeOldest(file, kept.keep);
    for (const path of removed) terminal.out(`Removed ${printable(path)}.\n`);
    if (future.length > 0) {
      terminal.err(
        `Not counted with --keep, and never removed, because its name lies in the future: ${printable(future.join(", "))}. Look at the clock, and remove by hand what is old.\n`,
      );
    }
    if (others.length > 0) {
      terminal.err(
        `Not counted with --keep, and never removed, because its VAPID keys are others than this server's: ${printable(others.join(", "))}.\n`,
      );
    }
    if (refused !== null) throw refused;
    return 0;
  },
};

function fileOf(words: readonly string[], folder: string): string {
  const [word = "", ...tooMany] = words;
  if (word === "") throw usage("Expected a FILE, or --folder");
  if (tooMany.length > 0) throw usage("There is a word too many");
  const file = resolve(folder, word);
  if (isFolder(file) || word.endsWith("/")) {
    throw usage(`FILE is ${JSON.stringify(word)}, a folder: name a file in it, or use --folder`);
  }
  return file;
}

/** False also where stat(2) fails, as for too long a name: making the back-up fails there, too, and says why. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Null without `--folder`. */
function readFolder(
  flags: Readonly<Record<string, unknown>>,
  from: string,
): { folder: string; keep: number } | null {
  const { folder, keep } = flags;
  if (folder === undefined && keep === undefined) return null;
  if (typeof folder !== "string" || folder === "") throw usage("--keep needs --folder");
  if (typeof keep !== "string") throw usage("--folder needs --keep");
  if (!/^[1-9]\d{0,5}$/.test(keep)) {
    throw usage(`--keep is ${JSON.stringify(keep)}: expected a number from 1 to 999999`);
  }
  return { folder: resolve(from, folder), keep: Number(keep) };
}

function usage(sentence: string): CommandError {
  return new CommandError("usage", `${sentence}: see sineta backup --help.`);
}
