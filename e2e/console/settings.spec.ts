/** The console's settings and how the bell gets onto a site, at a real server. */
import { totpOfferSchema } from "@sineta/protocol";
import { qrModules } from "../../apps/console/src/pages/settings/account/qr-modules.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, lookAt, openConsole, owner } from "../support/operator.ts";
import { addAuthenticator } from "../support/passkeys.ts";
import type { SinetaServer } from "../support/server.ts";
import { totpOf } from "../support/totp.ts";
import type { Visitor, VisitorOptions } from "../support/visitor.ts";

type Visit = (options?: Partial<VisitorOptions>) => Promise<Visitor>;

async function open(parts: { server: SinetaServer; visit: Visit }, path: string) {
  const cookie = await enrolOwner(parts.server);
  const visitor = await openConsole(parts, cookie, path);
  const asked = async (below: string): Promise<unknown> =>
    visitor.page.evaluate(async (at) => (await fetch(`/v1/${at}`)).json(), below);
  return { ...visitor, cookie, asked };
}

/** The dark modules of a QR code as they are drawn, row by row: those whose middle the darkest shape covers. */
function modulesDrawn(code: Element): boolean[][] {
  const [light, dark] = ["#fff", "#000"].map((fill) => code.querySelector(`[fill="${fill}"]`));
  if (!(light instanceof SVGRectElement) || !(dark instanceof SVGPathElement)) return [];
  const count = light.width.baseVal.value;
  const { x, y, width, height } = (light.ownerSVGElement ?? new SVGSVGElement()).viewBox.baseVal;
  if (x !== 0 || y !== 0 || width !== count || height !== count) return [];
  return Array.from({ length: count }, (_row, row) =>
    Array.from({ length: count }, (_module, column) =>
      dark.isPointInFill(new DOMPoint(column + 0.5, row + 0.5)),
    ),
  );
}

/** But for what the server refused, as it should. */
const ours = (complaints: readonly string[]) =>
  complaints.filter((text) => !/status of 4\d\d/.test(text));

test("the project is named and limited; what is refused stays typed", async ({ serve, visit }) => {
  const server = await serve();
  const { page, asked, complaints } = await open({ server, visit }, "/ajustes");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Projeto");
  await lookAt(page, "settings-project");
  await page.getByLabel("Nome do projeto").fill("Padaria");
  await page.getByLabel("Navegadores registrados, no máximo").fill("1234567");
  await page.getByRole("switch", { name: /Navegadores confirmam/ }).click();
  await page.getByRole("button", { name: "Salvar" }).click();
  await expect(page.getByText("Salvo.")).toBeVisible();
  expect(await asked("projects/default/settings")).toEqual({
    displayName: "Padaria",
    receipts: false,
    origins: [],
    registrationsQuota: 1_234_567,
    messagesPerHourQuota: 1000,
  });
  await page.route("**/settings", (route) => route.abort());
  await page.getByLabel("Nome do projeto").fill("Outra padaria");
  await page.getByRole("button", { name: "Salvar" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "não respondeu" })).toBeVisible();
  await expect(page.getByLabel("Nome do projeto")).toHaveValue("Outra padaria");
  expect(ours(complaints).filter((text) => !text.includes("ERR_FAILED"))).toEqual([]);
});

