// The bakery's server: serves the page, keeps who wants to be told, and tells them.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import webpush from "web-push";
import { openStorage } from "./storage.js";

const { PORT = "3000", DATA = "bakery.json", BAKER_PASSWORD } = process.env;
const storage = await openStorage(DATA, () => webpush.generateVAPIDKeys());
webpush.setVapidDetails("mailto:baker@example.com", ...storage.vapidKeys);

const files = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/page.js": ["page.js", "text/javascript"],
  "/worker.js": ["worker.js", "text/javascript"],
};

/** Sends the news to everybody, and forgets who has left. */
async function tellEverybody(news) {
  const counts = { sent: 0, gone: 0, failed: 0 };
  for (const subscription of storage.subscriptions()) {
    try {
      await webpush.sendNotification(subscription, JSON.stringify(news), { TTL: 3600 });
      counts.sent += 1;
    } catch (error) {
      const hasLeft = error.statusCode === 404 || error.statusCode === 410;
      counts[hasLeft ? "gone" : "failed"] += 1;
      if (hasLeft) await storage.remove(subscription.endpoint);
      else console.error(`${subscription.endpoint}: ${error.statusCode ?? ""} ${error.message}`);
    }
  }
  return counts;
}

const isBaker = ({ headers }) =>
  BAKER_PASSWORD !== undefined && headers.authorization === `Bearer ${BAKER_PASSWORD}`;

/** Every route gives a status and what is sent as JSON. */
const routes = {
  "GET /key": async () => [200, storage.vapidKeys[0]],
  "POST /subscriptions": async (request) => {
    await storage.add(await json(request));
    return [201, {}];
  },
  "POST /news": async (request) =>
    isBaker(request) ? [200, await tellEverybody(await json(request))] : [401, {}],
  "GET /subscriptions": async (request) =>
    isBaker(request) ? [200, { count: storage.subscriptions().length }] : [401, {}],
};

async function answer(request, response) {
  const [name, type] = files[request.url] ?? [];
  if (name !== undefined) {
    const file = await readFile(new URL(`public/${name}`, import.meta.url));
    response.writeHead(200, { "content-type": type }).end(file);
    return;
  }
  const route = routes[`${request.method} ${request.url}`] ?? (() => [404, {}]);
  const [status, body] = await route(request);
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(400).end(String(error)));
});
server.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`The bakery is open: http://127.0.0.1:${server.address().port}`);
});
