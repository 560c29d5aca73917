/** Avisos, Rascunhos: what is written and not sent yet. */
import { openComposer, ours, title } from "../support/compose.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, lookAt, openConsole } from "../support/operator.ts";

test("an operator finds a draft below Avisos, goes on with it, removes it and takes that back", async ({
  serve,
  visit,
}) => {
  const { server, page, complaints } = await openComposer({ serve, visit });
  const tab = page.getByRole("link", { name: /^Rascunhos/ });
  await tab.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Rascunhos");
  await lookAt(page, "no-drafts");
  await page.getByRole("link", { name: "Escrever um aviso" }).click();
  const way = Promise.withResolvers<void>();
  await page.route("**/drafts/*", async (route) => {
    await way.promise;
    await route.continue();
  });
  await title(page).fill("Bolo de fubá");
  await tab.click();
  const items = page.getByRole("main").locator("li:has(h2)");
  await expect(items).toContainText("só neste navegador, ");
  // What was typed last is saved when the page is left already.
  way.resolve();
  await expect(items).toContainText("Dona da padaria, ");
  await page.goto(new URL("/painel/avisos", server.url).href);
  await expect(tab).toHaveAccessibleName("Rascunhos 1");
  await tab.click();
  await expect(tab).toHaveAttribute("aria-current", "page");
  await lookAt(page, "drafts");
  await page.getByRole("link", { name: "Bolo de fubá" }).click();
  await expect(title(page)).toHaveValue("Bolo de fubá");

  await tab.click();
  await page.getByRole("button", { name: "Apagar Bolo de fubá" }).click();
  await expect(items).toHaveCount(0);
  await expect(tab).toHaveAccessibleName("Rascunhos");
  await expect(page.getByRole("button", { name: "Desfazer" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(items).toContainText("Bolo de fubá");
  await expect(page.getByText("foi apagado")).toHaveCount(0);
  expect(ours(complaints)).toEqual([]);
});

test("a viewer sees no link to drafts, and reads which role they would need", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  await server.run("operators", "create", "chefe@padaria.example");
  const invitation = await server.run("operators", "invite", "--role", "viewer");
  const firstLink = async () => invitation.stdout.trim();
  const cookie = await enrolOwner({ url: server.url, firstLink });
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/avisos");
  await expect(
    page.getByRole("heading", { name: "Nenhum aviso foi enviado ainda." }),
  ).toBeVisible();
  await expect(page.getByRole("link", { name: /^Rascunhos/ })).toHaveCount(0);
  await page.goto(new URL("/painel/avisos/rascunhos", server.url).href);
  await expect(page.getByText("é preciso ser editor(a)")).toBeVisible();
  expect(complaints).toEqual([]);
});
