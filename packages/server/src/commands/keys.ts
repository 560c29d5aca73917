import { randomBytes } from "node:crypto";
import { openPresentDataFolder } from "../data-folder.ts";
import { openDefaultProject } from "../projects/open.ts";
import type { Command } from "./command.ts";

export const keysCommand: Command = {
  name: "keys",
  summary: "Prints the project's public VAPID keys",
  usage: "sineta keys",
  help: `Prints one public key per line, the one to subscribe with first. The server makes the key when it starts for the
first time. Private keys are never shown.`,
  options: {},
  run: async ({ report, terminal }) => {
    const { dataFolder, secret } = report.config;
    const nowMs = Date.now();
    const store = await openPresentDataFolder(dataFolder, nowMs);
    try {
      const { keys } = await openDefaultProject({
        store,
        dataFolder,
        secret,
        randomBytes,
        nowMs,
      });
      for (const { publicKey } of keys.all) terminal.out(`${publicKey}\n`);
    } finally {
      await store.close();
    }
    return 0;
  },
};
