import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";

import { listen } from "../listening.ts";
import { vapidKeys } from "./application-server.ts";

export type PushPage = { readonly origin: string; readonly close: () => Promise<void> };

const page = `<!doctype html>
<title>Push</title>
<script>
  const ready = navigator.serviceWorker?.register("/worker.js").then(() => navigator.serviceWorker.ready);
  async function subscribe() {
    const { pushManager } = await ready;
    const subscription = await pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: "${vapidKeys.publicKey}",
    });
    return JSON.stringify(subscription);
  }
  async function currentSubscription() {
    const { pushManager } = await ready;
    return JSON.stringify(await pushManager.getSubscription());
  }
  async function unsubscribe() {
    const { pushManager } = await ready;
    const subscription = await pushManager.getSubscription();
    return await subscription.unsubscribe();
  }
  // As if nobody had been here before.
  async function forget() {
    await (await (await ready).pushManager.getSubscription())?.unsubscribe();
    await caches.delete("kept");
  }
  // What the worker kept in its cache, so that a page that comes later can read it too.
  async function kept(what) {
    const cache = await caches.open("kept");
    const answer = await cache.match("/" + what);
    return answer ? await answer.json() : [];
  }
  function keptAtLeast(what, count) {
    return new Promise((resolve) => {
      const look = async () => {
        const items = await kept(what);
        if (items.length >= count) resolve(items);
      };
      navigator.serviceWorker.addEventListener("message", look);
      look();
    });
  }
  const receivedAtLeast = (count) => keptAtLeast("received", count);
  const subscriptionChange = async () => (await keptAtLeast("changes", 1))[0];
</script>`;

const worker = `
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
let turn = Promise.resolve();
// One after the other: each reads what is kept before it writes.
function keep(event, what, item) {
  turn = turn.then(async () => {
    const cache = await caches.open("kept");
    const answer = await cache.match("/" + what);
    const items = answer ? await answer.json() : [];
    await cache.put("/" + what, new Response(JSON.stringify([...items, item])));
    for (const client of await self.clients.matchAll()) client.postMessage(what);
  });
  event.waitUntil(turn);
}
self.addEventListener("push", (event) => {
  const text = event.data === null ? null : event.data.text();
  keep(event, "received", text);
  event.waitUntil(
    turn.then(() => {
      if (text === "fail") throw new Error("told to fail");
      return self.registration.showNotification(text ?? "(empty)");
    }),
  );
});
self.addEventListener("pushsubscriptionchange", (event) => {
  const { oldSubscription, newSubscription } = event;
  keep(event, "changes", {
    oldEndpoint: oldSubscription?.endpoint ?? null,
    newEndpoint: newSubscription?.endpoint ?? null,
  });
});`;

/** A page with a worker that keeps what it is pushed, on 127.0.0.1; over https where it is given a certificate. */
export async function startPushPage(tls?: { cert: string; key: string }): Promise<PushPage> {
  const answer: RequestListener = (request, response) => {
    const isWorker = request.url === "/worker.js";
    response
      .writeHead(200, { "content-type": isWorker ? "text/javascript" : "text/html" })
      .end(isWorker ? worker : page);
  };
  const server = tls
    ? createSecureServer({ cert: tls.cert, key: tls.key }, answer)
    : createServer(answer);
  const { port, close } = await listen(server, 0, "test page");
  return { origin: `${tls ? "https" : "http"}://127.0.0.1:${port}`, close };
}
