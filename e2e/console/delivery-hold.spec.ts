/** Ajustes, Envio: what waits while delivery is held, and how an operator resumes it and holds it again. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Page } from "@playwright/test";
import { tokenOf } from "../support/bell.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, enrolViewer, lookAt, openConsole } from "../support/operator.ts";
import type { SinetaServer } from "../support/server.ts";
import { violationsOn } from "../support/violations.ts";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const group = (page: Page, name: string) => page.getByRole("region", { name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const anyway = (page: Page, title: string) =>
  page.getByRole("checkbox", { name: `Enviar mesmo assim: ${title}` });

async function publish(server: SinetaServer, title: string, ...flags: string[]): Promise<void> {
  const words = ["--title", title, "--body", "Já no balcão", "--no-wait", ...flags];
  expect(await server.run("send", ...words)).toMatchObject({ status: 0 });
}

/** As if the message had been published a day ago. */
function age(server: SinetaServer, title: string): void {
  const database = new DatabaseSync(join(server.data, "sineta.db"), { timeout: 10_000 });
  database
    .prepare(`update messages set created_at_ms = created_at_ms - 86400000,
      scheduled_at_ms = scheduled_at_ms - 86400000 where json_extract(notification, '$.title') = ?`)
    .run(title);
  database.close();
}

/** Makes the server take its data for a copy, and publishes a message of each fate. */
async function holdWithMessages(server: SinetaServer): Promise<void> {
  await server.run("hold");
  for (const title of ["Pão", "Broa", "Rosca"]) await publish(server, title);
  await publish(server, "Pão de ontem", "--ttl", "1h");
  age(server, "Pão de ontem");
  await publish(server, "Ceia", "--at", new Date(Date.now() + 86_400_000).toISOString());
  await server.run("hold", "--copy");
  await publish(server, "Bolo");
  await publish(server, "Bolo de ontem", "--ttl", "1h");
  age(server, "Bolo de ontem");
}

test("an operator reads what waits, keeps a message, resumes delivery and holds it again", async ({
  lab,
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const reader = await visit({ url: server.url });
  await tokenOf(reader);
  // The lab serves other tests, too: the newest subscription need not be this one.
  const endpoint = await reader.page.evaluate(async (scope) => {
    const registration = await navigator.serviceWorker.getRegistration(scope);
    return (await registration?.pushManager.getSubscription())?.endpoint;
  }, "/sineta-push-scope/");
  await holdWithMessages(server);
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/", {
    allows: false,
  });
  const resuming = page.getByRole("dialog", { name: "Retomar o envio?" });
  const holding = page.getByRole("dialog", { name: "Parar o envio?" });
  await expect(page.getByText("A pasta de dados é uma cópia")).toBeVisible();
  await page.getByRole("link", { name: "Abrir Envio" }).click();
  await expect(heading(page)).toHaveText("Envio");
  await expect(group(page, "Serão cancelados").getByRole("link")).toHaveText([
    "Pão de ontem",
    "Pão",
    "Broa",
    "Rosca",
  ]);
  await expect(group(page, "Saem ao retomar").getByRole("link")).toHaveText(["Bolo"]);
  await expect(group(page, "Saem mais tarde").getByRole("link")).toHaveText(["Ceia"]);
  await expect(group(page, "Não saem mais").getByRole("link")).toHaveText(["Bolo de ontem"]);
  // Its validity is over.
  await expect(anyway(page, "Pão de ontem")).toHaveCount(0);

  await page.getByRole("link", { name: "Broa" }).click();
  await expect(page.getByText("este aviso será cancelado")).toBeVisible();
  await expect(page.getByRole("status").first()).toHaveText("Envio parado");
  await page.getByRole("link", { name: "Abrir Envio" }).click();

  await page.getByRole("checkbox", { name: "Enviar todos mesmo assim" }).check();
  await anyway(page, "Broa").uncheck();
  await anyway(page, "Rosca").uncheck();
  await expect(anyway(page, "Pão")).toBeChecked();
  await lookAt(page, "delivery-held");
  await button(page, "Retomar o envio").click();
  await expect(resuming.getByRole("listitem")).toHaveText([
    "3 avisos são cancelados de vez.",
    "2 avisos começam a sair agora.",
    "1 aviso sai no seu horário.",
    "1 aviso não sai: a validade terminou.",
  ]);
  expect(await violationsOn(page)).toEqual([]);
  await resuming.getByRole("button", { name: "Retomar o envio" }).click();
  await expect(page.getByRole("status")).toHaveText(
    "O envio foi retomado. 3 avisos foram cancelados.",
  );
  await expect(button(page, "Parar o envio")).toBeFocused();
  await expect(group(page, "Envio ativo")).toBeVisible();
  await expect
    .poll(async () => (await reader.notifications()).map(({ title }) => title).toSorted())
    .toEqual(["Bolo", "Pão"]);

  await page.keyboard.press("Enter");
  await holding.getByRole("button", { name: "Deixar como está" }).click();
  await expect(holding).toBeHidden();
  await expect(page.getByRole("status")).toHaveText(
    "O envio foi retomado. 3 avisos foram cancelados.",
  );

  await button(page, "Parar o envio").click();
  await expect(page.getByText("O servidor inteiro para de enviar")).toBeVisible();
  await holding.getByRole("button", { name: "Parar o envio" }).click();
  await expect(page.getByRole("status")).toHaveText("O envio foi parado.");
  await expect(group(page, "Saem mais tarde").getByRole("link")).toHaveText(["Ceia"]);
  await expect(button(page, "Retomar o envio")).toBeFocused();

  // The page still shows the list of the hold before.
  await page.keyboard.press("Enter");
  await expect(resuming.getByRole("listitem")).toHaveText(["1 aviso sai no seu horário."]);
  await server.run("resume", "--yes");
  await server.run("hold");
  await publish(server, "Rosca nova");
  await resuming.getByRole("button", { name: "Retomar o envio" }).click();
  await expect(page.getByRole("status")).toContainText("O envio continua parado");
  await expect(group(page, "Saem ao retomar").getByRole("link")).toHaveText(["Rosca nova"]);
  expect(lab.pushes().filter((push) => push.endpoint === endpoint)).toHaveLength(2);

  // The command line resumes delivery while the page shows the list.
  await button(page, "Retomar o envio").click();
  await expect(resuming).toBeVisible();
  await server.run("resume", "--yes");
  const answer = Promise.withResolvers<void>();
  await page.route("**/delivery/resume", async (route) => {
    await answer.promise;
    await route.continue();
  });
  await resuming.getByRole("button", { name: "Retomar o envio" }).click();
  await resuming.getByRole("button", { name: "Deixar como está" }).click();
  await page.keyboard.press("Escape");
  await expect(resuming).toBeVisible();
  answer.resolve();
  await expect(page.getByRole("status")).toHaveText(
    "O envio já tinha sido retomado. Este pedido não mudou nada.",
  );
  await expect(group(page, "Envio ativo")).toBeVisible();
  // The browser tells of the refused resumes.
  const refused = expect.stringContaining("status of 409");
  expect(complaints).toEqual([refused, refused]);
});

test("a viewer reads what waits, and is offered nothing", async ({ serve, visit }) => {
  const server = await serve();
  const cookie = await enrolViewer(server);
  await holdWithMessages(server);
  const { page } = await openConsole({ server, visit }, cookie, "/ajustes/envio", {
    allows: false,
  });
  await expect(group(page, "Serão cancelados").getByRole("link")).toHaveCount(4);
  await expect(page.getByText("é preciso ter o papel")).toBeVisible();
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
});
