/** The first-run walk: from the first start's link to a notice that this browser displays, by way of the lab. */
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, lookAt, openConsole, owner } from "../support/operator.ts";

test("from the first link to the first notice, and back to it later", async ({
  desktop,
  serve,
  visit,
}) => {
  const server = await serve();
  const link = await server.firstLink();
  const visitor = await visit({ url: link, allows: false, desktop });
  const { page, context, complaints } = visitor;
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Nome").fill(owner.name);
  await page.getByLabel("Senha", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Criar conta" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Primeiros passos");
  const step = (number: number) =>
    page
      .getByRole("main")
      .getByRole("listitem")
      .nth(number - 1);
  await expect(step(1)).toContainText("Feito");
  await expect(step(2)).toHaveAttribute("aria-current", "step");
  await step(2).getByLabel("Nome do projeto").fill("Padaria da esquina");
  await step(2).getByRole("button", { name: "Salvar" }).click();
  await expect(step(2)).toContainText("Feito");

  await expect(step(3)).toHaveAttribute("aria-current", "step");
  const send = step(4).getByRole("button", { name: "Enviar para este navegador" });
  await expect(send).toBeDisabled();
  await context.grantPermissions(["notifications"], { origin: new URL(server.url).origin });
  await expect.poll(() => page.evaluate(() => Notification.permission)).toBe("granted");
  await step(3).getByRole("button", { name: "Ativar avisos aqui" }).click();
  await expect(step(3)).toContainText("Feito");
  await expect(step(3).getByRole("button", { name: "Desabilitar Notificações" })).toBeVisible();

  await step(4).getByLabel("Título").fill("\u200b");
  await expect(step(4)).toContainText("Preencha este campo.");
  await expect(send).toBeDisabled();
  await step(4).getByLabel("Título").fill("Olá, dona");
  await send.click();
  await expect(step(4)).toContainText("Feito");
  await desktop.notification("Olá, dona");
  await expect(step(5)).toContainText("O aviso chegou e foi exibido neste navegador.");
  await expect(page.getByRole("link", { name: "Pôr o sino no site" })).toBeVisible();
  await lookAt(page, "first-run-over");

  // Nothing is kept of the walk: what was done is seen again from what is there.
  await page.reload();
  await expect(step(5)).toContainText("Feito");
  await expect(step(2).getByLabel("Nome do projeto")).toHaveValue("Padaria da esquina");
  expect(complaints.filter((text) => !/status of 40[014]/.test(text))).toEqual([]);
});

// Apart from the walk: in a Chromium that has been given a password and then been looked at by axe, a subscription does not
// end, half of the time, and never gets to the push service. Either alone does it no harm.
test("the walk, as it is found by an owner who has just come", async ({ serve, visit }) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/comecar", {
    allows: false,
  });
  await expect(page.getByRole("button", { name: "Ativar avisos aqui" })).toBeEnabled();
  await expect(page.getByRole("button", { name: "Enviar para este navegador" })).toBeDisabled();
  await lookAt(page, "first-run");
  expect(complaints).toEqual([]);
});

test("a browser that denies is told so, and what to do; the walk is found again in the settings", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page } = await openConsole({ server, visit }, cookie, "/ajustes/projeto", {
    allows: false,
    before: () => {
      Object.defineProperty(Notification, "permission", { get: () => "denied" });
    },
  });
  await page.getByRole("link", { name: "Primeiros passos" }).click();
  await expect(page.getByText("estão bloqueados neste navegador")).toBeVisible();
  await expect(page.getByRole("button", { name: "Ativar avisos aqui" })).toBeDisabled();
});

test("a page that is not secure says so", async ({ serve, visit }) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page } = await openConsole({ server, visit }, cookie, "/comecar", {
    allows: false,
    before: () => {
      Object.defineProperty(globalThis, "isSecureContext", { get: () => false });
    },
  });
  await expect(page.getByText("foi aberta sem https")).toBeVisible();
  await expect(page.getByRole("button", { name: "Habilitar Notificações" })).toHaveCount(0);
});