test("an API key is made, shown once, followed by another, and revoked", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const { page, complaints } = await open({ server, visit }, "/ajustes/chaves-de-api");
  const isGood = async (key: string) => {
    const headers = { Authorization: `Bearer ${key}` };
    return (await fetch(new URL("/v1/projects/default/topics", server.url), { headers })).ok;
  };
  await page.getByRole("button", { name: "Criar chave" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Nome").fill("loja");
  await dialog.getByRole("checkbox", { name: "gerenciar" }).check();
  await dialog.getByLabel("Validade").selectOption("90 dias");
  await dialog.getByRole("button", { name: "Criar chave" }).click();
  const first = (await dialog.getByRole("region", { name: "A chave nova" }).innerText()).trim();
  expect(await isGood(first)).toBe(true);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Já guardei" }).click();
  await expect(page.getByText(first)).toHaveCount(0);
  const row = page.getByRole("listitem").filter({ hasText: first.slice(0, 12) });
  await expect(row).toContainText("vale até");
  // The button that opened the dialog stood in the empty list.
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await lookAt(page, "settings-api-keys");

  await page.getByRole("button", { name: "Trocar a chave loja" }).click();
  await dialog.getByLabel("A antiga ainda vale por").selectOption("nada: acaba agora");
  await dialog.getByRole("button", { name: "Trocar" }).click();
  const second = (await dialog.getByRole("region", { name: "A chave nova" }).innerText()).trim();
  await dialog.getByRole("button", { name: "Já guardei" }).click();
  expect([await isGood(first), await isGood(second)]).toEqual([false, true]);

  await page.getByRole("button", { name: "Revogar a chave loja" }).click();
  const revoke = dialog.getByRole("button", { name: "Revogar", exact: true });
  await expect(revoke).toBeDisabled();
  const word = dialog.getByLabel("Para confirmar, digite “revogar”");
  await word.fill("remover");
  await expect(revoke).toBeDisabled();
  // A phone writes the first letter of a field as a capital, and a space behind a word that it suggests.
  await word.fill("Revogar ");
  await revoke.click();
  await expect(dialog).toHaveCount(0);
  expect(await isGood(second)).toBe(false);
  await expect(page.getByRole("button", { name: /Revogar/ })).toHaveCount(0);
  expect(ours(complaints)).toEqual([]);
});

test("somebody is invited, gets another role and is removed; the last owner stays one", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const { page, complaints } = await open({ server, visit }, "/ajustes/operadores");
  const own = page.getByLabel(`Papel de ${owner.name}`);
  await own.selectOption("Editor");
  await expect(page.getByText("o único dono")).toBeVisible();
  await expect(own).toHaveValue("owner");

  await page.getByRole("button", { name: "Convidar" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Papel").selectOption("Leitor");
  await dialog.getByLabel("E-mail").fill("florist@site.example");
  await dialog.getByRole("button", { name: "Criar o link" }).click();
  const link = (await dialog.getByRole("region", { name: "O link do convite" }).innerText()).trim();
  await expect(dialog.getByText("nenhum e-mail é enviado")).toBeVisible();
  await dialog.getByRole("button", { name: "Já mandei" }).click();
  await expect(page.getByText("florist@site.example")).toBeVisible();
  await lookAt(page, "settings-operators");

  const florist = await visit({ url: link });
  await florist.page.getByLabel("Nome").fill("Florista");
  await florist.page.getByLabel("Senha", { exact: true }).fill("nove pontes de pedra");
  await florist.page.getByRole("button", { name: "Criar conta" }).click();
  await expect(florist.page.getByRole("button", { name: "Florista" })).toBeVisible();
  // What a reader would only be refused is not offered.
  const pages = florist.page.getByRole("navigation", { name: "Páginas" });
  await expect(pages.getByRole("link", { name: "Avisos" })).toBeVisible();
  await expect(florist.page.getByRole("link", { name: "Novo aviso" })).toHaveCount(0);
  await pages.getByRole("link", { name: "Ajustes" }).click();
  await expect(
    florist.page.getByRole("navigation", { name: "Partes dos ajustes" }).getByRole("link"),
  ).toHaveText(["Projeto", "Envio", "Sua conta"]);
  await expect(florist.page.getByText("Nome do projeto")).toBeVisible();
  await expect(florist.page.getByText("default", { exact: true })).toBeVisible();
  await expect(florist.page.getByRole("note")).toHaveCount(0);
  for (const path of ["chaves-de-api", "operadores", "auditoria"]) {
    await florist.page.goto(new URL(`/painel/ajustes/${path}`, server.url).href);
    await expect(florist.page.getByRole("note")).toContainText("é preciso ter o papel Dono");
  }

  await page.reload();
  await page.getByLabel("Papel de Florista").selectOption("Dono");
  await expect(page.getByLabel("Papel de Florista")).toBeEnabled();
  await florist.page.reload();
  await expect(florist.page.getByRole("heading", { name: "Ações registradas" })).toBeVisible();
  await page.getByRole("button", { name: "Remover Florista" }).click();
  await dialog.getByLabel("Para confirmar, digite “remover”").fill("remover");
  await dialog.getByRole("button", { name: "Remover", exact: true }).click();
  await expect(page.getByText("florist@site.example")).toHaveCount(0);
  expect(ours(complaints)).toEqual([]);
});

test("the own account: password, sessions, second factor, passkeys", async ({ serve, visit }) => {
  const server = await serve();
  const { page, context, complaints } = await open({ server, visit }, "/ajustes/conta");
  await addAuthenticator(context, page);
  const elsewhere = async (password: string, secondFactor?: string) =>
    fetch(new URL("/v1/session", server.url), {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: new URL(server.url).origin },
      body: JSON.stringify({ email: owner.email, password, secondFactor }),
    });
  for (let turn = 0; turn < 3; turn += 1) expect((await elsewhere(owner.password)).ok).toBe(true);
  await page.reload();
  const ends = page.getByRole("button", { name: /Encerrar a sessão em/ });
  await expect(ends).toHaveCount(3);
  await ends.first().click();
  await expect(ends).toHaveCount(2);
  await page.getByRole("button", { name: "Encerrar todas as outras" }).click();
  await expect(ends).toHaveCount(0);
  await expect(page.getByText("este navegador")).toBeVisible();

  await page.getByLabel("Senha atual").fill("errada errada errada");
  await page.getByLabel("Senha nova").fill("onze pontes de pedra");
  await page.getByRole("button", { name: "Trocar a senha" }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: "A senha atual não é esta" }),
  ).toBeVisible();
  await page.getByLabel("Senha atual").fill(owner.password);
  await page.getByRole("button", { name: "Trocar a senha" }).click();
  await expect(page.getByText("Senha trocada.")).toBeVisible();
  expect((await elsewhere(owner.password)).status).toBe(401);

  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Criar chave de acesso" }).click();
  await dialog.getByLabel("Nome").fill("Notebook da padaria");
  await dialog.getByRole("button", { name: "Criar chave de acesso" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("Notebook da padaria")).toBeVisible();
  await lookAt(page, "settings-account");
  await page.getByRole("button", { name: "Remover a chave de acesso Notebook da padaria" }).click();
  await dialog.getByLabel(/Para confirmar/).fill("remover");
  await dialog.getByRole("button", { name: "Remover", exact: true }).click();
  await expect(page.getByText("Notebook da padaria")).toHaveCount(0);

  await page.getByRole("button", { name: "Ativar o segundo fator" }).click();
  await dialog.getByLabel("Senha atual").fill("onze pontes de pedra");
  const offered = page.waitForResponse(/\/v1\/session\/totp$/);
  await dialog.getByRole("button", { name: "Continuar" }).click();
  const { uri } = totpOfferSchema.parse(await (await offered).json());
  const qrCode = dialog.getByRole("img", { name: /Código QR/ });
  const drawn = await qrCode.evaluate(modulesDrawn);
  expect(drawn).toEqual(qrModules(uri));
  // As cameras need it: dark on light, with four light modules around.
  for (const edge of [drawn.slice(0, 4), drawn.slice(-4)]) expect(edge.flat()).not.toContain(true);
  for (const row of drawn) expect([...row.slice(0, 4), ...row.slice(-4)]).not.toContain(true);
  await lookAt(page, "settings-second-factor");
  const secret = (await dialog.getByRole("region", { name: "O segredo" }).innerText()).trim();
  await dialog.getByLabel(/6 dígitos/).fill("000000");
  await dialog.getByRole("button", { name: "Confirmar" }).click();
  await expect(dialog.getByRole("alert").filter({ hasText: "não confere" })).toBeVisible();
  await dialog.getByLabel(/6 dígitos/).fill(totpOf(secret.replaceAll(" ", "")));
  await dialog.getByRole("button", { name: "Confirmar" }).click();
  const codes = (await dialog.getByRole("region", { name: "Códigos de recuperação" }).innerText())
    .trim()
    .split("\n");
  expect(codes).toHaveLength(10);
  await expect(qrCode).toHaveCount(0);
  await dialog.getByRole("button", { name: "Já guardei" }).click();
  await expect(page.getByText("Restam 10 códigos de recuperação")).toBeVisible();
  expect((await elsewhere("onze pontes de pedra")).status).toBe(401);
  expect((await elsewhere("onze pontes de pedra", codes[0])).ok).toBe(true);

  await page.getByRole("button", { name: "Desativar o segundo fator" }).click();
  await dialog.getByLabel("Senha atual").fill("onze pontes de pedra");
  await dialog.getByLabel(/Código do aplicativo/).fill(codes[1] ?? "");
  await dialog.getByRole("button", { name: "Desativar o segundo fator" }).click();
  await expect(
    page.getByRole("button", { name: "Ativar o segundo fator", exact: true }),
  ).toBeVisible();
  expect(ours(complaints)).toEqual([]);
});

