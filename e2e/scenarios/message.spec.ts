/** A message with all that it may say, published over HTTP as a site's backend does, in a real browser. */
import { expect, test } from "../support/fixtures.ts";
import { addressOf, serveOwnPage } from "../support/own-page.ts";
import { tokenIn } from "../support/page.ts";
import { freePort } from "../support/server.ts";

/** What the browser has of the notification that the worker showed. Asked once it is shown. */
const shown = async (path: string) => {
  const registration = await navigator.serviceWorker.getRegistration(path);
  const [notification] = (await registration?.getNotifications()) ?? [];
  if (!notification) return null;
  const { title, body, tag, lang, dir, icon, requireInteraction } = notification;
  return { title, body, tag, lang, dir, icon, requireInteraction };
};

test("a backend publishes a whole notification over HTTP, and follows it until it is displayed", async ({
  browse,
  serve,
}) => {
  const page = await serveOwnPage(await freePort());
  const server = await serve({ SINETA_ORIGINS: page.url });
  const key = /sineta_[\w-]{43}/.exec((await server.run("api-keys", "create")).stdout)?.[0];
  const messages = new URL("/v1/projects/default/messages", server.url);
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };

  const browser = await browse({ [new URL(page.url).origin]: "granted" });
  const tab = await browser.open(await addressOf(page, server));
  const token = await tokenIn(tab);
  await tab.run(() => {
    const received: unknown[] = [];
    const messaging: { onMessage: (listener: (notice: unknown) => void) => void } = Reflect.get(
      window,
      "messaging",
    );
    messaging.onMessage((notice) => received.push(notice));
    Object.assign(window, { received });
  }, null);

  const published = await fetch(messages, {
    method: "POST",
    headers: { ...headers, "Idempotency-Key": "pedido-17" },
    body: JSON.stringify({
      target: { kind: "token", token },
      notification: {
        title: "Pedido a caminho",
        body: "Chega às 15 h",
        link: "/pedidos/17",
        icon: "/icone.png",
        image: "/mapa.png",
        badge: "/sinete.png",
        tag: "pedido-17",
        renotify: true,
        requireInteraction: true,
        lang: "pt-BR",
        dir: "ltr",
        timestamp: 1_800_000_000_000,
        actions: [{ action: "mapa", title: "Ver mapa", link: "/mapa" }],
      },
      data: { pedido: 17, itens: ["pão", "queijo"] },
      ttlSeconds: 600,
      urgency: "high",
      collapseKey: "pedido-17",
    }),
  });
  expect(published.status).toBe(202);
  const { id } = await published.json();

  await browser.desktop.notification("Pedido a caminho");
  expect(await tab.run(shown, "/sineta-push-scope/")).toEqual({
    title: "Pedido a caminho",
    body: "Chega às 15 h",
    tag: "pedido-17",
    lang: "pt-BR",
    dir: "ltr",
    icon: `${page.url}/icone.png`.replace("//icone", "/icone"),
    requireInteraction: true,
  });
  await expect
    .poll(() => tab.run(() => JSON.stringify(Reflect.get(window, "received")), null))
    .toContain('"data":{"pedido":17,"itens":["pão","queijo"]}');

  // The worker's report comes after the push service's word, and both are in the message.
  const status = async () => (await fetch(new URL(`${messages.href}/${id}`), { headers })).json();
  await expect
    .poll(status)
    .toMatchObject({ state: "done", counts: { accepted: 1 }, receipts: { displayed: 1 } });
  await page.stop();
});
