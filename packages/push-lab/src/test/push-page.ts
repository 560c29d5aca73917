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
  // What the worker received, kept in its cache, so that a page that comes later can read it too.
  async function received() {
    const cache = await caches.open("received");
    const answer = await cache.match("/received");
    return answer ? await answer.json() : [];
  }
  function receivedAtLeast(count) {
    return new Promise((resolve) => {
      const look = async () => {
        const texts = await received();
        if (texts.length >= count) resolve(texts);
      };
      navigator.serviceWorker.addEventListener("message", look);
      look();
    });
  }
</script>`;

const worker = `
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
let turn = Promise.resolve();
self.addEventListener("push", (event) => {
  const text = event.data === null ? null : event.data.text();
  turn = turn.then(async () => {
    const cache = await caches.open("received");
    const answer = await cache.match("/received");
    const texts = answer ? await answer.json() : [];
    await cache.put("/received", new Response(JSON.stringify([...texts, text])));
    for (const client of await self.clients.matchAll()) client.postMessage("received");
    await self.registration.showNotification(text ?? "(empty)");
  });
  event.waitUntil(turn);
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
