/** The whole of it: an operator writes a notice, looks at it, sends it and follows it, while another's browser gets it through the lab. */
import { tokenOf } from "../support/bell.ts";
import { saved, state } from "../support/compose.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, openConsole } from "../support/operator.ts";

test("what is written in the console arrives in two visitors' browsers, and their clicks come back", async ({
  serve,
  visit,
  desktop,
}) => {
  const server = await serve();
  const visitor = await visit({ url: server.url, desktop });
  await tokenOf(visitor);
  const neighbour = await visit({ url: server.url });
  await tokenOf(neighbour);
  const cookie = await enrolOwner(server);
  // A console that is allowed notifications registers its own browser, which would be counted.
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/", { allows: false });

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Início");
  await page.getByRole("link", { name: "Novo aviso" }).click();
  await page.getByLabel("Título", { exact: true }).fill("Fornada das seis");
  await page.getByLabel("Texto", { exact: true }).fill("O pão saiu do forno.");
  await page.getByLabel("Link", { exact: true }).fill("/?aviso=pao");
  await expect(page.getByRole("figure").first()).toContainText("Fornada das seis");
  await expect(state(page)).toHaveText(saved);
  await page.getByRole("button", { name: "Revisar e enviar" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Enviar a 2 navegadores" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fornada das seis");
  const shown = await desktop.notification("Fornada das seis");
  await expect(neighbour.page.getByRole("listitem").first()).toContainText("Fornada das seis");
  await expect(page.getByRole("status").first()).toHaveText(/^Concluído em \d/);

  desktop.click(shown);
  const figures = page.getByRole("region", { name: "O que aconteceu" });
  await expect(figures).toContainText("100% dos 2 inscritos");
  await expect(async () => {
    await page.reload();
    await expect(figures).toContainText(/Exibidos\s*2/, { timeout: 2_000 });
    await expect(figures).toContainText(/Clicados\s*1/, { timeout: 2_000 });
  }).toPass();

  await page.getByRole("navigation").getByRole("link", { name: "Avisos", exact: true }).click();
  await expect(page.getByRole("article").first()).toContainText("Fornada das seis");
  expect(complaints.filter((text) => !/status of 40[014]/.test(text))).toEqual([]);
});
