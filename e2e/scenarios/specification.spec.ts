/** docs/specification.md, S1-S14, and the whole way to the shown notification: the same in Chromium and in Firefox. */
import type { Tab } from "../support/browsers/port.ts";
import { failedLine, noTokenLine, off, on, setToken } from "../support/bell.ts";
import { expect, test } from "../support/fixtures.ts";
import { serveHttps } from "../support/https.ts";
import {
  bellButton,
  bellOf,
  isOff,
  isOn,
  noticesOf,
  requestsOf,
  tokenActionsOf,
  tokenIn,
} from "../support/page.ts";
import { pushServiceOf } from "../support/push-service.ts";

const originOf = (url: string) => new URL(url).origin;

test("S1 S2 the control is one icon button with a grey bell and Portuguese words", async ({
  browse,
  server,
}) => {
  const tab = await (await browse({})).open(server.url);
  await expect.poll(() => tab.lines).toEqual([noTokenLine]);
  await expect.poll(() => bellOf(tab)).toEqual(isOff);
  const { buttons, words, tooltip, colour } = await lookOf(tab);
  expect({ buttons, words, tooltip }).toEqual({ buttons: 1, words: "", tooltip: off });
  expect(saturation(colour)).toBeLessThan(0.2);
});

test("S3 S7 S8 S12 on load a token is asked for, and the bell turns on", async ({
  browse,
  lab,
  server,
}) => {
  const tab = await (await browse()).open(server.url);
  await expect.poll(() => bellOf(tab)).toEqual(isOn);
  expect(await tokenActionsOf(tab)).toEqual([setToken]);
  const { tooltip, colour } = await lookOf(tab);
  expect(tooltip).toBe(on);
  expect(saturation(colour)).toBeGreaterThan(0.5);
  const [request, ...more] = await requestsOf(tab);
  expect(more).toEqual([]);
  const vapidKey = lab.subscriptions().at(-1)?.applicationServerKey;
  expect(request).toMatchObject({ method: "POST", body: { vapidKey } });
  expect((await server.run("keys")).stdout).toContain(vapidKey);
  expect(tab.lines).toEqual([]);
  expect(tab.complaints).toEqual([]);
});

test("S4 S5 there is a bell on an https page, and none on an http page", async ({
  browse,
  lab,
  serve,
  server,
}) => {
  const host = "sino.example";
  // A browser that has seen the first over https asks for it no other way (HSTS).
  const plainHost = "outro.example";
  const url = await serveHttps(lab, serve, host);
  const browser = await browse({ [originOf(url)]: "granted" }, [host, plainHost]);
  const secure = await browser.open(url);
  await expect.poll(() => bellOf(secure)).toEqual(isOn);
  expect(secure.complaints).toEqual([]);

  const plain = await browser.open(server.url.replace("localhost", plainHost));
  await expect.poll(() => headingOf(plain)).toBe("Avisos");
  expect(await controlsIn(plain)).toBe(0);
  expect(plain.lines).toEqual([]);

  // Loopback is a secure context, and no https page: there a bell shows for a server run for development alone.
  const published = await serve({ SINETA_PUBLIC_URL: "https://terceiro.example" });
  const loopback = await browser.open(published.url);
  await expect.poll(() => headingOf(loopback)).toBe("Avisos");
  expect(await loopback.run(() => isSecureContext, null)).toBe(true);
  expect(await controlsIn(loopback)).toBe(0);
});

test("S8 S11 every click asks again, and never turns the bell off", async ({ browse, server }) => {
  const tab = await (await browse()).open(server.url);
  const token = await tokenIn(tab);
  // Not even while a request is under way.
  await tab.run((selector) => {
    const button = document.querySelector(selector);
    if (!button) return;
    const names: unknown[] = [];
    Object.assign(window, { names });
    new MutationObserver(() => names.push(button.getAttribute("aria-label"))).observe(button, {
      attributes: true,
      attributeFilter: ["aria-label"],
    });
  }, bellButton);
  for (const clicks of [1, 2]) {
    await tab.click(bellButton);
    await expect.poll(async () => (await tokenActionsOf(tab)).length).toBe(1 + clicks);
    expect(await bellOf(tab)).toMatchObject({ name: on });
  }
  const actions = await tokenActionsOf(tab);
  expect(new Set(actions.map(({ payload }) => payload))).toEqual(new Set([token]));
  const methods = (await requestsOf(tab)).map(({ method }) => method);
  expect(methods).toEqual(["POST", "POST", "POST"]);
  expect(await tab.run(() => Reflect.get(window, "names"), null)).toEqual([]);
  expect(tab.lines).toEqual([]);
});

