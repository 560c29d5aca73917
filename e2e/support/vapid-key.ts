/** A server's VAPID keys: the present one, and a newer one, which no command adds yet. */
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openDataFolder } from "../../packages/server/src/data-folder.ts";
import { makeData } from "../../packages/server/src/test/make-data.ts";
import type { SinetaServer } from "./server.ts";

/** The public VAPID key that pages are to subscribe with. */
export async function vapidKeyOf({ url }: SinetaServer): Promise<string> {
  const answer = await fetch(new URL("/v1/projects/default/config", url));
  const { vapidKey }: { vapidKey: string } = await answer.json();
  return vapidKey;
}

/**
 * Adds a newer VAPID key while the server is not running. Another data folder with the same secret makes it, so that it is
 * sealed as the server's own keys are.
 */
export async function addVapidKey(server: SinetaServer): Promise<void> {
  const elsewhere = await mkdtemp(join(tmpdir(), "sineta-key-"));
  try {
    await (await openDataFolder(elsewhere, Date.now())).close();
    await copyFile(join(server.data, "secret"), join(elsewhere, "secret"));
    await makeData(elsewhere);
    const database = new DatabaseSync(join(server.data, "sineta.db"));
    database.exec(`
      attach '${join(elsewhere, "sineta.db")}' as elsewhere;
      insert into vapid_keys (project_id, public_key, sealed_private_key, created_at_ms)
        select project_id, public_key, sealed_private_key, created_at_ms from elsewhere.vapid_keys;`);
    database.close();
  } finally {
    await rm(elsewhere, { recursive: true });
  }
}
