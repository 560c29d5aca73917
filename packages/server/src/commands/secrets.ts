import { randomBytes } from "node:crypto";
import { CommandError } from "../command-error.ts";
import { openPresentDataFolder } from "../data-folder.ts";
import { rotateSecret } from "../secrets/rotate.ts";
import { takeServeLock } from "../serve-lock.ts";
import { commandLineAsker } from "./asker.ts";
import type { Command } from "./command.ts";

export const secretsCommand: Command = {
  name: "secrets",
  summary: "Changes the secret that keys are sealed with in the database",
  usage: "sineta secrets rotate",
  help: `What the database must not give away (private VAPID keys, the keys of receipts and of users, second factors of operators) is
sealed with one secret: the file "secret" in the data folder, or SINETA_SECRET.

  rotate     seals everything anew with another secret; the server has to be stopped first. Nobody loses a subscription
             or a key: what is sealed stays what it is. If it is interrupted, what there is can still be opened.
               From file to file:           sineta secrets rotate
               From the file to a variable: set SINETA_SECRET, then rotate; the file is removed
               From variable to variable:   set SINETA_SECRET to the new one and SINETA_OLD_SECRET to the old one, then rotate
               From a variable to a file:   set SINETA_OLD_SECRET alone, then rotate`,
  options: {},
  takesWords: true,
  run: async ({ words, report, terminal }) => {
    if (words.length !== 1 || words[0] !== "rotate") {
      throw new CommandError("usage", "Expected sineta secrets rotate: see sineta secrets --help.");
    }
    const { dataFolder, secret, oldSecret } = report.config;
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
            ? "Everything is sealed with SINETA_SECRET already.\n"
            : `${count} ${count === 1 ? "secret is" : "secrets are"} sealed anew${secret === null ? "" : " with SINETA_SECRET"}.\n`,
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