test("the audit is filtered by its address, scrolled through, and exported", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const { page, complaints } = await open({ server, visit }, "/ajustes/projeto");
  await page.evaluate(async () => {
    for (let turn = 0; turn < 150; turn += 1) {
      const body = JSON.stringify({ displayName: `Padaria ${turn}` });
      const headers = { "Content-Type": "application/json" };
      await fetch("/v1/projects/default/settings", { method: "PATCH", headers, body });
    }
  });
  await page.getByRole("link", { name: "Auditoria" }).click();
  await expect(page.getByText("Padaria 149")).toBeVisible();
  // Only what can be seen is drawn.
  const lines = page
    .getByRole("main")
    .getByRole("region", { name: "Ações registradas" })
    .getByRole("listitem");
  expect(await lines.count()).toBeLessThan(60);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(lines.filter({ hasText: "Convite aceito" })).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.evaluate(() => window.scrollTo(0, 0));
  await lookAt(page, "settings-audit");

  await page.getByLabel("O que foi feito").selectOption("Convite aceito");
  await expect(page).toHaveURL(/acao=invitation.accepted/);
  await expect(page.getByText("Padaria 149")).toHaveCount(0);
  await page.getByLabel("O que foi feito").selectOption("Tudo");
  await page.getByRole("searchbox").fill("nobody@site.example");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Nada disto aconteceu")).toBeVisible();
  await page.getByRole("button", { name: "Limpar filtros" }).click();
  await expect(page.getByText("Padaria 149")).toBeVisible();
  await page.goto(new URL("/painel/ajustes/auditoria?acao=invitation.accepted", server.url).href);
  await expect(page.getByLabel("O que foi feito")).toHaveValue("invitation.accepted");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Exportar" }).click();
  expect((await download).suggestedFilename()).toBe("sineta-audit-default.ndjson");
  expect(ours(complaints)).toEqual([]);
});

