/** What Início does not do twice, and does not wait for: found by counting and by holding answers back, not by a clock. */
import { tokenOf } from "../support/bell.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, openConsole } from "../support/operator.ts";

/** Of thirty days, those that are nothing high included. */
const bars = 30 * 5;

/** Runs in the page before its own scripts. */
function countBars(): void {
  const seen = new Set<Element>();
  const bar = ".recharts-bar-rectangle";
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
  await tokenOf(await visit({ url: server.url }));
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/entrar", {
    before: countBars,
  });
  // The latest messages come in when the chart has long been there.
  let answer = () => {};
  const isDrawn = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/messages?limit=5", async (route) => {
    await isDrawn;
    await route.continue();
  });
  await page.goto(new URL("/painel/", server.url).href);
  await expect(page.locator(".recharts-bar-rectangle")).toHaveCount(bars);
  answer();
  await expect(page.getByText("Nenhum aviso foi enviado ainda.")).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, "countedBars"))).toBe(bars);
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
