/** Sineta's own address, the origins of the pages beside it, and what the console says where it was opened elsewhere. */
import type { Page } from "@playwright/test";
import { startSink } from "@sineta/push-lab";
import { registerCrowd } from "../support/crowd.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, lookAt, openConsole, owner } from "../support/operator.ts";

const fcm = "https://fcm.googleapis.com";
const shop = "https://loja.example";

const logIn = async (page: Page) => {
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Senha", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Entrar" }).click();
};

test("an owner names an origin and takes it away, and is told first who lives there", async ({
  serve,
  visit,
}) => {
  const sink = await startSink({ origins: [fcm] });
  try {
    const server = await serve({ ...sink.serverEnvironment });
    const cookie = await enrolOwner(server);
    const { page } = await openConsole({ server, visit }, cookie, "/ajustes/projeto");
    const rows = page.getByRole("list", { name: "Origens permitidas" }).getByRole("listitem");
    const row = (origin: string) => rows.filter({ hasText: origin });
    await expect(row(new URL(server.url).origin)).toContainText("Endereço da própria Sineta");
    await expect(page.getByRole("button", { name: /^Remover http/ })).toHaveCount(0);

    const field = page.getByLabel("Nova origem");
    const add = page.getByRole("button", { name: "Adicionar" });
    await field.fill("https://*.loja.example");
    await add.click();
    await expect(page.getByText("Digite uma origem exata")).toBeVisible();
    await field.fill(`${shop}/`);
    await add.click();
    await expect(row(shop)).toContainText("0 inscritos ativos.");
    await expect(field).toHaveValue("");

    await registerCrowd(server, sink, fcm, ["um", "dois"], shop);
    await page.reload();
    await expect(row(shop)).toContainText("2 inscritos ativos.");
    await lookAt(page, "settings-origins");
    await page.getByRole("button", { name: `Remover ${shop}` }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText(
      "2 inscritos ativos vieram desta origem. Nenhum é encerrado",
    );
    await dialog.getByRole("button", { name: "Remover" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(row(shop)).toContainText(
      "2 inscritos ativos. Páginas desta origem não registram mais",
    );
    expect((await server.run("settings")).stdout).toMatch(/^origins +none$/m);

    await page.goto(new URL("/painel/ajustes/auditoria", server.url).href);
    await expect(page.getByText(`origens: ${shop} → nenhum`)).toBeVisible();
  } finally {
    await sink.close();
  }
});

test("where SINETA_ORIGINS rules, the list is shown and not changed", async ({ serve, visit }) => {
  const server = await serve({ SINETA_ORIGINS: `${shop},http://localhost:5173` });
  const cookie = await enrolOwner(server);
  const { page } = await openConsole({ server, visit }, cookie, "/ajustes/projeto");
  const list = page.getByRole("list", { name: "Origens permitidas" });
  await expect(list).toContainText(shop);
  await expect(page.getByText("A lista vem do servidor.")).toContainText("SINETA_ORIGINS");
  await expect(page.getByRole("button", { name: /^Remover http/ })).toHaveCount(0);
  await expect(page.getByLabel("Nova origem")).toHaveCount(0);
  await page.goto(new URL("/painel/instalar", server.url).href);
  await expect(page.getByText("A lista vem de SINETA_ORIGINS.")).toBeVisible();
});

test("opened at another address than Sineta's own, the console says so before anything is typed, and after", async ({
  serve,
  visit,
}) => {
  const own = "https://avisos.example";
  const server = await serve({ SINETA_PUBLIC_URL: own });
  const { origin } = new URL(server.url);
  const { page } = await visit({ url: new URL("/painel/entrar", server.url).href });
  const note = page.getByRole("note");
  await expect(note.getByRole("link", { name: own })).toHaveAttribute(
    "href",
    `${own}/painel/entrar`,
  );
  await expect(note).toContainText(`SINETA_PUBLIC_URL=${origin}`);
  await lookAt(page, "log-in-elsewhere");
  await logIn(page);
  const alert = page.getByRole("alert").filter({ hasText: "não é o da Sineta" });
  await expect(alert.getByRole("link", { name: own })).toBeVisible();
});

test("after the password, log-in tells of passkeys that were made for another host", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  await enrolOwner(server);
  const { page } = await visit({ url: new URL("/painel/entrar", server.url).href });
  const made = { createdAt: "2026-11-20T12:00:00.000Z", lastUsedAt: null };
  // A passkey of another host takes a server that was at that host.
  await page.route("**/v1/session", async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    const response = await route.fetch();
    const account: object = await response.json();
    const host = "painel.example.com";
    const passkeys = [{ id: 1, name: "notebook", host, elsewhere: true, ...made }];
    return route.fulfill({ response, json: { ...account, ...(response.ok() && { passkeys }) } });
  });
  await logIn(page);
  const text = "Suas chaves de acesso foram criadas para painel.example.com";
  await expect(page.getByRole("alert").filter({ hasText: text })).toBeVisible();
  await lookAt(page, "log-in-passkeys-elsewhere");
  await page.getByRole("link", { name: "Criar chave de acesso" }).click();
  await expect(page.getByText("Só funciona em painel.example.com")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sua conta");
});
