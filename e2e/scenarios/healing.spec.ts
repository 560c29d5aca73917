/** A visit heals whatever was lost, without a click. In Chromium and in Firefox. */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { audienceLossesSchema } from "@sineta/protocol";
import type { PushLab } from "@sineta/push-lab";
import type { Browser, Tab } from "../support/browsers/port.ts";
import { type Browse, expect, type Serve, test } from "../support/fixtures.ts";
import { deleteDatabase, keptLossIn, pass } from "../support/identity.ts";
import { otherSender } from "../support/other-sender.ts";
import { addressOf, type OwnPage } from "../support/own-page.ts";
import { requestsOf, tokenActionsOf, tokenIn } from "../support/page.ts";
import { expectRenewed } from "../support/renewal.ts";
import { enrolOwner } from "../support/operator.ts";
import type { SinetaServer } from "../support/server.ts";
import { addVapidKey } from "../support/vapid-key.ts";
import {
  activeScriptOf,
  registerWorker,
  resubscribe,
  scopesOf,
  subscriptionIn,
  subscriptionOf,
  unregisterWorker,
  unsubscribe,
  updateWorker,
} from "../support/worker.ts";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

// Several losses follow one another in one browser, because its start costs more than most of them.
test.describe.configure({ timeout: 300_000 });

/** A browser with the bell turned on, on a page of the site's own. A later visit replaces tab and token. */
type Visit = {
  page: OwnPage;
  server: SinetaServer;
  browser: Browser;
  url: string;
  tab: Tab;
  token: string;
};

const serverFor = (page: OwnPage, serve: Serve) => serve({ SINETA_ORIGINS: page.url });

async function enable(
  page: OwnPage,
  server: SinetaServer,
  browse: Browse,
  decideIn: "decide" | "decideInSettings" = "decide",
): Promise<Visit> {
  const browser = await browse({});
  await browser[decideIn](new URL(page.url).origin, "granted");
  const url = await addressOf(page, server);
  const tab = await browser.open(url);
  return { page, server, browser, url, tab, token: await tokenIn(tab) };
}

/** What `messaging.state()` says, as JSON. */
function stateOf(tab: Tab): Promise<unknown> {
  return tab.run(() => Reflect.get(window, "messaging").state(), null);
}

const healed = (cause: string) => ({ enabled: true, loss: { cause, healed: true } });
const nothingLost = { enabled: true, loss: null };

async function send({ server }: Visit, to: string, title: string): Promise<string> {
  const sent = await server.run("send", "--to", to, "--title", title, "--body", "Oi");
  expect(sent).toMatchObject({ status: 0, stderr: "" });
  return sent.stdout;
}

/** Ends the visit; the next one comes so much later. */
async function leave({ tab }: Visit, ms = hourMs): Promise<void> {
  await pass(tab, ms);
  await tab.close();
}

/** Visits in a new tab. Expects that the page ends in that state, and that its token is then reached. */
async function visitAgain(visit: Visit, state: object): Promise<void> {
  const { browser, url } = visit;
  visit.tab = await browser.open(url);
  await expect.poll(() => stateOf(visit.tab), { intervals: [100] }).toEqual(state);
  await expectReached(visit);
}

/** Expects that the bell is on, that a message reaches the page's token, and that the console is empty. */
async function expectReached(visit: Visit): Promise<void> {
  const { browser, tab } = visit;
  visit.token = await tokenIn(tab);
  const title = `Aviso ${browser.desktop.showings().length}`;
  expect(await send(visit, visit.token, title)).toContain("1 accepted, 0 gone");
  await browser.desktop.notification(title);
  expect(tab.lines).toEqual([]);
  expect(tab.complaints).toEqual([]);
}

/** The losses of the last 30 days as an operator reads them: by cause, lost and come back. */
async function lossesOf(
  server: SinetaServer,
  owner: Awaited<ReturnType<typeof enrolOwner>>,
): Promise<unknown> {
  const url = new URL("/v1/projects/default/audience/losses", server.url);
  const answer = await fetch(url, { headers: { Cookie: `${owner.name}=${owner.value}` } });
  const { losses } = audienceLossesSchema.parse(await answer.json());
  return Object.fromEntries(losses.map(({ cause, lost, returned }) => [cause, [lost, returned]]));
}

/** The push service ends the subscription while the browser is away, and the server learns of it. */
async function endSubscription(visit: Visit, lab: PushLab): Promise<string> {
  const { endpoint: dead = "" } = await subscriptionIn(visit.tab);
  lab.endSubscription(dead, 410);
  expect(await send(visit, "all", "Para ninguém")).toContain("0 accepted, 1 gone");
  return dead;
}

