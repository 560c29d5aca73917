import { createECDH, createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { openDataFolder } from "../../packages/server/src/data-folder.ts";
import { openDefaultProject } from "../../packages/server/src/projects/open.ts";
import { hashClientSecret } from "../../packages/server/src/registrations/client-secret.ts";
import { openDatabase } from "../../packages/server/src/store/sqlite/connection.ts";
import { pushOrigins } from "./broadcast.ts";

/** Of every browser that `fill` puts in. */
export const filledSecret = Buffer.alloc(32, 7).toString("base64url");
/** In one transaction. */
const portion = 20_000;
const browsers: Record<string, string> = {
  "https://fcm.googleapis.com": "chrome",
  "https://updates.push.services.mozilla.com": "firefox",
  "https://web.push.apple.com": "safari",
};

/**
 * Puts live registrations into a data folder until there are so many, straight into the table and through its triggers: over HTTP a
 * million takes six minutes. A server must not run on it meanwhile, and none is put in twice.
 * @param options.seenAgoMs how long ago their browsers were seen last
 */
export async function fill(
  dataFolder: string,
  size: number,
  { seenAgoMs = 0 }: { seenAgoMs?: number } = {},
): Promise<void> {
  const nowMs = Date.now();
  const store = await openDataFolder(dataFolder, nowMs);
  const project = await openDefaultProject({ store, dataFolder, randomBytes, nowMs });
  const { live } = await store.audience.now(project.id);
  await store.close();
  const database = openDatabase(join(dataFolder, "sineta.db"));
  try {
    // What is lost with a machine that stops meanwhile is made again.
    database.exec("pragma synchronous = off; pragma cache_size = -200000");
    const insert = database.prepare(
      `insert into registrations (project_id, token, client_secret_hash, endpoint, endpoint_hash, p256dh, auth, vapid_key_id,
        push_origin, push_service, origin, browser, system, created_at_ms, refreshed_at_ms)
      values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, push_service_of(?9), 'https://site.example', ?10, 'linux', ?11, ?12)`,
    );
    // One pair of keys serves all: what is sealed for it is as much work as for any.
    const p256dh = createECDH("prime256v1").generateKeys("base64url");
    const auth = randomBytes(16).toString("base64url");
    for (let from = live; from < size; from += portion) {
      database.exec("begin immediate");
      for (let index = from; index < Math.min(size, from + portion); index += 1) {
        const origin = pushOrigins[index % pushOrigins.length] ?? "";
        const endpoint = `${origin}/push/${index}-${randomBytes(72).toString("base64url")}`;
        insert.run(
          project.id,
          randomBytes(32).toString("base64url"),
          hashClientSecret(filledSecret),
          endpoint,
          createHash("sha256").update(endpoint).digest(),
          p256dh,
          auth,
          project.keys.current.id,
          origin,
          browsers[origin] ?? "other",
          nowMs,
          nowMs - seenAgoMs,
        );
      }
      database.exec("commit");
    }
  } finally {
    database.close();
  }
}
