/** What a browser's life brings: restarts, updates, changed subscriptions, cleared storage. In Chromium and in Firefox. */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { noTokenLine } from "../support/bell.ts";
import type { Browser, Tab } from "../support/browsers/port.ts";
import { type Browse, expect, type Serve, test } from "../support/fixtures.ts";
import { otherSender } from "../support/other-sender.ts";
import { addressOf, serveOwnPage } from "../support/own-page.ts";
import { bellButton, bellOf, isOff, noticesOf, tokenActionsOf, tokenIn } from "../support/page.ts";
import { freePort, type SinetaServer } from "../support/server.ts";
import { subscriptionIn, subscriptionOf, updateWorker } from "../support/worker.ts";

type Enabled = { server: SinetaServer; origin: string; browser: Browser; tab: Tab; token: string };

/** A server of the test's own, and a browser on its site with the bell turned on. */
async function enabled(serve: Serve, browse: Browse): Promise<Enabled> {
  const server = await serve();
  const { origin } = new URL(server.url);
  const browser = await browse({ [origin]: "granted" });
  const tab = await browser.open(server.url);
  return { server, origin, browser, tab, token: await tokenIn(tab) };
}

/** Sends a notice and gives the line with its figures. */
async function send(server: SinetaServer, to: string, title: string, ...more: string[]) {
  const sent = await server.run("send", "--to", to, "--title", title, "--body", "Oi", ...more);
  expect(sent).toMatchObject({ status: 0, stderr: "" });
  return sent.stdout;
}

test("what is sent while the browser is closed arrives when it starts, before any page is opened", async ({
  browse,
  serve,
}) => {
  const { server, browser, token } = await enabled(serve, browse);
  await browser.quit();
  expect(await send(server, token, "De noite")).toContain("1 accepted");
  expect(browser.desktop.showings()).toEqual([]);
  await browser.start();
  await browser.desktop.notification("De noite");
  const tab = await browser.open(server.url);
  expect(await tokenIn(tab)).toBe(token);
  await expect.poll(() => noticesOf(tab)).toEqual(["De noite"]);
});

test("what is sent while no page is open is shown, and is on the page that comes", async ({
  browse,
  serve,
}) => {
  const { server, browser, tab, token } = await enabled(serve, browse);
  await tab.close();
  expect(await browser.addresses()).not.toContain(server.url);
  await send(server, token, "Sem página");
  await browser.desktop.notification("Sem página");
  const later = await browser.open(server.url);
  await expect.poll(() => noticesOf(later)).toEqual(["Sem página"]);
});

test("the worker is updated, and nothing is lost", async ({ browse, serve }) => {
  const page = await serveOwnPage(await freePort());
  try {
    const server = await serve({ SINETA_ORIGINS: page.url });
    const browser = await browse({ [new URL(page.url).origin]: "granted" });
    const tab = await browser.open(await addressOf(page, server));
    const token = await tokenIn(tab);
    const subscription = await subscriptionIn(tab);
    await send(server, token, "Antes");
    await browser.desktop.notification("Antes");

    await appendFile(join(page.folder, "sineta-sw.js"), "\n// A new version.\n");
    await updateWorker(tab);
    expect(await subscriptionOf(tab)).toEqual(subscription);
    await send(server, token, "Depois");
    await browser.desktop.notification("Depois");
    await tab.reload();
    expect(await tokenIn(tab)).toBe(token);
    expect(browser.desktop.showings()).toEqual(["Antes", "Depois"]);
    expect(browser.desktop.shown().map(({ title }) => title)).toEqual(["Antes", "Depois"]);
    expect(await keptNotices(tab)).toBe(2);
  } finally {
    await page.stop();
  }
});

