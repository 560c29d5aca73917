/** Registers browsers 0 to count - 1 in a database: register-child.ts <path> <count>. One line for each. */
import { createHash, randomBytes } from "node:crypto";
import { decide } from "../registrations/rules.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";

const [path = "", count = "0"] = process.argv.slice(2);
const store = await openSqliteStore(path, 0);
const { id: projectId } = await store.projects.ensure("default", 0);
const key = { publicKey: `key of ${process.pid}`, sealedPrivateKey: Buffer.from("sealed") };
await store.projects.addFirstVapidKey(projectId, key, 0);
const vapidKeyId = (await store.projects.vapidKeys(projectId))[0]?.id ?? 0;

for (let index = 0; index < Number(count); index += 1) {
  const endpoint = `https://push.example/${index}`;
  const candidate = {
    projectId,
    endpoint,
    endpointHash: createHash("sha256").update(endpoint).digest(),
    p256dh: "p256dh",
    auth: "auth",
    vapidKeyId,
    pushOrigin: "https://push.example",
    origin: "https://site.example",
    locale: null,
    timeZone: null,
    browser: "unknown" as const,
    system: "unknown" as const,
    clientSecretHash: Buffer.alloc(32, 1),
    earlierToken: null,
    loss: null,
    newToken: randomBytes(32).toString("base64url"),
  };
  const result = await store.registrations.register(
    candidate,
    (found) => decide(candidate, found),
    index,
  );
  console.log(result.kind, result.kind === "refused" ? "" : result.token);
}
await store.close();