test("S8 S9 S14 nothing is granted: the line on load; allowed on a click, the bell turns on", async ({
  browse,
  server,
}) => {
  const browser = await browse({});
  const tab = await browser.open(server.url);
  await expect.poll(() => tab.lines).toEqual([noTokenLine]);
  await expect.poll(() => bellOf(tab)).toEqual(isOff);
  await browser.answering(originOf(server.url), "granted", () => tab.click(bellButton));
  await expect.poll(() => bellOf(tab)).toEqual(isOn);
  expect(await tokenActionsOf(tab)).toEqual([setToken]);
  expect(tab.lines).toEqual([noTokenLine]);
});

test("S9 S14 blocked on a click: the line, and the bell stays off, also on the next load", async ({
  browse,
  server,
}) => {
  const browser = await browse({});
  const tab = await browser.open(server.url);
  await expect.poll(() => tab.lines).toEqual([noTokenLine]);
  await browser.answering(originOf(server.url), "denied", () => tab.click(bellButton));
  await expect.poll(() => tab.lines).toEqual([noTokenLine, noTokenLine]);
  expect(await bellOf(tab)).toEqual(isOff);
  await tab.reload();
  await expect.poll(() => tab.lines).toEqual([noTokenLine, noTokenLine, noTokenLine]);
  await tab.click(bellButton);
  await expect.poll(() => tab.lines.length).toBe(4);
  expect(await bellOf(tab)).toEqual(isOff);
  expect(await tokenActionsOf(tab)).toEqual([]);
  expect(await requestsOf(tab)).toEqual([]);
  expect(tab.complaints).toEqual([]);
});

test("S9 S11 withdrawn: the line, and the bell stays on until the page is loaded again", async ({
  browse,
  server,
}) => {
  const browser = await browse();
  const tab = await browser.open(server.url);
  await expect.poll(() => bellOf(tab)).toEqual(isOn);
  await browser.decide(originOf(server.url), "denied");
  await tab.click(bellButton);
  await expect.poll(() => tab.lines).toEqual([noTokenLine]);
  expect(await bellOf(tab)).toEqual(isOn);
  expect(await tokenActionsOf(tab)).toHaveLength(1);
  await tab.reload();
  await expect.poll(() => tab.lines).toEqual([noTokenLine, noTokenLine]);
  await expect.poll(() => bellOf(tab)).toEqual(isOff);
});

test("S10 S13 the push service refuses: the line, and no word to the visitor; a later click turns it on", async ({
  browse,
  engine,
  lab,
  server,
}) => {
  const pushService = pushServiceOf(lab, engine);
  pushService.refuse();
  const tab = await (await browse()).open(server.url);
  await expect.poll(() => tab.lines).toEqual([failedLine]);
  await expect.poll(() => bellOf(tab)).toEqual(isOff);
  expect(await tokenActionsOf(tab)).toEqual([]);
  const text = await tab.run(() => document.body.innerText, null);
  expect(text.split(/\s*\n\s*/)).toEqual([
    "Sineta",
    "Avisos",
    "Toque no sino para receber os avisos neste navegador.",
    "Tudo tranquilo por aqui",
    "Os avisos que chegarem a este navegador aparecem nesta página.",
    "Este é um servidor de desenvolvimento. Abrir o painel",
  ]);
  pushService.recover();
  await tab.click(bellButton);
  await expect.poll(() => bellOf(tab)).toEqual(isOn);
  expect(tab.lines).toEqual([failedLine]);
});

test("S10 S11 the server is down: the line, and the state stays as it was", async ({
  browse,
  serve,
}) => {
  const server = await serve();
  const tab = await (await browse({ [originOf(server.url)]: "granted" })).open(server.url);
  const token = await tokenIn(tab);
  await server.kill();
  await tab.click(bellButton);
  await expect.poll(() => tab.lines).toEqual([failedLine]);
  expect(await bellOf(tab)).toEqual(isOn);
  await server.start();
  await tab.click(bellButton);
  await expect.poll(async () => (await tokenActionsOf(tab)).length).toBe(2);
  expect((await tokenActionsOf(tab)).map(({ payload }) => payload)).toEqual([token, token]);
});