test("permission taken and, after a restart, given again keeps the token", async ({
  browse,
  serve,
}) => {
  const { server, origin, browser, token } = await enabled(serve, browse);
  await browser.decide(origin, "denied");
  await browser.quit();
  await browser.start();
  const refused = await browser.open(server.url);
  await expect.poll(() => refused.lines).toEqual([noTokenLine]);
  expect(await bellOf(refused)).toEqual(isOff);

  await browser.decide(origin, "granted");
  await refused.reload();
  expect(await tokenIn(refused)).toBe(token);
  expect(await send(server, token, "De volta")).toContain("1 accepted");
  await browser.desktop.notification("De volta");
});

test("a subscription that its push service has ended, and the browser keeps, is replaced by a click", async ({
  browse,
  lab,
  serve,
}) => {
  const { server, browser, tab, token } = await enabled(serve, browse);
  expect(await send(server, token, "Antes")).toContain("1 accepted");
  await browser.desktop.notification("Antes");
  const { endpoint: dead = "" } = await subscriptionIn(tab);
  lab.endSubscription(dead, 410);
  expect(await send(server, "all", "Para ninguém")).toContain("1 gone");
  expect((await subscriptionIn(tab)).endpoint).toBe(dead);

  await tab.click(bellButton);
  await expect.poll(() => tokenActionsOf(tab)).toHaveLength(2);
  expect(await tokenIn(tab)).toBe(token);
  expect((await subscriptionIn(tab)).endpoint).not.toBe(dead);
  expect(await send(server, token, "De volta")).toContain("1 accepted, 0 gone");
  await browser.desktop.notification("De volta");
  expect(tab.lines).toEqual([]);
});

test("storage cleared gives a new registration, and the old one ends at the next send", async ({
  browse,
  serve,
}) => {
  const { server, origin, browser, tab, token } = await enabled(serve, browse);
  await tab.close();
  await browser.clearSiteData(origin);
  const fresh = await tokenIn(await browser.open(server.url));
  expect(fresh).not.toBe(token);
  expect(await send(server, "all", "Olá de novo")).toContain("1 accepted, 1 gone");
  await browser.desktop.notification("Olá de novo");
  const old = await server.run("send", "--to", token, "--title", "Velho", "--body", "Oi");
  expect(old.status).toBe(1);
  expect(old.stderr).toContain("no registration with this token");
  expect(await send(server, "all", "Só um")).toContain("1 accepted, 0 gone");
});

test("two tabs are one registration; two profiles are two", async ({ browse, lab, serve }) => {
  const { server, origin, browser, tab, token } = await enabled(serve, browse);
  const second = await browser.open(server.url);
  expect(await tokenIn(second)).toBe(token);
  await Promise.all([tab.click(bellButton), second.click(bellButton)]);
  for (const one of [tab, second])
    await expect.poll(async () => (await tokenActionsOf(one)).length).toBe(2);
  const own = lab.subscriptions().at(-1)?.browser;
  const live = lab.subscriptions().filter((one) => one.browser === own && !one.ended);
  expect(live).toHaveLength(1);

  const neighbour = await browse({ [origin]: "granted" });
  const there = await neighbour.open(server.url);
  const otherToken = await tokenIn(there);
  expect(otherToken).not.toBe(token);
  expect(await send(server, "all", "Para todos")).toContain("2 accepted");
  for (const one of [browser, neighbour]) await one.desktop.notification("Para todos");
  expect(await send(server, otherToken, "Para um")).toContain("1 accepted");
  await neighbour.desktop.notification("Para um");
  for (const one of [tab, second]) await expect.poll(() => noticesOf(one)).toEqual(["Para todos"]);
  await expect.poll(() => noticesOf(there)).toEqual(["Para um", "Para todos"]);
  expect(browser.desktop.showings()).toEqual(["Para todos"]);
});

