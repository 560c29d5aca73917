/** What is typed into the forms of the settings outlives a reload and a session. */
import type { Page } from "@playwright/test";
import { api } from "../support/compose.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, enrolViewer, lookAt, openConsole, owner } from "../support/operator.ts";
import type { SinetaServer } from "../support/server.ts";

async function endSession(server: SinetaServer, page: Page): Promise<void> {
  const cookies = await page.context().cookies(server.url);
  const answer = await fetch(new URL("/v1/session", server.url), {
    method: "DELETE",
    headers: {
      Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; "),
      Origin: new URL(server.url).origin,
    },
  });
  expect(answer.ok).toBe(true);
}

async function logIn(page: Page): Promise<void> {
  // Not the field of an invitation, below.
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Entrar" }) });
  await form.getByLabel("E-mail").fill(owner.email);
  await form.getByLabel("Senha", { exact: true }).fill(owner.password);
  await form.getByRole("button", { name: "Entrar" }).click();
}

test("the project's form keeps what was typed until it is saved or discarded", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page } = await openConsole({ server, visit }, cookie, "/ajustes/projeto");
  const name = page.getByLabel("Nome do projeto");
  const quota = page.getByLabel("Navegadores registrados, no máximo");
  const discard = page.getByRole("button", { name: "Descartar as mudanças" });
  const before = await quota.inputValue();
  await expect(discard).toHaveCount(0);
  await name.fill("Padaria da esquina");
  await quota.fill("4321");
  await page.getByRole("switch", { name: /Navegadores confirmam/ }).click();
  await page.reload();
  await expect(name).toHaveValue("Padaria da esquina");
  await expect(quota).toHaveValue("4.321");
  await expect(page.getByRole("switch", { name: /Navegadores confirmam/ })).not.toBeChecked();
  await lookAt(page, "settings-project-typed");

  await endSession(server, page);
  await page.getByRole("button", { name: "Salvar" }).click();
  await logIn(page);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(name).toHaveValue("Padaria da esquina");
  await endSession(server, page);
  await page.reload();
  await logIn(page);
  await expect(name).toHaveValue("Padaria da esquina");
  await expect(quota).toHaveValue("4.321");

  await discard.click();
  await expect(quota).toHaveValue(before);
  await name.fill("Padaria");
  await page.getByRole("button", { name: "Salvar" }).click();
  await expect(page.getByText("Salvo.")).toBeVisible();
  await expect(discard).toHaveCount(0);
  await page.reload();
  await expect(name).toHaveValue("Padaria");
  await expect(discard).toHaveCount(0);
});

test("a new API key goes on where it was begun; the key itself is kept nowhere", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page } = await openConsole({ server, visit }, cookie, "/ajustes/chaves-de-api");
  const dialog = page.getByRole("dialog", { name: "Criar chave" });
  const expectTyped = async () => {
    await expect(dialog.getByLabel("Nome")).toHaveValue("loja");
    await expect(dialog.getByRole("checkbox", { name: "gerenciar" })).toBeChecked();
    await expect(dialog.getByRole("checkbox", { name: "ler" })).not.toBeChecked();
    await expect(dialog.getByLabel("Validade")).toHaveValue("90");
  };
  await page.getByRole("button", { name: "Criar chave" }).click();
  await dialog.getByLabel("Nome").fill("loja");
  await dialog.getByRole("checkbox", { name: "gerenciar" }).check();
  await dialog.getByRole("checkbox", { name: "ler" }).uncheck();
  await dialog.getByLabel("Validade").selectOption("90 dias");
  await page.reload();
  await expectTyped();

  await endSession(server, page);
  await dialog.getByRole("button", { name: "Criar chave" }).click();
  const again = page.getByRole("dialog", { name: "Entre de novo" });
  await expect(again).toBeVisible();
  // What is pressed in the dialog above closes neither.
  await again.getByLabel("E-mail").press("Escape");
  await logIn(page);
  await expect(again).toHaveCount(0);
  await expectTyped();
  await endSession(server, page);
  await page.reload();
  await logIn(page);
  await expectTyped();

  await dialog.getByRole("button", { name: "Criar chave" }).click();
  await expect(dialog.getByRole("region", { name: "A chave nova" })).toBeVisible();
  const key = (await dialog.getByRole("region", { name: "A chave nova" }).innerText()).trim();
  expect(await kept(page)).not.toContain(key);
  await page.reload();
  await expect(page.getByRole("button", { name: "Trocar a chave loja" })).toBeVisible();
  await expect(dialog).toHaveCount(0);

  await page.getByRole("button", { name: "Criar chave" }).click();
  await expect(dialog.getByLabel("Nome")).toHaveValue("");
  await dialog.getByLabel("Nome").fill("outra");
  await dialog.getByRole("button", { name: "Cancelar" }).click();
  await page.reload();
  await expect(page.getByRole("button", { name: "Trocar a chave loja" })).toBeVisible();
  await expect(dialog).toHaveCount(0);
});

