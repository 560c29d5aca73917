import { randomBytes } from "node:crypto";
import { openPresentDataFolder } from "../data-folder.ts";
import { openDefaultProject } from "../projects/open.ts";
import type { Command } from "./command.ts";

const explanation = `Keep it secret: whoever has it can bind any browser to any user of the site. The site's backend signs
user tokens with it, with HS256 and this text as the key (examples/user-token shows how).
`;

export const userKeyCommand: Command = {
  name: "user-key",
  summary: "Prints the key that the site's backend signs user tokens with",
  usage: "sineta user-key",
  help: `Prints the project's user key alone, the same each time, so that it can be piped to where the backend keeps its
secrets. ${explanation}`,
  options: {},
  run: async ({ report, terminal }) => {
    const { dataFolder, secret } = report.config;
    const nowMs = Date.now();
    const store = await openPresentDataFolder(dataFolder, nowMs);
    try {
      const { userKey } = await openDefaultProject({
        store,
        dataFolder,
        secret,
        randomBytes,
        nowMs,
      });
      terminal.out(`${userKey}\n`);
      terminal.err(explanation);
    } finally {
      await store.close();
    }
    return 0;
  },
};
