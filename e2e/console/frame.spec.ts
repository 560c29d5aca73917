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

  await expect(page.getByRole("heading")).toHaveText("Convite para o projeto default: Dono");
  await lookAt(page, "invitation");
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Nome").fill(owner.name);
  await page.getByLabel("Senha", { exact: true }).fill("1234567890");
  await page.getByRole("button", { name: "Criar conta" }).click();
  await expect(page.getByRole("alert")).toContainText("comum demais");
  await page.getByLabel("Senha", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Criar conta" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Primeiros passos");
  expect(new URL(page.url()).hash).toBe("");

  await page.goto(link);
  await expect(page.getByRole("alert")).toContainText("já foi usado");
  await page.goto(new URL("/painel/comecar", server.url).href);
  await page.getByRole("link", { name: "Ir para o painel" }).click();
  await page.getByRole("button", { name: owner.name }).click();
  await page.getByRole("menuitem", { name: "Sair" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Entrar");
  await page.getByText("Não consegue entrar?").click();
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
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Instalar o sino");

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
  // In the house's font, of which a page in Portuguese needs the Latin letters alone.
  const fonts = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .flatMap(({ name }) => name.match(/figtree-[a-z]+-w/) ?? []),
    );
  await expect.poll(fonts).toEqual(["figtree-latin-w"]);

  await page.getByRole("navigation").getByRole("link", { name: "Instalar o sino" }).press("Enter");
  // Heard by who cannot see that the page has changed.
  await expect(page.getByRole("heading", { level: 1, name: "Instalar o sino" })).toBeFocused();
  await expect(page).toHaveTitle("Instalar o sino · Sineta");

  await page.getByRole("button", { name: owner.name }).click();
  await page.getByRole("menuitem", { name: "English" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Install the bell");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await page.getByRole("button", { name: owner.name }).click();
  await page.getByRole("menuitem", { name: "Dark" }).click();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Install the bell");
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  // The system is light.
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(19, 18, 16)");

  // Where one is, said once.
  const current = page.getByRole("banner").locator("[aria-current=page]");
  for (const [path, name] of [
    ["/", "Home"],
    ["/avisos/novo", "Notices"],
    ["/publico", "Subscribers"],
    ["/publico/topicos", "Topics"],
    ["/ajustes/conta", "Settings"],
  ] as const) {
    await page.goto(new URL(`/painel${path}`, server.url).href);
    await expect(current).toHaveText([name]);
  }
  // The menu leads on from an address that does not exist, and from a notice that cannot be one.
  for (const path of ["/nowhere", "/avisos/nowhere"]) {
    await page.goto(new URL(`/painel${path}`, server.url).href);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is no such page.");
    await expect(page.getByRole("navigation").getByRole("link", { name: "Home" })).toBeVisible();
  }
  expect(ours(complaints)).toEqual([]);
});

test("on a phone the pages are behind a button", async ({ serve, visit }) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const viewport = { width: 390, height: 844 };
  const { page } = await openConsole({ server, visit }, cookie, "/", { viewport });
  await page.getByRole("button", { name: "Abrir o menu" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Inscritos" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Inscritos");
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
    await page.setViewportSize({ width: 1_440, height: 844 });
    await expect(button).toBeVisible();
    const text = button.getByText(each).last();
    const isCut = await text.evaluate((shown) => shown.scrollWidth > shown.clientWidth);
    expect([each, isCut]).toEqual([each, each.length > 30]);
    // What is cut says so.
    await expect(text).toHaveCSS("text-overflow", "ellipsis");
    const side = await page.getByRole("banner").boundingBox();
    const box = await button.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 1_440)).toBeLessThanOrEqual(side?.width ?? 0);
    // A phone's bar has room for the initials alone, and for a finger.
    await page.setViewportSize({ width: 390, height: 844 });
    const small = await button.boundingBox();
    expect((small?.x ?? 0) + (small?.width ?? 390)).toBeLessThanOrEqual(390);
    expect(Math.min(small?.width ?? 0, small?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await button.click();
    await expect(page.getByRole("menu").getByText(each)).toBeVisible();
    await expect(page.getByRole("menu").getByText(owner.email)).toBeVisible();
  }
  await lookAt(page, "account-menu");
  await page.keyboard.press("Escape");
  await lookAt(page, "account-name");
});

test("an explanation unfolds behind a question mark, and goes with Escape", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const { page } = await openConsole(
    { server, visit },
    await enrolOwner(server),
    "/publico/topicos",
  );
  const sign = page.getByRole("button", { name: "O que é: Tópicos do projeto" });
  const text = page.getByRole("dialog");
  await expect(text).toHaveCount(0);
  await sign.focus();
  await page.keyboard.press("Enter");
  await expect(text).toBeVisible();
  await lookAt(page, "explanation");
  await page.keyboard.press("Escape");
  await expect(text).toHaveCount(0);
  await expect(sign).toBeFocused();
});

test("on a phone the settings are one line, and the open part is in view", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page } = await openConsole({ server, visit }, cookie, "/ajustes/auditoria");
  await page.setViewportSize({ width: 390, height: 844 });
  const parts = page.getByRole("navigation", { name: "Partes dos ajustes" });
  await expect(parts.getByRole("link", { name: "Auditoria" })).toBeInViewport({ ratio: 1 });
  expect((await parts.boundingBox())?.height).toBeLessThan(60);
  await expect(parts.getByRole("link", { name: "Projeto" })).not.toBeInViewport();
  await parts.getByRole("link", { name: "Projeto" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Projeto");
  await expect(parts.getByRole("link", { name: "Projeto" })).toBeInViewport({ ratio: 1 });
});
