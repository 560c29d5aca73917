/** The console's frame: log-in, invitation, what stands around every page. At a real server, with the link that its first start prints. */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, lookAt, openConsole, owner } from "../support/operator.ts";

/** But for what the server refused, as it should, nothing was complained of: no script, no style, no policy. */
const ours = (complaints: readonly string[]) =>
  complaints.filter((text) => !/status of 40[014]/.test(text));

async function logIn(page: Page, password = owner.password): Promise<void> {
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Senha", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Entrar" }).click();
}

test("the first start's link makes the owner, who logs out and in again", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const link = await server.firstLink();
  const { page, complaints } = await visit({ url: link });

  await expect(page.getByRole("heading")).toHaveText(
    "Convite para proprietário(a) do projeto default",
  );
  await lookAt(page, "invitation");
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Nome").fill(owner.name);
  await page.getByLabel("Senha", { exact: true }).fill("1234567890");
  await page.getByRole("button", { name: "Criar conta" }).click();
  await expect(page.getByRole("alert")).toContainText("comum demais");
  await page.getByLabel("Senha", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Criar conta" }).click();
  await expect(page.getByRole("button", { name: owner.name })).toBeVisible();
  expect(new URL(page.url()).hash).toBe("");

  await page.goto(link);
  await expect(page.getByRole("alert")).toContainText("já foi usado");
  await page.goto(new URL("/painel", server.url).href);
  await page.getByRole("button", { name: owner.name }).click();
  await page.getByRole("menuitem", { name: "Sair" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Entrar");
  await expect(page.getByText("Abra o link que o terminal mostrou")).toBeVisible();
  await expect(page.getByText("sineta operators create")).toBeVisible();
  await expect(page.getByText("sineta operators recover")).toBeVisible();
  await page.getByLabel("Idioma").selectOption("English");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Log in");
  await page.getByLabel("Language").selectOption("Português");
  await logIn(page, "nove pontes de pedra");
  await expect(page.getByRole("alert")).toContainText("não conferem");
  await lookAt(page, "log-in");
  await page.getByRole("button", { name: "Mostrar a senha" }).click();
  await logIn(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Início");
  expect(ours(complaints)).toEqual([]);
});

test("whoever is not logged in is led to the page they wanted, and to no other site", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  await enrolOwner(server);
  const { page } = await visit({ url: new URL("/painel/instalar", server.url).href });
  await logIn(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Instalar");

  await page.context().clearCookies();
  await page.goto(new URL("/painel/entrar?voltar=%2F%2Fevil.example", server.url).href);
  await logIn(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Início");
  expect(new URL(page.url()).origin).toBe(new URL(server.url).origin);
});

test("by keyboard, in another language, in other colours; and a page that does not exist says so", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Início");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Ir para o conteúdo" })).toBeFocused();

  await page.getByRole("navigation").getByRole("link", { name: "Instalar" }).press("Enter");
  // Heard by who cannot see that the page has changed.
  await expect(page.getByRole("heading", { level: 1, name: "Instalar" })).toBeFocused();
  await expect(page).toHaveTitle("Instalar · Sineta");

  await page.getByRole("button", { name: owner.name }).click();
  await page.getByRole("menuitem", { name: "English" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Install");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await page.getByRole("button", { name: owner.name }).click();
  await page.getByRole("menuitem", { name: "Dark" }).click();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Install");
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");

  // Where one is, said once.
  await page.getByRole("link", { name: "New notice" }).click();
  await expect(page.getByRole("navigation").locator("[aria-current=page]")).toHaveText(
    "New notice",
  );
  await page.goto(new URL("/painel/nowhere", server.url).href);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is no such page.");
  expect(ours(complaints)).toEqual([]);
});

test("on a phone the pages are behind a button", async ({ serve, visit }) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const viewport = { width: 390, height: 844 };
  const { page } = await openConsole({ server, visit }, cookie, "/", { viewport });
  await page.getByRole("button", { name: "Abrir o menu" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Público" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Público");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a name of any length stays in its button, and is whole in the menu", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page } = await openConsole({ server, visit }, cookie, "/ajustes/conta");
  const names = [owner.name, "F", `${"Florista ".repeat(11)}F`, "W".repeat(100)];
  let name = owner.name;
  await page.route(/\/v1\/session$/, async (route) => {
    const answer = await route.fetch();
    const body = { ...JSON.parse(await answer.text()), name };
    await route.fulfill({ response: answer, json: body });
  });
  for (const each of names) {
    name = each;
    await page.reload();
    const button = page.getByRole("button", { name: each, exact: true });
    await expect(button).toBeVisible();
    for (const width of [390, 1_440]) {
      await page.setViewportSize({ width, height: 844 });
      const isCut = await button
        .getByText(each)
        .evaluate((text) => text.scrollWidth > text.clientWidth);
      expect([each, width, isCut]).toEqual([each, width, each.length > 30]);
      const box = await button.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width);
      const product = await page.getByRole("banner").getByText("Sineta").boundingBox();
      expect((product?.x ?? 0) + (product?.width ?? width)).toBeLessThanOrEqual(box?.x ?? 0);
      // What is cut says so.
      await expect(button.getByText(each)).toHaveCSS("text-overflow", "ellipsis");
    }
    await button.click();
    await expect(page.getByRole("menu").getByText(each)).toBeVisible();
    await expect(page.getByRole("menu").getByText(owner.email)).toBeVisible();
  }
  await lookAt(page, "account-menu");
  await page.keyboard.press("Escape");
  await lookAt(page, "account-name");
});
