import { createECDH, createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openDataFolder } from "../../packages/server/src/data-folder.ts";
import { openDefaultProject } from "../../packages/server/src/projects/open.ts";

/** As much as registers before the event loop goes round: it shares one commit. */
const atOnce = 500;

/** One pair of keys serves all: what is sealed for it is as much work as for any. */
const p256dh = createECDH("prime256v1").generateKeys("base64url");
const auth = randomBytes(16).toString("base64url");

export type Seeded = { token: string; endpoint: string };

/**
 * Registers browsers that are not there, straight into a data folder, as their pages would over HTTP. A server may run
 * on it meanwhile.
 * @param endpoints one for each
 */
export async function seed(
  dataFolder: string,
  endpoints: readonly string[],
  more: { timeZone?: string } = {},
): Promise<Seeded[]> {
  const nowMs = Date.now();
  const store = await openDataFolder(dataFolder, nowMs);
  try {
    const project = await openDefaultProject({ store, dataFolder, randomBytes, nowMs });
    const register = async (endpoint: string): Promise<Seeded> => {
      const token = randomBytes(32).toString("base64url");
      const candidate = {
        projectId: project.id,
        endpoint,
        endpointHash: createHash("sha256").update(endpoint).digest(),
        p256dh,
        auth,
        vapidKeyId: project.keys.current.id,
        pushOrigin: new URL(endpoint).origin,
        origin: "https://site.example",
        locale: null,
        timeZone: more.timeZone ?? null,
        browser: "unknown" as const,
        system: "unknown" as const,
        clientSecretHash: randomBytes(32),
        earlierToken: null,
        loss: null,
        newToken: token,
      };
      await store.registrations.register(candidate, () => ({ kind: "new" }), nowMs);
      return { token, endpoint };
    };
    const seeded: Seeded[] = [];
    for (let from = 0; from < endpoints.length; from += atOnce) {
      seeded.push(...(await Promise.all(endpoints.slice(from, from + atOnce).map(register))));
    }
    return seeded;
  } finally {
    await store.close();
  }
}

/** Says that these push origins have accepted something before, under every key. A server may run meanwhile. */
export function prove(dataFolder: string, origins: readonly string[]): void {
  const database = new DatabaseSync(join(dataFolder, "sineta.db"), { timeout: 5_000 });
  const insert = database.prepare("insert into proven_origins select ?, id, 0 from vapid_keys");
  for (const origin of origins) insert.run(origin);
  database.close();
}

/** Endpoints at these push origins in turn. */
export function endpointsAt(origins: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const origin = origins[index % origins.length] ?? "";
    return `${origin}/push/${index}`;
  });
}