test("an invitation goes on where it was begun, and is nobody else's", async ({ serve, visit }) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page } = await openConsole({ server, visit }, cookie, "/ajustes/operadores");
  const dialog = page.getByRole("dialog", { name: "Convidar" });
  await page.getByRole("button", { name: "Convidar" }).click();
  await dialog.getByLabel("Papel").selectOption("Dono");
  await dialog.getByRole("button", { name: "Criar o link" }).click();
  const link = await dialog.getByRole("region", { name: "O link do convite" }).innerText();
  await dialog.getByRole("button", { name: "Já mandei" }).click();

  await page.getByRole("button", { name: "Convidar" }).click();
  await dialog.getByLabel("Papel").selectOption("Leitor");
  await dialog.getByLabel("E-mail").fill("florist@site.example");
  await page.reload();
  await expect(dialog.getByLabel("E-mail")).toHaveValue("florist@site.example");
  await endSession(server, page);
  await page.reload();
  await logIn(page);
  await expect(dialog.getByLabel("Papel")).toHaveValue("viewer");
  await expect(dialog.getByLabel("E-mail")).toHaveValue("florist@site.example");

  await endSession(server, page);
  await page.goto(link.trim());
  await page.getByLabel("E-mail").fill("grocer@site.example");
  await page.getByLabel("Nome").fill("Quitandeira");
  await page.getByLabel("Senha", { exact: true }).fill("nove pontes de pedra");
  await page.getByRole("button", { name: "Criar conta" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Primeiros passos");
  await page.goto(new URL("/painel/ajustes/operadores", server.url).href);
  await expect(page.getByLabel("Papel de Quitandeira")).toBeVisible();
  await expect(dialog).toHaveCount(0);
});

test("a person with an account logs in on the page of the invitation", async ({ serve, visit }) => {
  const server = await serve();
  const cookie = await enrolViewer(server);
  const invitation = await server.run("operators", "invite", "--role", "editor");
  const { page } = await visit({ url: invitation.stdout.trim() });
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Nome").fill(owner.name);
  await page.getByLabel("Senha", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Criar conta" }).click();
  await expect(page.getByRole("alert")).toContainText("Já existe uma conta com este e-mail");
  const hasAccount = page.getByRole("button", { name: "Já tenho conta" });
  await hasAccount.click();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.getByRole("button", { name: "Criar conta" }).click();
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Nome").fill(owner.name);
  await page.getByLabel("Senha", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Criar conta" }).click();
  await expect(page.getByRole("alert")).toContainText("Já existe uma conta com este e-mail");
  await hasAccount.click();
  await expect(page.getByLabel("E-mail")).toHaveValue(owner.email);
  await page.getByLabel("Senha", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Entrar" }).click();
  await expect(page.getByText(`Você entrou como ${owner.email}.`)).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.getByRole("button", { name: "Aceitar o convite" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Início");
  const account = await api(server, cookie, "session");
  expect(await account.json()).toMatchObject({ roles: { default: "editor" } });
});

test("passwords and codes are kept nowhere", async ({ serve, visit }) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page } = await openConsole({ server, visit }, cookie, "/ajustes/conta");
  const dialog = page.getByRole("dialog");
  await page.getByLabel("Senha atual").fill(owner.password);
  await page.getByLabel("Senha nova").fill("onze pontes de pedra");
  await page.getByRole("button", { name: "Ativar o segundo fator" }).click();
  await dialog.getByLabel("Senha atual").fill(owner.password);
  await dialog.getByRole("button", { name: "Continuar" }).click();
  const secret = await dialog.getByRole("region", { name: "O segredo" }).innerText();
  await dialog.getByLabel(/6 dígitos/).fill("271828");
  const all = await kept(page);
  for (const each of ["pontes", "271828", secret, secret.replaceAll(" ", "")]) {
    expect(all).not.toContain(each.trim());
  }
  await page.reload();
  await expect(page.getByLabel("Senha nova")).toHaveValue("");
  await expect(dialog).toHaveCount(0);
});

/** All that the browser's storages have. */
async function kept(page: Page): Promise<string> {
  return page.evaluate(() =>
    JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]),
  );
}
