/** What is written from right to left, wherever the console and the visitor's page show it. */
import type { Locator, Page } from "@playwright/test";
import { tokenOf } from "../support/bell.ts";
import { api, title } from "../support/compose.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, lookAt, openConsole } from "../support/operator.ts";

const bread = "לחם חם.";
/** Its second line is written from left to right. */
const mixed = "Pão quente.";
const body = "טרי מהתנור.";

const directionOf = (place: Locator) =>
  place.evaluate((element) => getComputedStyle(element).direction);

/** Whether these words end with their full stop at the left, as the browser has laid them out. */
const endsAtLeft = (place: Locator, words: string) =>
  place.evaluate((element, sought) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const at = node.textContent?.indexOf(sought) ?? -1;
      if (at === -1) continue;
      const leftOf = (index: number) => {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        return range.getBoundingClientRect().left;
      };
      return leftOf(at + sought.length - 1) < leftOf(at + sought.length - 2);
    }
    throw new Error(`${sought} is not there`);
  }, words);

async function everyEndsAtLeft(places: Locator, words: string): Promise<void> {
  await expect(places.first()).toContainText(words);
  // The page that is being left may have them too, without a width.
  await expect(async () => {
    const ends = (await places.all()).map((place) => endsAtLeft(place, words));
    expect(new Set(await Promise.all(ends))).toEqual(new Set([true]));
  }).toPass({ timeout: 10_000 });
}

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

test("a notice in Hebrew has its full stop at the left, from the form to the visitor's page", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const reader = await visit({ url: server.url });
  await tokenOf(reader);
  const { page } = await openConsole({ server, visit }, cookie, "/avisos/novo", { allows: false });
  await title(page).fill(bread);
  await field(page, "Texto").fill(`${body}\n${mixed}`);
  await field(page, "Link").fill("/לחם");
  expect(await directionOf(title(page))).toBe("rtl");
  expect(await directionOf(field(page, "Texto"))).toBe("rtl");
  expect(await directionOf(field(page, "Link"))).toBe("ltr");
  await everyEndsAtLeft(page.locator("figure p").filter({ hasText: bread }), bread);
  await everyEndsAtLeft(page.locator("figure p").filter({ hasText: body }), body);
  await lookAt(page, "right-to-left-form");

  await page.getByRole("button", { name: "Revisar e enviar" }).click();
  const dialog = page.getByRole("dialog", { name: "Revisar" });
  await everyEndsAtLeft(dialog.locator("figure p").filter({ hasText: bread }), bread);
  await dialog.getByRole("button", { name: "Enviar a 1 navegador" }).click();
  await expect(page).toHaveURL(/\/avisos\/[\w-]{36}$/);
  await everyEndsAtLeft(page.getByRole("heading", { level: 1 }), bread);
  const shown = page.locator("figure p").filter({ hasText: body });
  await everyEndsAtLeft(shown, body);
  expect(await endsAtLeft(shown, mixed)).toBe(false);
  await lookAt(page, "right-to-left-notice");
  await page.getByRole("link", { name: "Avisos", exact: true }).click();
  await everyEndsAtLeft(page.getByRole("heading", { name: bread }), bread);
  await lookAt(page, "right-to-left-list");

  const received = reader.page.getByRole("listitem");
  await everyEndsAtLeft(received.getByRole("heading", { name: bread }), bread);
  await everyEndsAtLeft(received.getByText(body), body);
  expect(await endsAtLeft(received.getByText(body), mixed)).toBe(false);
});

test("a notice that says its direction has it on its page, in a copy of it and on the visitor's page", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const reader = await visit({ url: server.url });
  await tokenOf(reader);
  // A browser that guessed would write both from left to right.
  const words = "iPhone 15 זמין עכשיו!";
  const text = "iPhone חדש.";
  const actions = [{ action: "buy", title: "iPhone לקנייה" }];
  const published = await api(server, cookie, "projects/default/messages", {
    method: "POST",
    body: JSON.stringify({
      target: { kind: "all" },
      notification: { title: words, body: text, actions, dir: "rtl", lang: "he" },
    }),
  });
  expect(published.status).toBe(202);
  const { page } = await openConsole({ server, visit }, cookie, "/avisos");
  await page.getByRole("link", { name: words }).click();
  const heading = page.getByRole("heading", { level: 1, name: words });
  await expect(heading).toBeVisible();
  expect(await directionOf(heading)).toBe("rtl");
  await everyEndsAtLeft(page.locator("figure").getByText(text), text);

  await page.getByRole("link", { name: "Duplicar" }).click();
  await expect(title(page)).toHaveValue(words);
  const link = field(page, "Link").first();
  expect(await directionOf(link)).toBe("ltr");
  const actionTitle = page.getByRole("region", { name: "Botão 1" }).getByRole("textbox").first();
  for (const place of [title(page), field(page, "Texto"), actionTitle]) {
    expect(await directionOf(place)).toBe("rtl");
  }
  const shown = page.locator("figure [dir]");
  await expect(shown).toHaveCount(3);
  for (const place of await shown.all()) expect(await directionOf(place)).toBe("rtl");
  await everyEndsAtLeft(page.locator("figure").getByText(text), text);

  const received = reader.page.getByRole("listitem");
  await everyEndsAtLeft(received.getByRole("heading", { name: words }), words);
  await everyEndsAtLeft(received.getByText(text), text);
});

test("a name in Hebrew turns no sentence around it", async ({ serve, visit }) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const name = "מפתח של דנה.";
  const made = await api(server, cookie, "projects/default/api-keys", {
    method: "POST",
    body: JSON.stringify({ name, scopes: ["send"] }),
  });
  expect(made.status).toBe(201);
  const { page } = await openConsole({ server, visit }, cookie, "/ajustes/chaves-de-api");
  await everyEndsAtLeft(page.getByRole("strong").filter({ hasText: name }), name);
  await page.getByRole("button", { name: /Revogar a chave/ }).click();
  const dialog = page.getByRole("dialog");
  await everyEndsAtLeft(dialog.getByRole("heading"), name);
});
