/** What pages say is of what is shown: no figure of what was not read, no word of what was typed before. */
import { api } from "../support/compose.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, openConsole } from "../support/operator.ts";

test("nothing is said any more of what was typed before", async ({ serve, visit }) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  await server.run("topics", "add", "pao", "--open");
  const { page } = await openConsole({ server, visit }, cookie, "/publico/topicos");
  const taken = page.getByText("Já existe um tópico com este nome");
  await page.getByLabel("Nome", { exact: true }).fill("pao");
  await page.getByRole("button", { name: "Criar tópico" }).click();
  await expect(taken).toBeVisible();
  await page.getByLabel("Nome", { exact: true }).fill("bolo");
  await expect(taken).toHaveCount(0);

  await page.route("**/site-checks", (route) =>
    route.fulfill({
      json: { findings: [{ code: "https", state: "ok", reason: "found", seen: null }] },
    }),
  );
  await page.getByRole("link", { name: "Instalar o sino" }).click();
  await page.getByRole("button", { name: "Conferir", exact: true }).click();
  const findings = page.getByText("Nada impede o sino de funcionar.");
  await expect(findings).toBeVisible();
  await page.getByLabel("Endereço da página").fill("https://outra.example/");
  await expect(findings).toHaveCount(0);
});

test("several findings on a site's policy say once what to do", async ({ serve, visit }) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page } = await openConsole({ server, visit }, cookie, "/instalar");
  const code = "content-security-policy";
  const findings = [
    { code, state: "missing", reason: "blocks-worker", seen: "worker-src 'none'" },
    { code, state: "missing", reason: "blocks-trusted-types", seen: "trusted-types site" },
  ];
  await page.route("**/site-checks", (route) => route.fulfill({ json: { findings } }));
  await page.getByRole("button", { name: "Conferir", exact: true }).click();
  const items = page.getByRole("listitem").filter({ hasText: "Política de segurança (CSP)" });
  await expect(items).toHaveCount(2);
  const todo = "Mude o cabeçalho Content-Security-Policy";
  await expect(items.first()).not.toContainText(todo);
  await expect(items.last()).toContainText(todo);
});

test("an address that only the inside knows is not checked, and a site with two names is told of", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const [plain, www, inside] = ["https://a.example", "https://www.a.example", "https://10.0.0.1"];
  const name = async (...origins: string[]) => {
    await server.run("settings", "origins", origins.join(","));
    // A running server obeys a command within a second.
    const installation = () => api(server, cookie, "projects/default/installation");
    await expect.poll(async () => (await installation()).text()).toContain(origins.at(-1));
  };
  await name(plain, inside);
  const { page } = await openConsole({ server, visit }, cookie, "/instalar");
  await page.getByLabel("Endereço da página").fill(`${inside}/`);
  await page.getByRole("button", { name: "Conferir", exact: true }).click();
  await expect(page.getByText("Não pude conferir daqui.")).toBeVisible();
  const item = page.getByRole("listitem").filter({ hasText: "A página abre" });
  await expect(item).toContainText("Não conferido");
  await expect(item).not.toContainText("Confira o endereço");
  const page200 = { code: "page-reachable", state: "ok", reason: "found", seen: null };
  const icon = { code: "icons", state: "unknown", reason: "address-not-allowed", seen: null };
  await page.route("**/site-checks", (route) =>
    route.fulfill({ json: { findings: [page200, icon] } }),
  );
  await page.getByRole("button", { name: "Conferir", exact: true }).click();
  await expect(page.getByText("Nada do que foi conferido impede")).toBeVisible();

  const twice = page.getByText("recebe cada aviso duas vezes");
  await expect(twice).toHaveCount(0);
  await name(plain, www);
  await page.reload();
  await expect(twice).toContainText(`${plain} e em ${www}`);
});

test("what could not be read has no number", async ({ serve, visit }) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page } = await openConsole({ server, visit }, cookie, "/ajustes/conta");
  await page.route("**/v1/projects/default/registrations?*", (route) => route.abort());
  await page.getByRole("link", { name: "Inscritos" }).click();
  await expect(page.getByText("O servidor não respondeu")).toBeVisible();
  await expect(page.getByText("encontrados")).toHaveCount(0);
});

test("a project is called by its name, and so is a key", async ({ serve, visit }) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const answer = await fetch(new URL("/v1/projects/default/settings", server.url), {
    method: "PATCH",
    headers: {
      Cookie: `${cookie.name}=${cookie.value}`,
      Origin: new URL(server.url).origin,
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ displayName: "Padaria da esquina" }),
  });
  expect(answer.status).toBe(200);
  const { page } = await openConsole({ server, visit }, cookie, "/ajustes/conta");
  await expect(page.getByRole("banner").getByText("Padaria da esquina")).toBeVisible();
  await expect(page.getByText("Padaria da esquina (Dono)")).toBeVisible();

  await page.getByRole("link", { name: "Chaves de API" }).click();
  // The page before this one has a button "Criar chave de acesso".
  const create = { name: "Criar chave", exact: true };
  await page.getByRole("button", create).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", create).click();
  await expect(dialog.getByLabel("Nome")).toBeFocused();
  await expect(dialog.getByRole("region", { name: "A chave nova" })).toHaveCount(0);
});
