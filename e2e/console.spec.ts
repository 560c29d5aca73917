/** The console, as far as log-in: at a real server, with the link that its first start prints. */
import { expect, test } from "./support/fixtures.ts";

const owner = { email: "dona@padaria.example", password: "oito pontes de pedra" };

test("the first start's link makes the owner, who logs out and in again, and ends another session", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const link = await server.firstLink();
  const { page } = await visit({ url: link });
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });

  await expect(page.getByRole("heading")).toHaveText(
    "Convite para proprietário(a) do projeto default",
  );
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Nome").fill("Dona da padaria");
  await page.getByLabel("Senha", { exact: true }).fill("1234567890");
  await page.getByRole("button", { name: "Criar conta" }).click();
  await expect(page.getByRole("alert")).toContainText("comum demais");
  await page.getByLabel("Senha", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Criar conta" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Olá, Dona da padaria");
  await expect(page.getByText("default proprietário(a)")).toBeVisible();
  expect(new URL(page.url()).hash).toBe("");

  await page.goto(link);
  await expect(page.getByRole("alert")).toContainText("já foi usado");
  await page.getByRole("link", { name: "Ir para a entrada" }).click();
  await page.getByRole("button", { name: "Sair" }).click();

  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Senha", { exact: true }).fill("nove pontes de pedra");
  await page.getByRole("button", { name: "Entrar" }).click();
  await expect(page.getByRole("alert")).toContainText("não conferem");
  await page.getByLabel("Mostrar a senha").check();
  await page.getByLabel("Senha", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Entrar" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Olá, Dona da padaria");
  await page.reload();
  await expect(page.getByText("(este navegador)")).toBeVisible();

  const elsewhere = await fetch(new URL("/v1/session", server.url), {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Origin: new URL(server.url).origin,
      "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    },
    body: JSON.stringify(owner),
  });
  const cookie = elsewhere.headers.getSetCookie().find((each) => each.includes("session")) ?? "";
  const isIn = async () => {
    const answer = await fetch(new URL("/v1/session", server.url), {
      headers: { Cookie: cookie.split(";")[0] ?? "" },
    });
    return answer.status;
  };
  expect(await isIn()).toBe(200);
  await page.reload();
  const end = page.getByRole("button", { name: "Encerrar a sessão em Firefox em Linux" });
  await end.click();
  await expect(end).toHaveCount(0);
  expect(await isIn()).toBe(401);
  // But for what the server refused, as it should, nothing was complained of: no script, no style, no CSP.
  expect(complaints.filter((text) => !/status of 40[014]/.test(text))).toEqual([]);
});
