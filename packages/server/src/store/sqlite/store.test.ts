import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeContract } from "../contract.ts";
import { openSqliteStore } from "./open.ts";

storeContract("SQLite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sineta-store-"));
  return {
    open: () => openSqliteStore(join(folder, "sineta.db"), 0),
    remove: async () => rmSync(folder, { recursive: true }),
  };
});
