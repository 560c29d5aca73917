import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../../log.ts";
import { storeContract } from "../contract.ts";
import { openSqliteStore } from "./open.ts";

/** As the server opens it: long reads run on threads. */
const beside = { log: createLog("error", process.stderr) };

storeContract("SQLite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sineta-store-"));
  return {
    open: () => openSqliteStore(join(folder, "sineta.db"), 0, beside),
    remove: async () => rmSync(folder, { recursive: true }),
  };
});
