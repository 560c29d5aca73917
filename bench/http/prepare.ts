import { createECDH, randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openDataFolder } from "../../packages/server/src/data-folder.ts";
import { openDefaultProject } from "../../packages/server/src/projects/open.ts";
import { receiptKey } from "../../packages/server/src/receipts/receipt-key.ts";
import { siteClient } from "../../packages/server/src/test/http-client.ts";
import { filledSecret } from "../broadcast/fill.ts";
import { browserHeaders } from "./browser-headers.ts";
import type { Prepared } from "./load.ts";

/** New browsers, each with an endpoint of its own. @param site where the server is */
export async function makeRegistrations(site: string): Promise<(count: number) => Prepared[]> {
  const client = await siteClient(site);
  // One pair of keys serves all: the server looks at each as if it were new.
  const keys = {
    p256dh: createECDH("prime256v1").generateKeys("base64url"),
    auth: randomBytes(16).toString("base64url"),
  };
  return (count) =>
    Array.from({ length: count }, (_, index) => {
      const endpoint = `https://fcm.googleapis.com/fcm/send/${randomBytes(100).toString("base64url")}`;
      const clientSecret = randomBytes(32).toString("base64url");
      const { headers, body } = client.request({ clientSecret, subscription: { endpoint, keys } });
      return { headers: { ...browserHeaders(index, site), ...headers }, body };
    });
}

/** One from each browser that `fill` has put in. */
export function makeLooks(dataFolder: string, site: string): Prepared[] {
  const own = { Origin: new URL(site).origin, "Content-Type": "text/plain;charset=UTF-8" };
  return tokensIn(dataFolder).map((token, index) => ({
    headers: { ...browserHeaders(index, site), ...own },
    body: filledSecret,
    path: `/${token}/look`,
  }));
}

/** "Displayed", once from each registration, of a message that has gone to them. */
export async function makeReceipts(
  dataFolder: string,
  site: string,
  messageId: string,
): Promise<Prepared[]> {
  const store = await openDataFolder(dataFolder, Date.now());
  const project = await openDefaultProject({ store, dataFolder, randomBytes, nowMs: Date.now() });
  await store.close();
  const own = { Origin: new URL(site).origin, "Content-Type": "application/json" };
  return tokensIn(dataFolder).map((token, index) => {
    const key = receiptKey(project.receiptSecret, messageId, token);
    const headers = { ...browserHeaders(index, site), ...own };
    return { headers, body: JSON.stringify({ messageId, token, key, event: "displayed" }) };
  });
}

function tokensIn(dataFolder: string): string[] {
  const database = new DatabaseSync(join(dataFolder, "sineta.db"), { readOnly: true });
  const registered = database.prepare("select token from registrations order by id").all();
  database.close();
  return registered.map((row) => String(row["token"]));
}
