/** Rotates the data folder's secret, and is killed at the moment that is named: `before` or `after` all is stored. */
import { randomBytes } from "node:crypto";
import { rotateSecret } from "../secrets/rotate.ts";
import { openDataFolder } from "../data-folder.ts";

const [dataFolder = "", moment = ""] = process.argv.slice(2);
const store = await openDataFolder(dataFolder, 0);
const killed = () => process.kill(process.pid, "SIGKILL");
await rotateSecret({
  store: {
    all: () => store.sealed.all(),
    async replace(changes, audit, nowMs) {
      if (moment === "before") killed();
      const replaced = await store.sealed.replace(changes, audit, nowMs);
      if (moment === "after") killed();
      return replaced;
    },
  },
  dataFolder,
  secret: null,
  oldSecret: null,
  asker: { actor: { kind: "command-line", name: "test" }, address: null },
  randomBytes,
  nowMs: 1,
});