test("a visit heals what the browser has lost", async ({ browse, lab, ownPage: page, serve }) => {
  const server = await serverFor(page, serve);
  const owner = await enrolOwner(server);
  const visit = await enable(page, server, browse);
  const { browser, token } = visit;
  expect(await send(visit, token, "Antes")).toContain("1 accepted");
  await browser.desktop.notification("Antes");

  await test.step("nothing: the page looks once for all its tabs, and gets its token once", async () => {
    await leave(visit);
    visit.tab = await browser.open(visit.url);
    await expect.poll(() => requestsOf(visit.tab)).toHaveLength(1);
    const [request] = await requestsOf(visit.tab);
    expect(request?.url).toMatch(/\/registrations\/[\w-]{43}\/look$/);
    const second = await browser.open(visit.url);
    await expectReached(visit);
    expect(await tokenIn(second)).toBe(token);
    expect(await requestsOf(second)).toEqual([]);
    for (const tab of [visit.tab, second]) {
      expect(await stateOf(tab)).toEqual(nothingLost);
      expect(await tokenActionsOf(tab)).toHaveLength(1);
    }
    await second.close();
  });

  await test.step("the subscription, and the server knows", async () => {
    await unsubscribe(visit.tab);
    expect(await send(visit, "all", "Para ninguém")).toContain("1 gone");
    await leave(visit);
    await visitAgain(visit, healed("subscription-missing"));
  });

  await test.step("the subscription, to one of another VAPID key", async () => {
    await resubscribe(visit.tab, otherSender(lab).vapidKey);
    await leave(visit);
    await visitAgain(visit, healed("subscription-changed"));
  });

  await test.step("the worker", async () => {
    await unregisterWorker(visit.tab);
    await leave(visit);
    await visitAgain(visit, healed("worker-missing"));
  });

  await test.step("the worker's scope, to another script", async () => {
    await writeFile(join(page.folder, "other.js"), "oninstall = () => skipWaiting();");
    await registerWorker(visit.tab, "/other.js");
    await expect.poll(() => activeScriptOf(visit.tab)).toBe("/other.js activated");
    await leave(visit);
    await visitAgain(visit, healed("worker-replaced"));
    expect(await tokenActionsOf(visit.tab)).toHaveLength(2);
  });

  await test.step("the worker's file, which was replaced and put back", async () => {
    const file = join(page.folder, "sineta-sw.js");
    const ours = await readFile(file);
    await writeFile(file, "oninstall = () => skipWaiting();");
    await updateWorker(visit.tab);
    await writeFile(file, ours);
    await leave(visit);
    visit.tab = await browser.open(visit.url);
    expect(await tokenIn(visit.tab)).toBe(token);
    await expect
      .poll(async () => {
        await send(visit, token, "De volta");
        return browser.desktop.showings();
      })
      .toContain("De volta");
    expect(await stateOf(visit.tab)).toEqual(nothingLost);
  });

  await test.step("the subscription, at its push service, in two tabs at the same time", async () => {
    const dead = await endSubscription(visit, lab);
    await leave(visit);
    const tabs = await Promise.all([browser.open(visit.url), browser.open(visit.url)]);
    const states = () => Promise.all(tabs.map(stateOf));
    await expect.poll(states).toContainEqual(healed("subscription-gone"));
    const [first, second] = tabs;
    visit.tab = first;
    await expectReached(visit);
    expect(await tokenIn(second)).toBe(token);
    const { endpoint } = await subscriptionIn(visit.tab);
    expect(endpoint).not.toBe(dead);
    const own = lab.subscriptions().find((one) => one.endpoint === endpoint)?.browser;
    const live = lab.subscriptions().filter((one) => one.browser === own && !one.ended);
    expect(live.map((one) => one.endpoint)).toEqual([endpoint]);
    await second.close();
  });

  await test.step("the worker's place: the page gives it another address", async () => {
    const { endpoint: left } = await subscriptionIn(visit.tab);
    await mkdir(join(page.folder, "push"));
    await copyFile(join(page.folder, "sineta-sw.js"), join(page.folder, "push", "sw.js"));
    await leave(visit);
    visit.url = await addressOf(page, server, { worker: "/push/sw.js" });
    await visitAgain(visit, healed("worker-missing"));
    await expect.poll(() => scopesOf(visit.tab)).toEqual(["/push/sineta-push-scope/"]);
    await lab.until(() => lab.subscriptions().find((one) => one.endpoint === left)?.ended);
  });
  expect(visit.token).toBe(token);

  await test.step("its database, and so the browser comes back as a new one", async () => {
    await leave(visit);
    const other = await browser.open(new URL("other.js", page.url).href);
    await deleteDatabase(other);
    await other.close();
    await visitAgain(visit, nothingLost);
    expect(visit.token).not.toBe(token);
  });

  // The last one's registration is live until the next message to it.
  await send(visit, token, "Para ninguém");
  expect(await lossesOf(server, owner)).toEqual({
    "subscription-missing": [1, 1],
    "subscription-changed": [1, 1],
    "subscription-gone": [1, 1],
    "worker-missing": [2, 2],
    "worker-replaced": [1, 1],
    gone: [1, 0],
  });

  await test.step("the server's address: the page names the same server by another one", async () => {
    const { hostname, port } = new URL(server.url);
    expect(hostname).toBe("localhost");
    visit.url = await addressOf(page, server, { server: `http://127.0.0.1:${port}` });
    const { token: before } = visit;
    await visit.tab.close();
    visit.tab = await browser.open(visit.url);
    visit.token = await tokenIn(visit.tab);
    expect(visit.token).not.toBe(before);
    expect(await send(visit, visit.token, "De outro endereço")).toContain("1 accepted");
    await browser.desktop.notification("De outro endereço");
    expect(visit.tab.lines).toEqual([]);
  });
});

