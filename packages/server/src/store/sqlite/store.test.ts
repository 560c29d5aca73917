import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../../log.ts";
import { storeContract } from "../contract.ts";
import { openDatabase } from "./connection.ts";
import { openSqliteStore } from "./open.ts";
import { writeEmptyDatabase } from "./testing/empty-database.ts";

/** As the server opens it: long reads run on threads. */
const beside = { log: createLog("error", process.stderr) };

storeContract("SQLite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sineta-store-"));
  const path = join(folder, "sineta.db");
  writeEmptyDatabase(path);
  return {
    open: () => openSqliteStore(path, 0, beside),
    remove: async () => rmSync(folder, { recursive: true }),
    async prove({ pushOrigin, vapidKeyId }) {
      const database = openDatabase(path);
      database.prepare("insert into proven_origins values (?, ?, 1)").run(pushOrigin, vapidKeyId);
      database.close();
    },
  };
});
