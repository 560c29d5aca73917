/**
 * Registers new browsers from one address, as fast as the answers come:
 * flood-child.ts <site> <address> <count> <connections>. One line at the first answer, and one of JSON at the end.
 */
import { Agent, request } from "node:http";
import { once } from "node:events";
import { testBrowser } from "../../packages/server/src/test/browser.ts";
import { siteClient } from "../../packages/server/src/test/http-client.ts";

const [site = "", localAddress = "", count = "0", connections = "1"] = process.argv.slice(2);
const client = await siteClient(site);
const url = new URL(`${client.project}/registrations`);
url.hostname = "127.0.0.1";
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
// One pair of keys will do: making them takes longer than the server takes to refuse them.
const { subscription, clientSecret } = testBrowser();
const statuses: Record<number, number> = {};
let sent = 0;

async function register(): Promise<void> {
  const endpoint = `${subscription.endpoint}${sent}`;
  const { headers, body } = client.request({
    clientSecret,
    subscription: { ...subscription, endpoint },
  });
  const asked = request(url, { method: "POST", agent, localAddress, headers });
  asked.end(body);
  const [answer] = await once(asked, "response");
  for await (const _ of answer);
  statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
}

async function goOn(): Promise<void> {
  while (sent < Number(count)) {
    sent++;
    await register();
  }
}

const startMs = performance.now();
sent++;
await register();
console.log("flooding");
await Promise.all(Array.from({ length: Number(connections) }, goOn));
agent.destroy();
console.log(JSON.stringify({ statuses, milliseconds: performance.now() - startMs }));
