/** Avisos, Rascunhos: what is written and not sent yet. */
import { api, openComposer, ours, saved, state, title } from "../support/compose.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolViewer, lookAt, openConsole, owner } from "../support/operator.ts";

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
  // The last save finishes after the operator has left the page.
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

test("an operator removes a draft that only this browser has, and takes that back", async ({
  serve,
  visit,
}) => {
  const { page } = await openComposer({ serve, visit });
  await page.route("**/drafts/*", (route) => route.abort());
  await title(page).fill("Cuca de banana");
  await expect(state(page)).toContainText("neste navegador");
  await page.getByRole("link", { name: /^Rascunhos/ }).click();
  const items = page.getByRole("main").locator("li:has(h2)");
  await expect(items).toContainText("só neste navegador, ");
  await page.getByRole("button", { name: "Apagar Cuca de banana" }).click();
  await expect(items).toHaveCount(0);
  await page.getByRole("button", { name: "Desfazer" }).click();
  await expect(items).toContainText("Cuca de banana");
  await page.getByRole("button", { name: "Apagar Cuca de banana" }).click();
  await expect(page.getByRole("button", { name: "Desfazer" })).toBeFocused();
  await page.reload();
  await expect(page.getByText("Nenhum rascunho")).toBeVisible();
});

test("a server that does not answer hides no draft of this browser", async ({ serve, visit }) => {
  const { server, page } = await openComposer({ serve, visit });
  await page.route(/\/drafts(\/|$)/, (route) => route.abort());
  await title(page).fill("Cuca de banana");
  await expect(state(page)).toContainText("neste navegador");
  await page.goto(new URL("/painel/avisos/rascunhos", server.url).href);
  await expect(page.getByText("O servidor não respondeu")).toBeVisible();
  await page.getByRole("link", { name: "Cuca de banana" }).click();
  await expect(title(page)).toHaveValue("Cuca de banana");
});

test("a removal that fails is told, keeps the draft and leaves the focus on its button", async ({
  serve,
  visit,
}) => {
  const { page } = await openComposer({ serve, visit });
  await title(page).fill("Bolo de fubá");
  await expect(state(page)).toHaveText(saved);
  await page.getByRole("link", { name: /^Rascunhos/ }).click();
  const remove = page.getByRole("button", { name: "Apagar Bolo de fubá" });
  const undo = page.getByRole("button", { name: "Desfazer" });
  const problem = page.getByText("O servidor não respondeu");
  await page.route("**/drafts/*", (route) => route.abort());
  await remove.press("Enter");
  await expect(problem).toBeVisible();
  await expect(remove).toBeFocused();

  await page.unroute("**/drafts/*");
  await remove.press("Enter");
  await expect(undo).toBeFocused();
  await expect(problem).toHaveCount(0);
  await page.route("**/drafts/*", (route) => route.abort());
  await undo.press("Enter");
  await expect(problem).toBeVisible();
  await expect(undo).toBeFocused();
  await page.unroute("**/drafts/*");
  await undo.press("Enter");
  await expect(remove).toBeVisible();
  await expect(problem).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
});

test("while an undo goes on, no other draft is removed", async ({ serve, visit }) => {
  const { server, page } = await openComposer({ serve, visit });
  await title(page).fill("Bolo de fubá");
  await expect(state(page)).toHaveText(saved);
  await page.goto(new URL("/painel/avisos/novo", server.url).href);
  await title(page).fill("Cuca de banana");
  await expect(state(page)).toHaveText(saved);
  await page.getByRole("link", { name: /^Rascunhos/ }).click();
  await page.getByRole("button", { name: "Apagar Bolo de fubá" }).click();
  const undo = page.getByRole("button", { name: "Desfazer" });
  // The removal must reach the server before requests are held back.
  await expect(undo).toBeVisible();
  const way = Promise.withResolvers<void>();
  await page.route("**/drafts/*", async (route) => {
    await way.promise;
    await route.continue();
  });
  await undo.click();
  const other = page.getByRole("button", { name: "Apagar Cuca de banana" });
  await expect(other).toHaveAttribute("aria-disabled", "true");
  await other.dispatchEvent("click");
  way.resolve();
  await expect(page.getByRole("link", { name: "Bolo de fubá" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Cuca de banana" })).toBeVisible();
  await other.click();
  await expect(page.getByText("“Cuca de banana” foi apagado.")).toBeVisible();
});

test("a viewer sees no link to drafts, and reads which role they would need", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolViewer(server);
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/avisos");
  await expect(
    page.getByRole("heading", { name: "Nenhum aviso foi enviado ainda." }),
  ).toBeVisible();
  await expect(page.getByRole("link", { name: /^Rascunhos/ })).toHaveCount(0);
  await page.goto(new URL("/painel/avisos/rascunhos", server.url).href);
  await expect(page.getByText("é preciso ter o papel Editor")).toBeVisible();
  expect(complaints).toEqual([]);
});

test("a refusal of the session before asks for no second log-in", async ({ serve, visit }) => {
  const { server, cookie, page } = await openComposer({ serve, visit });
  await title(page).fill("Bolo de fubá");
  await expect(state(page)).toHaveText(saved);
  expect((await api(server, cookie, "session", { method: "DELETE" })).status).toBe(204);
  await title(page).fill("Bolo de cenoura");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  // The next attempt to save is refused, and the page learns so after the log-in.
  const refused = Promise.withResolvers<void>();
  const loggedIn = Promise.withResolvers<void>();
  await page.route("**/drafts/*", async (route) => {
    const response = await route.fetch();
    if (response.status() === 401) {
      refused.resolve();
      await loggedIn.promise;
    }
    await route.fulfill({ response });
  });
  await refused.promise;
  await dialog.getByLabel("E-mail").fill(owner.email);
  await dialog.getByLabel("Senha", { exact: true }).fill(owner.password);
  await dialog.getByRole("button", { name: "Entrar" }).click();
  await expect(dialog).toHaveCount(0);
  loggedIn.resolve();
  await expect(state(page)).toHaveText(saved);
  await expect(dialog).toHaveCount(0);
});
