/** Início and Inscritos: figures, lists, the story of one registration, and topics; with real browsers and with many that are not there. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Page } from "@playwright/test";
import { lossCauseSchema, registrationStorySchema } from "@sineta/protocol";
import { tokenOf } from "../support/bell.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, lookAt, openConsole } from "../support/operator.ts";
import { addressOf } from "../support/own-page.ts";
import { seed } from "../support/seed.ts";
import { vapidKeyOf } from "../support/vapid-key.ts";

/** Writes into the figures of today, for each cause, one registration that came back, and one registration that an operator removed. */
function loseForEachCause(folder: string): void {
  const database = new DatabaseSync(join(folder, "sineta.db"), { timeout: 10_000 });
  const lose = database.prepare(
    "insert into audience_returns values (1, unixepoch() / 86400, ?, 0, 1)",
  );
  for (const cause of lossCauseSchema.options) lose.run(cause);
  database.exec(`insert into audience_days (project_id, day, removed) values (1, unixepoch() / 86400, 1)
    on conflict do update set removed = removed + 1`);
  database.close();
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const rows = (page: Page) =>
  page.getByRole("list", { name: "Registros, do mais novo ao mais antigo" }).getByRole("listitem");

test("without anybody the first page leads to the first steps", async ({ serve, visit }) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/");
  await expect(page.getByText("Tudo certo por aqui")).toBeVisible();
  await expect(page.getByText("Nenhum aviso foi enviado ainda.")).toBeVisible();
  await expect(page.getByText("Nada agendado, nenhum rascunho.")).toBeVisible();
  // What to do first is the page's one filled button.
  const filled = page.getByRole("main").locator(".mantine-Button-root:not([data-variant])");
  await expect(filled).toHaveText("Começar passo a passo");
  await lookAt(page, "home-empty");
  await page.getByRole("link", { name: "Inscritos" }).first().click();
  await expect(page.getByText("Ninguém se registrou ainda.")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Instalar o sino" }).click();
  await expect(heading(page)).toHaveText("Instalar o sino");
  await page.getByRole("navigation").getByRole("link", { name: "Início" }).click();
  await page.getByRole("link", { name: "Instalar o sino no site" }).click();
  await expect(heading(page)).toHaveText("Instalar o sino");
  expect(complaints).toEqual([]);
});

test("a page with another server's VAPID key is told of on Início", async ({
  serve,
  server: other,
  visit,
  ownPage,
}) => {
  const server = await serve({ SINETA_ORIGINS: ownPage.url });
  const cookie = await enrolOwner(server);
  const wrong = await vapidKeyOf(other);
  const visitor = await visit({ url: await addressOf(ownPage, server, { vapidKey: wrong }) });
  await expect(async () => expect(visitor.complaints.join()).toContain("vapidKey")).toPass();

  const { page, complaints } = await openConsole({ server, visit }, cookie, "/");
  const { origin } = new URL(ownPage.url);
  const item = page.getByRole("listitem").filter({ hasText: origin });
  await expect(item).toContainText("uma página tem outra chave VAPID");
  await expect(item).toContainText(`começa com ${wrong.slice(0, 12)}`);
  await expect(item).toContainText(`a do projeto com ${(await vapidKeyOf(server)).slice(0, 12)}`);
  // It stands before all else, and in place of the green dot.
  await expect(page.getByRole("main").getByRole("region").first()).toHaveAccessibleName(
    "Precisa de atenção",
  );
  await expect(page.getByRole("status")).toHaveText("Precisa de atenção");
  await lookAt(page, "home-vapid-key");
  await item.getByRole("link", { name: "Abrir “Instalar o sino”" }).click();
  await expect(heading(page)).toHaveText("Instalar o sino");
  expect(complaints).toEqual([]);
});

test("a real browser is seen, found, understood and removed; and comes back by itself as another", async ({
  serve,
  visit,
  desktop,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  await server.run("topics", "add", "ofertas", "--display-name", "Ofertas do dia");
  const visitor = await visit({ url: server.url, desktop });
  const token = await tokenOf(visitor);
  await server.run("topics", "join", "ofertas", token);
  await server.run("send", "--to", token, "--title", "Pão quente", "--body", "Às 17h.");
  await desktop.notification("Pão quente");

  const { page, complaints } = await openConsole({ server, visit }, cookie, "/");
  const chrome = page.getByRole("link", { name: /^Chrome 1 100%$/ });
  await expect(chrome).toBeVisible();
  const last = page.getByRole("region", { name: "Último aviso" });
  await expect(last.getByRole("link", { name: "Pão quente" })).toBeVisible();
  await expect(last.getByRole("definition")).toHaveText(["1", "1", "0"]);
  // One browser says nothing about a rate.
  await expect(last).not.toContainText("%");
  const row = page.getByRole("row").filter({ hasText: "Pão quente" });
  await expect(row.getByRole("cell")).toHaveText([/^hoje, \d\d:\d\d$/, "1", "1", "0"]);
  await chrome.click();
  await expect(page).toHaveURL(/\/painel\/publico\?.*browser=chrome/);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText("Linux");
  // Where it registered tells people more than a token.
  const link = rows(page).first().getByRole("link");
  await expect(link).toHaveText(new URL(server.url).origin);
  await expect(rows(page).first()).not.toContainText(token.slice(0, 8));
  await link.click();

  await expect(heading(page)).toHaveText(`Registro ${token.slice(0, 8)}`);
  await expect(page.getByText("Está alcançável.")).toBeVisible();
  const timeline = page.getByRole("region", { name: "O que aconteceu" }).getByRole("listitem");
  await expect(timeline).toContainText([
    "Registrou-se",
    "Entrou no tópico Ofertas do dia",
    "Exibiu o aviso Pão quente",
  ]);
  // Nothing of it leads to the browser.
  expect(await page.content()).not.toContain("/fcm/send");
  await lookAt(page, "registration");

  // As it would be told after the push service had trouble.
  await page.route(`**/v1/projects/default/registrations/${token}`, async (route) => {
    const answer = await route.fetch();
    const story = registrationStorySchema.parse(await answer.json());
    const at = new Date().toISOString();
    const about = { kind: "message", messageId: randomUUID(), title: "Pão doce", at } as const;
    const why = { outcome: "retry", reason: "service-unavailable", detail: "busy" } as const;
    const events = [...story.events, { ...about, ...why, attempts: 2 }];
    await route.fulfill({ response: answer, json: { ...story, events } });
  });
  await page.reload();
  await expect(page.getByText("o aviso “Pão doce” não foi aceito")).toBeVisible();
  await expect(timeline.last()).toContainText("2 tentativas");
  const why = page.getByRole("alert");
  await expect(why).toContainText("O serviço teve um erro.");
  await expect(why).toContainText("É tentado de novo enquanto o aviso valer.");
  await expect(why).toContainText("Ele disse: “busy”.");
  await expect(page.getByText("O serviço teve um erro.")).toHaveCount(1);
  await expect(page.getByText("service-unavailable")).toHaveCount(0);
  await lookAt(page, "registration-failing");
  await page.unroute(`**/v1/projects/default/registrations/${token}`);
  await page.reload();
  await expect(page.getByText("Está alcançável.")).toBeVisible();

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "Remover registro" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("não pode ser desfeito");
  const confirm = dialog.getByRole("button", { name: "Remover registro" });
  await expect(confirm).toBeDisabled();
  await dialog.getByLabel("Para confirmar, digite “remover”").fill("remover");
  await confirm.click();
  await expect(page.getByText("porque alguém da equipe o removeu")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(timeline.last()).toContainText("Alguém da equipe removeu o registro");
  await expect(page.getByRole("button", { name: "Remover registro" })).toHaveCount(0);

  // A page that asks the server again registers it anew.
  await visitor.bell.click();
  await page.getByRole("link", { name: "Todos os registros" }).click();
  await expect(async () => {
    await page.reload();
    await expect(rows(page)).toHaveCount(2, { timeout: 1_000 });
  }).toPass();
  await page.getByLabel("Situação").selectOption("Removido por operador");
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText("Removido por operador");
  expect(complaints).toEqual([]);
});

test("the operator sees losses by cause, how many came back, and the loss in a registration's story", async ({
  serve,
  visit,
  lab,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/publico");
  const losses = page.getByRole("region", { name: "Perdas e retornos" });
  await expect(losses).toContainText("Nenhuma perda nos últimos 30 dias.");

  const visitor = await visit({ url: server.url });
  const token = await tokenOf(visitor);
  const send = (title: string) =>
    server.run("send", "--to", token, "--title", title, "--body", "Oi");
  expect((await send("Pão quente")).stdout).toContain("1 accepted");
  lab.endSubscription(lab.subscriptions().at(-1)?.endpoint ?? "", 410);
  expect((await send("Pão doce")).stdout).toContain("1 gone");
  await page.reload();
  await expect(losses).toContainText("1 perda nos últimos 30 dias; em 0 o navegador já voltou.");
  const row = losses.getByRole("row").nth(1);
  await losses.getByText("Ver por causa").click();
  await expect(row).toHaveText("O serviço de push encerrou a inscrição10");

  await visitor.bell.click();
  await expect(async () => {
    await page.reload();
    await expect(losses).toContainText("1 perda nos últimos 30 dias; em 1 o navegador já voltou.", {
      timeout: 1_000,
    });
  }).toPass();
  await losses.getByText("Ver por causa").click();
  await expect(row).toHaveText(
    "O serviço de push encerrou a inscrição, e o navegador ficou com ela11",
  );
  await rows(page).first().getByRole("link").click();
  const returned = page.getByRole("listitem").filter({ hasText: "Voltou depois de uma perda" });
  await expect(returned).toContainText(
    "e o navegador ficou com ela. O servidor soube disso hoje, ",
  );
  expect(complaints).toEqual([]);
});

test("thousands: the figures, the chart and its table, filters in the address, rows as one scrolls", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  await seed(server.data, 3_000, 20);
  loseForEachCause(server.data);
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/");
  const came = page.getByText(/^[\d.]+ entraram$/);
  const cameInThirty = await came.textContent();
  await expect(page.getByRole("row").filter({ hasText: "(20)" })).toBeVisible();
  await page.getByText("90 dias").click();
  await expect(came).not.toHaveText(cameInThirty ?? "");
  await page.getByText("Ver os números em tabela").click();
  const table = page.getByRole("region", { name: "Entradas e saídas por dia" });
  await expect(table.getByRole("row")).toHaveCount(91);

  await page
    .getByRole("link", { name: /^Firefox/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Inscritos");
  await expect(page.getByLabel("Navegador", { exact: true })).toHaveValue("firefox");
  await expect(rows(page).first()).toContainText("Firefox");
  await page.getByLabel("Sistema").selectOption("Linux");
  await expect(page).toHaveURL(/system=linux/);
  const both = page.getByText(/^\d+ encontrados$/);
  await expect(both).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel("Sistema")).toHaveValue("");
  await page.getByRole("button", { name: "Limpar filtros" }).click();
  await expect(page).toHaveURL(/\/painel\/publico$/);

  await expect(page.getByText("100 encontrados até aqui")).toBeVisible();
  // On a phone the table of causes is higher than the rows that are drawn beyond the screen.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByText("Ver por causa").click();
  const list = page.getByRole("list", { name: "Registros, do mais novo ao mais antigo" });
  await list.evaluate((element) => element.scrollIntoView());
  await expect(rows(page).and(page.locator("[aria-posinset='1']"))).toBeInViewport();
  await lookAt(page, "audience");
  await page.setViewportSize({ width: 1280, height: 800 });
  const all = page.getByText(/^3\.\d{3} encontrados$/);
  await expect(async () => {
    await page.mouse.wheel(0, 20_000);
    await expect(all).toBeVisible({ timeout: 200 });
  }).toPass();
  // Those that can be seen, and a few around them.
  expect(await rows(page).count()).toBeLessThan(60);

  await page.getByLabel("Usuário do site").fill("nobody");
  await page.getByLabel("Usuário do site").press("Enter");
  await expect(page.getByText("Nenhum registro encontrado")).toBeVisible();
  await page.getByLabel("Token do registro").fill("nobody");
  await page.getByRole("button", { name: "Abrir", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("Não há registro com este token.");
  expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
});

test("topics are made, changed and removed; what was typed stays where it is refused", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/publico/topicos");
  await expect(page.getByText("Ainda não há tópicos.")).toBeVisible();
  const name = page.getByRole("textbox", { name: "Nome", exact: true });
  const technical = page.getByRole("textbox", { name: "Nome técnico" });
  const add = page.getByRole("button", { name: "Criar tópico" });
  await add.click();
  await expect(name).toHaveAccessibleDescription(/Escreva um nome/);
  // The technical name follows the name, until the operator writes another.
  await name.fill("Pão quente às 17h");
  await expect(technical).toHaveValue("pao-quente-as-17h");
  await technical.fill("pão quente");
  await add.click();
  await expect(technical).toHaveAccessibleDescription(/de 1 a 64 letras/);
  await expect(technical).toBeFocused();
  await technical.fill("pao-quente");
  await add.click();
  await expect(page.getByRole("heading", { name: "Pão quente às 17h" })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Pão quente" })).toContainText(
    "pao-quente · 0 alcançáveis",
  );
  await expect(name).toHaveValue("");
  await expect(technical).toHaveValue("");
  await name.fill("Pão quente");
  await add.click();
  await expect(page.getByRole("alert")).toContainText("Já existe um tópico com este nome");
  await expect(name).toHaveValue("Pão quente");
  await name.fill("receitas");
  await add.click();
  await expect(page.getByRole("heading", { name: "receitas" })).toBeVisible();

  await page.getByRole("button", { name: "Renomear Pão quente às 17h" }).click();
  const rename = page.getByRole("dialog");
  await expect(rename).toContainText("O nome técnico continua pao-quente");
  await rename.getByLabel("Nome").fill("Pão & café");
  await rename.getByRole("button", { name: "Salvar" }).click();
  await expect(page.getByRole("heading", { name: "Pão & café" })).toBeVisible();
  await expect(rename).toHaveCount(0);
  await expect.poll(async () => (await server.run("topics")).stdout).toContain("Pão & café");

  await page.getByLabel("Quem pode entrar em receitas").selectOption("Fechado");
  await expect.poll(async () => (await server.run("topics")).stdout).toMatch(/receitas\s+kept/);
  await page.reload();
  await expect(page.getByLabel("Quem pode entrar em receitas")).toHaveValue("kept");
  await lookAt(page, "topics");

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "Remover receitas" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Para confirmar, digite “remover”").fill("Remover ");
  await dialog.getByLabel("Para confirmar, digite “remover”").press("Enter");
  await expect(page.getByRole("heading", { name: "receitas" })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Pão & café" })).toBeVisible();
  expect(complaints.filter((text) => !text.includes("409"))).toEqual([]);
});