test("two tabs that turn on at the same time are one registration", async ({
  browse,
  lab,
  serve,
}) => {
  const server = await serve();
  const { origin } = new URL(server.url);
  const browser = await browse({});
  const tabs = [await browser.open(server.url), await browser.open(server.url)];
  for (const one of tabs) await expect.poll(() => one.lines.length).toBe(1);
  await browser.decide(origin, "granted");
  await Promise.all(
    tabs.map((one) =>
      one.run(
        (selector) => document.querySelector<HTMLButtonElement>(selector)?.click(),
        bellButton,
      ),
    ),
  );
  const tokens = [];
  for (const one of tabs) tokens.push(await tokenIn(one));
  expect(new Set(tokens).size).toBe(1);
  const own = lab.subscriptions().at(-1)?.browser;
  expect(lab.subscriptions().filter((one) => one.browser === own && !one.ended)).toHaveLength(1);
  expect(await send(server, "all", "Para um")).toContain("1 accepted, 0 gone");
});

test("a push of 3,993 bytes is shown, and one more byte is refused before it is sent", async ({
  browse,
  lab,
  serve,
}) => {
  const { server, browser, token } = await enabled(serve, browse);
  const body = "a".repeat(2000);
  const publish = (link: string) =>
    server.run("send", "--to", token, "--title", "Cheio", "--body", body, "--link", link);
  const link = (characters: number) => `/?${"b".repeat(characters)}`;
  const refused = await publish(link(2000));
  expect(refused.status).toBe(1);
  const excess = Number(/, (\d[\d,]*) more than/.exec(refused.stderr)?.[1]?.replace(",", ""));
  expect(excess).toBeGreaterThan(0);
  const oneMore = await publish(link(2000 - excess + 1));
  expect(oneMore.stderr).toContain("takes 3994 bytes");

  const sent = await publish(link(2000 - excess));
  expect(sent.stdout).toContain("1 accepted");
  const notification = await browser.desktop.notification("Cheio");
  expect(notification.body).toContain(body.slice(0, 100));
  expect(lab.pushes().at(-1)?.body.byteLength).toBe(4096);
  const tab = await browser.open(server.url);
  const shown = await tab.run(async (scope) => {
    const registration = await navigator.serviceWorker.getRegistration(scope);
    return (await registration?.getNotifications())?.map((one) => one.body.length) ?? [];
  }, "/sineta-push-scope/");
  expect(shown).toEqual([2000]);
});

test("an empty push and a stranger's show a plain notification; a duplicate is shown once", async ({
  browse,
  lab,
}) => {
  const page = await serveOwnPage(await freePort());
  try {
    const sender = otherSender(lab);
    const browser = await browse({ [new URL(page.url).origin]: "granted" });
    // Nobody answers as its server: the subscription is there all the same, and the key is one whose private half is known.
    const parameters = { server: page.url, vapidKey: sender.vapidKey };
    const tab = await browser.open(`${page.url}?${new URLSearchParams(parameters)}`);
    await expect.poll(() => tab.lines.length).toBe(1);
    expect(await bellOf(tab)).toEqual(isOff);
    const subscription = await subscriptionIn(tab);
    expect(await sender.send(subscription, null)).toBe(201);
    await expect.poll(() => browser.desktop.showings()).toEqual(["Nova notificação"]);
    expect(await sender.send(subscription, "not ours")).toBe(201);
    await expect.poll(() => browser.desktop.showings().length).toBe(2);

    const payload = (messageId: string, title: string) =>
      JSON.stringify({
        web_push: 8030,
        notification: {
          title,
          navigate: page.url,
          tag: messageId,
          data: { sineta: { messageId, receiptKey: "" } },
        },
      });
    expect(await sender.send(subscription, payload("1", "Uma vez"))).toBe(201);
    await browser.desktop.notification("Uma vez");
    expect(await sender.send(subscription, payload("1", "Uma vez"))).toBe(201);
    expect(await sender.send(subscription, payload("2", "A seguinte"))).toBe(201);
    await browser.desktop.notification("A seguinte");
    expect(browser.desktop.showings().slice(2)).toEqual(["Uma vez", "A seguinte"]);
  } finally {
    await page.stop();
  }
});