test("the whole way: from a click on the bell to a notification shown, kept and clicked", async ({
  browse,
  server,
}) => {
  const origin = originOf(server.url);
  const browser = await browse({});
  const tab = await browser.open(server.url);
  await expect.poll(() => tab.lines).toEqual([noTokenLine]);
  const startedMs = Date.now();
  await browser.answering(origin, "granted", () => tab.click(bellButton));
  const token = await tokenIn(tab);
  const words = ["--title", "Olá, vizinha", "--body", "O pão saiu do forno."];
  const addresses = ["--icon", "/icon-192.png", "--link", "/?aviso=pao"];
  const sent = await server.run("send", "--to", token, ...words, ...addresses);
  expect(sent).toMatchObject({ status: 0, stderr: "" });
  expect(sent.stdout).toContain("1 accepted");
  const notification = await browser.desktop.notification("Olá, vizinha");
  test.info().annotations.push({
    type: "click to shown notification",
    description: `${Date.now() - startedMs} ms`,
  });
  expect(notification.body).toContain("O pão saiu do forno.");
  const shown = await tab.run(async (scope) => {
    const registration = await navigator.serviceWorker.getRegistration(scope);
    const notifications = (await registration?.getNotifications()) ?? [];
    return notifications.map(({ title, body, icon, tag }) => ({ title, body, icon, tag }));
  }, "/sineta-push-scope/");
  expect(shown).toEqual([
    {
      title: "Olá, vizinha",
      body: "O pão saiu do forno.",
      icon: `${origin}/icon-192.png`,
      tag: expect.stringMatching(/./),
    },
  ]);
  await expect.poll(async () => (await noticesOf(tab)).at(-1)).toBe("Olá, vizinha");

  browser.desktop.click(notification);
  const target = `${origin}/?aviso=pao`;
  await expect.poll(() => browser.addresses()).toContain(target);
  // Once more for the same address: the tab that shows it is found again, no other is opened.
  await server.run("send", "--to", token, ...words.with(1, "Outra"), ...addresses);
  browser.desktop.click(await browser.desktop.notification("Outra"));
  await expect.poll(() => browser.desktop.shown()).toEqual([]);
  await server.run("send", "--to", token, ...words.with(1, "Terceira"), "--link", "/?fim=1");
  browser.desktop.click(await browser.desktop.notification("Terceira"));
  await expect.poll(() => browser.addresses()).toContain(`${origin}/?fim=1`);
  expect((await browser.addresses()).filter((one) => one === target)).toEqual([target]);
  await expect.poll(() => browser.desktop.shown()).toEqual([]);
  await tab.reload();
  await expect.poll(async () => (await noticesOf(tab)).at(-1)).toBe("Olá, vizinha");
  expect(await tokenIn(tab)).toBe(token);
  expect(tab.complaints).toEqual([]);
});

function headingOf(tab: Tab): Promise<string | null | undefined> {
  return tab.run(() => document.querySelector("h1")?.textContent, null);
}

/** How many buttons there are, and places for one. */
function controlsIn(tab: Tab): Promise<number> {
  return tab.run(() => document.querySelectorAll("button, .sineta-bell").length, null);
}

function lookOf(tab: Tab) {
  return tab.run((selector) => {
    const button = document.querySelector(selector);
    const path = button?.querySelector("path");
    return {
      buttons: document.querySelectorAll("button").length,
      words: button?.textContent ?? null,
      tooltip: document.querySelector("[role=tooltip]")?.textContent ?? null,
      colour: path ? getComputedStyle(path).fill : "",
    };
  }, bellButton);
}

/** 0 for a grey, 1 for a pure colour. */
function saturation(colour: string): number {
  const parts = [...colour.matchAll(/\d+/g)].map(Number);
  const most = Math.max(...parts.slice(0, 3));
  return most === 0 ? 0 : (most - Math.min(...parts.slice(0, 3))) / most;
}