test("what was blocked, killed or emptied is healed", async ({
  browse,
  lab,
  ownPage: page,
  serve,
}) => {
  const server = await serverFor(page, serve);
  const owner = await enrolOwner(server);
  const visit = await enable(page, server, browse, "decideInSettings");
  const { browser } = visit;

  await test.step("notifications blocked and allowed again: the worker heals, with no page open", async () => {
    const { tab, token } = visit;
    const { endpoint: before } = await subscriptionIn(tab);
    const { origin } = new URL(page.url);
    await tab.close();
    await browser.decideInSettings(origin, "denied");
    await lab.until(() => lab.subscriptions().find((one) => one.endpoint === before)?.ended);
    await browser.decideInSettings(origin, "granted");
    await expectRenewed({ lab, server, browser, token, before });
    visit.tab = await browser.open(visit.url);
    await expectReached(visit);
  });

  const registered = visit.token;
  await browser.quit();
  const restoreProfile = await browser.copyProfile();
  await browser.start();
  visit.tab = await browser.open(visit.url);

  await test.step("a browser killed (SIGKILL) in the middle of healing, after it has dropped the dead subscription", async () => {
    await endSubscription(visit, lab);
    await leave(visit, dayMs);
    lab[browser.engine].hangRegistrations();
    visit.tab = await browser.open(visit.url);
    await expect.poll(() => keptLossIn(visit.tab)).toBe("subscription-missing");
    expect(await subscriptionOf(visit.tab)).toBe(null);
    await browser.kill();
    lab[browser.engine].recover();
    await browser.start();
    await visitAgain(visit, healed("subscription-missing"));
  });

  await test.step("a profile that was put back from a copy of the day before", async () => {
    const { endpoint: newer } = await subscriptionIn(visit.tab);
    await browser.quit();
    await restoreProfile();
    await browser.start();
    // A file of the site's, and no page that asks.
    visit.tab = await browser.open(new URL("sineta-sw.js", page.url).href);
    await pass(visit.tab, dayMs);
    await visit.tab.close();
    await visitAgain(visit, healed("registration-outdated"));
    expect((await subscriptionIn(visit.tab)).endpoint).not.toBe(newer);
  });

  await test.step("a server with a newer VAPID key", async () => {
    await server.kill();
    await addVapidKey(server);
    await server.start();
    await leave(visit);
    visit.url = await addressOf(page, server);
    await visitAgain(visit, healed("key-changed"));
  });
  expect(visit.token).toBe(registered);
  expect(await lossesOf(server, owner)).toEqual({
    "subscription-missing": [1, 1],
    "registration-outdated": [1, 1],
    "key-changed": [1, 1],
  });

  await test.step("a server that was emptied", async () => {
    await server.kill();
    for (const name of await readdir(server.data)) await rm(join(server.data, name));
    await server.start();
    await leave(visit);
    visit.url = await addressOf(page, server);
    await visitAgain(visit, healed("key-changed"));
  });
});

test("a server restored from its back-up rings nothing twice, and a newcomer heals", async ({
  browse,
  ownPage: page,
  serve,
}, testInfo) => {
  const server = await serve({
    SINETA_ORIGINS: page.url,
    SINETA_BACKUP_PASSPHRASE: "correct horse battery staple",
  });
  const sineta = async (...words: string[]) => {
    const ended = await server.run(...words);
    expect(ended).toMatchObject({ status: 0 });
    return ended.stdout;
  };
  const visit = await enable(page, server, browse);
  const { desktop } = visit.browser;
  const file = testInfo.outputPath("backup.db");

  await sineta("hold");
  expect(await send(visit, "all", "Na cópia")).toContain("waits: delivery is held");
  expect(await sineta("backup", file, "--with-secret")).toContain(
    "with 1 registration and 1 message",
  );
  const newcomer = await enable(page, server, browse);
  await sineta("resume", "--yes");
  await desktop.notification("Na cópia");
  await expectReached(newcomer);

  await server.kill();
  await rm(server.data, { recursive: true });
  await sineta("restore", file);
  await server.start();

  expect(await send(visit, visit.token, "Retido")).toContain("waits: delivery is held");
  expect((await server.run("status")).stdout).toContain("(restored)");
  expect(desktop.showings()).toEqual(["Na cópia"]);
  expect(await sineta("resume", "--yes")).toContain("1 message was cancelled");
  await desktop.notification("Retido");
  expect(await send(visit, visit.token, "Depois")).toContain("1 accepted");
  await desktop.notification("Depois");

  await leave(newcomer);
  await visitAgain(newcomer, healed("registration-unknown"));
  expect(desktop.showings()).toEqual(["Na cópia", "Retido", "Depois"]);
});