test("shown, clicked, closed: each receipt is counted once, and a forged one is refused", async ({
  browse,
  serve,
}) => {
  const { server, origin, browser, tab, token } = await enabled(serve, browse);
  const receiptsOf = async (id: string) => {
    const { stdout } = await server.run("messages", id);
    const rows = [...stdout.matchAll(/^ +(displayed|clicked|closed) +(\d+)/gm)];
    return rows.map(([, event, count]) => `${event} ${count}`).join(", ");
  };
  const buttons = ["Ver mais", "Depois", "Nunca"];
  const actions = buttons.flatMap((button, at) => ["--action", `${button}=/?mais=${at + 1}`]);
  const sendOne = async (title: string) => {
    const line = await send(server, token, title, ...actions);
    return /^[\w-]{36}/.exec(line)?.[0] ?? "";
  };
  const clicked = await sendOne("Clique");
  const notification = await browser.desktop.notification("Clique");
  await expect.poll(() => receiptsOf(clicked)).toBe("displayed 1, clicked 0, closed 0");
  const source = await tab.run(async (scope) => {
    const registration = await navigator.serviceWorker.getRegistration(scope);
    const [first] = (await registration?.getNotifications()) ?? [];
    return first?.data.sineta ?? null;
  }, "/sineta-push-scope/");
  browser.desktop.click(notification);
  await expect.poll(() => receiptsOf(clicked)).toBe("displayed 1, clicked 1, closed 0");

  const closed = await sendOne("Fechar");
  browser.desktop.dismiss(await browser.desktop.notification("Fechar"));
  await expect.poll(() => receiptsOf(closed)).toBe("displayed 1, clicked 0, closed 1");

  const acted = await sendOne("Ação");
  const withAction = await browser.desktop.notification("Ação");
  // No browser shows a third one (docs/decisions/0046-previews.md).
  expect(buttons.filter((button) => withAction.actions.includes(button))).toEqual([
    "Ver mais",
    "Depois",
  ]);
  // Keys and titles take turns.
  const key = withAction.actions[withAction.actions.indexOf("Ver mais") - 1];
  browser.desktop.click(withAction, key);
  await expect.poll(() => browser.addresses()).toContain(`${origin}/?mais=1`);
  await expect.poll(() => receiptsOf(acted)).toBe("displayed 1, clicked 1, closed 0");

  const post = (body: object) =>
    tab.run(
      async ([url, text]) => {
        const headers = { "Content-Type": "application/json" };
        return (await fetch(url, { method: "POST", headers, body: text })).status;
      },
      [`${origin}/v1/projects/default/receipts`, JSON.stringify(body)] as const,
    );
  const genuine = { messageId: source.messageId, token, key: source.receiptKey };
  expect(await post({ ...genuine, event: "displayed" })).toBe(204);
  expect(await post({ ...genuine, messageId: closed, event: "clicked" })).toBe(403);
  expect((await server.run("messages", acted)).stdout).toMatch(/action 1, "Ver mais" +1$/m);
  expect(await receiptsOf(acted)).toBe("displayed 1, clicked 1, closed 0");
  const forged = { messageId: closed, token, key: "A".repeat(22), event: "clicked" };
  expect(await post(forged)).toBe(403);
  expect(await receiptsOf(closed)).toBe("displayed 1, clicked 0, closed 1");
  expect(await receiptsOf(clicked)).toBe("displayed 1, clicked 1, closed 0");
});

/** How many notices the worker has kept. */
function keptNotices(tab: Tab): Promise<number> {
  return tab.run(
    (name) =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open(name);
        opening.addEventListener("success", () => {
          const counting = opening.result.transaction("notices").objectStore("notices").count();
          counting.addEventListener("success", () => {
            opening.result.close();
            resolve(counting.result);
          });
        });
      }),
    "sineta",
  );
}
