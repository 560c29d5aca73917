/** Início: its answers, and what it does not do twice or wait for: found by counting and by holding answers back, not by a clock. */
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { tokenOf } from "../support/bell.ts";
import { api, type Cookie } from "../support/compose.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, enrolViewer, lookAt, openConsole } from "../support/operator.ts";
import { seed } from "../support/seed.ts";
import type { SinetaServer } from "../support/server.ts";

const hourMs = 3_600_000;

/** Schedules a notice for a full hour so many days from now. */
async function schedule(server: SinetaServer, cookie: Cookie, title: string, days: number) {
  const atMs = Math.ceil(Date.now() / hourMs) * hourMs + days * 24 * hourMs;
  const notification = { title, body: "Sai do forno." };
  const scheduleAt = new Date(atMs).toISOString();
  const answer = await api(server, cookie, "projects/default/messages", {
    method: "POST",
    body: JSON.stringify({ target: { kind: "all" }, notification, scheduleAt }),
  });
  expect(answer.status).toBe(202);
}

async function saveDraft(server: SinetaServer, cookie: Cookie, title: string) {
  const path = `projects/default/drafts/${randomUUID()}`;
  const body = JSON.stringify({ revision: 0, content: { title } });
  expect((await api(server, cookie, path, { method: "PUT", body })).ok).toBe(true);
}

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("the three answers stand above the fold: who is reached, the last notice, what comes next", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  await seed(server.data, 3_000, 12);
  // Longer than the card is wide.
  const long = "Pão de queijo recheado com goiabada e requeijão, quentinho às quatro da tarde";
  await schedule(server, cookie, long, 2);
  await schedule(server, cookie, "Broa de milho", 1);
  await schedule(server, cookie, "Bolo de rolo", 3);
  await saveDraft(server, cookie, "Natal");
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/");
  await expect(card(page, "Inscritos ativos")).toContainText(/2\.\d{3}\+\d+ em 30 dias/);
  const last = card(page, "Último aviso");
  await expect(last.getByRole("link")).toHaveText("Seu pedido saiu (12)");
  await expect(last).toContainText(/\d\d% de quem viu clicou\. Sua média: \d\d%\./);
  const next = card(page, "A seguir");
  await expect(next.getByRole("listitem")).toHaveText([
    /^Broa de milho(hoje|amanhã|\d+ \w{3}), \d+h$/,
    /^Pão de queijo/,
    /^Rascunho: Natalsalvo (agora|há )/,
  ]);
  await expect(next.getByRole("link", { name: "Mais 1 agendado" })).toBeVisible();
  await page.setViewportSize({ width: 1_366, height: 768 });
  for (const name of ["Inscritos ativos", "Último aviso", "A seguir"]) {
    await expect(card(page, name)).toBeInViewport({ ratio: 1 });
  }
  await lookAt(page, "home");
  await next.getByRole("link", { name: "Mais 1 agendado" }).click();
  await expect(page.getByLabel("Situação")).toHaveValue("scheduled");
  expect(complaints).toEqual([]);
});

test("the chart says the figures of the day under the pointer, and those of all days afterwards", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  await tokenOf(await visit({ url: server.url }));
  const { page } = await openConsole({ server, visit }, cookie, "/");
  await page.setViewportSize({ width: 1_366, height: 768 });
  const chart = card(page, "Entraram e saíram");
  await expect(chart.locator("header p")).toHaveText("1 entrou0 saíram");
  const columns = chart.locator("figure svg").last();
  const { width } = (await columns.boundingBox()) ?? { width: 0 };
  await columns.hover({ position: { x: 1, y: 20 } });
  await expect(chart.locator("header p")).toHaveText(/^\d+ \w{3}0 entraram0 saíram$/);
  await columns.hover({ position: { x: width - 1, y: 20 } });
  await expect(chart.locator("header p")).toHaveText(/^\d+ \w{3}1 entrou0 saíram$/);
  await page.mouse.move(0, 0);
  await expect(chart.locator("header p")).toHaveText("1 entrou0 saíram");
});

test("a viewer sees what is scheduled, asks for no drafts, and is offered nothing to write", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const at = new Date(Date.now() + 24 * hourMs).toISOString();
  const words = ["--title", "Broa", "--body", "Do forno.", "--at", at, "--no-wait"];
  expect(await server.run("send", ...words)).toMatchObject({ status: 0 });
  const cookie = await enrolViewer(server);
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/");
  await expect(card(page, "A seguir").getByRole("listitem")).toHaveText(/^Broaamanhã, /);
  await expect(page.getByRole("link", { name: "Novo aviso" })).toHaveCount(0);
  expect(complaints).toEqual([]);
});

/** Runs in the page before its own scripts. */
function countBars(): void {
  const seen = new Set<Element>();
  const bar = "figure rect";
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element)) continue;
      for (const each of node.matches(bar) ? [node] : node.querySelectorAll(bar)) seen.add(each);
    }
    Reflect.set(window, "countedBars", seen.size);
  }).observe(document, { childList: true, subtree: true });
}

test("the chart's bars are drawn once, and stay as other answers come in", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  await seed(server.data, 300, 1);
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/entrar", {
    before: countBars,
  });
  // The latest messages come in when the chart has long been there.
  let answer = () => {};
  const isDrawn = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/messages?limit=*", async (route) => {
    await isDrawn;
    await route.continue();
  });
  await page.goto(new URL("/painel/", server.url).href);
  await expect(page.locator("figure rect").nth(20)).toBeVisible();
  const drawn = await page.locator("figure rect").count();
  answer();
  await expect(card(page, "Último aviso").getByRole("link")).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, "countedBars"))).toBe(drawn);
  expect(complaints).toEqual([]);
});

test("the page's chunk and its words are asked for before it is known who is logged in", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/ajustes/conta");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const asked = Promise.all(
    [/\/home-page-[\w-]+\.js$/, /\/audience-[\w-]+\.js$/].map((file) => page.waitForRequest(file)),
  );
  await page.route("**/v1/session", async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto(new URL("/painel/", server.url).href);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Início");
  expect(complaints).toEqual([]);
});

test("the figures are asked for while the page's chunk is still to come", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/ajustes/conta");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const asked = Promise.all(
    ["audience", "audience/days", "attention", "messages", "installation"].map((name) =>
      page.waitForRequest((request) => new URL(request.url()).pathname.endsWith(`/${name}`)),
    ),
  );
  await page.route(/\/home-page-[\w-]+\.js$/, async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto(new URL("/painel/", server.url).href);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Início");
  expect(complaints).toEqual([]);
});