test("the bell's looks, the code to copy, and the check of a site", async ({ serve, visit }) => {
  const server = await serve();
  const { page, context, complaints, asked } = await open({ server, visit }, "/instalar");
  const { vapidKeys } = JSON.parse(JSON.stringify(await asked("projects/default/installation")));
  const { origin } = new URL(server.url);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
  await expect(page.getByText(origin).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Desabilitar Notificações" })).toHaveCount(2);

  await page.getByLabel("Ligado", { exact: true }).fill("#ffff00");
  await expect(page.getByText("pouco contraste em página clara")).toBeVisible();
  await expect(page.getByText("--sineta-bell-on: #ffff00;")).toBeVisible();
  const code = page.getByRole("region", { name: "2. No código da página" });
  await code.getByRole("button", { name: "Copiar" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`vapidKey: "${vapidKeys[0].publicKey}"`);
  await page.getByText("HTML simples").click();
  await expect(code).toContainText("notificationsOf");
  await page.getByRole("button", { name: "Cores do sino" }).click();

  await page.getByRole("button", { name: "Conferir", exact: true }).click();
  await expect(page.getByText("Nada impede o sino de funcionar.")).toBeVisible();
  const found = page.getByRole("listitem");
  await expect(found.filter({ hasText: "O sino está na página" })).toContainText("OK");
  await expect(found.filter({ hasText: "O service worker" })).toContainText("/sineta-sw.js");
  await lookAt(page, "install");

  await page.getByLabel("Endereço da página").fill("https://other.example/");
  await page.getByRole("button", { name: "Conferir", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "origens" })).toBeVisible();
  await expect(page.getByLabel("Endereço da página")).toHaveValue("https://other.example/");
  expect(ours(complaints)).toEqual([]);
});
