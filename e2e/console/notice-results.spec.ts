/** The result of a notice: each step as a share of the step before, in the list and on its page, and how it grew. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Page } from "@playwright/test";
import { publishedSchema } from "@sineta/protocol";
import { api, type Cookie } from "../support/compose.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, lookAt, openConsole } from "../support/operator.ts";
import type { SinetaServer } from "../support/server.ts";

const hourMs = 3_600_000;

type Hour = { accepted?: number; displayed?: number; clicked?: number; closed?: number };

type Figures = {
  agoMs: number;
  tookMs: number;
  hours: readonly Hour[];
  /** An operator cancelled the notice while so many were still to be sent. */
  unsent?: number;
};

/**
 * Publishes a notice to an empty audience. Then it writes the figures into the database, as if the notice had gone out in the first
 * of the hours.
 */
async function withFigures(
  server: SinetaServer,
  cookie: Cookie,
  title: string,
  { agoMs, tookMs, hours, unsent = 0 }: Figures,
): Promise<string> {
  const answer = await api(server, cookie, "projects/default/messages", {
    method: "POST",
    body: JSON.stringify({ target: { kind: "all" }, notification: { title, link: "/pedidos" } }),
  });
  const { id } = publishedSchema.parse(await answer.json());
  await expect
    .poll(async () => (await api(server, cookie, `projects/default/messages/${id}`)).json())
    .toMatchObject({ state: "done" });
  const startMs = Date.now() - agoMs;
  const sum = (name: keyof Hour) => hours.reduce((all, hour) => all + (hour[name] ?? 0), 0);
  const database = new DatabaseSync(join(server.data, "sineta.db"), { timeout: 10_000 });
  database
    .prepare(
      `update messages set started_at_ms = ?1, ended_at_ms = ?2, planned_count = ?3 + ?7, accepted = ?3, displayed = ?4,
        clicked = ?5, closed = ?6, state = iif(?7 > 0, 'cancelled', state) where id = ?8`,
    )
    .run(
      startMs,
      startMs + tookMs,
      sum("accepted"),
      sum("displayed"),
      sum("clicked"),
      sum("closed"),
      unsent,
      id,
    );
  const insert = database.prepare("insert into message_hours values (?, ?, ?, ?, ?, ?)");
  for (const [index, { accepted, displayed, clicked, closed }] of hours.entries()) {
    const atMs = startMs - (startMs % hourMs) + index * hourMs;
    insert.run(id, atMs, accepted ?? 0, displayed ?? 0, clicked ?? 0, closed ?? 0);
  }
  database.close();
  return id;
}

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const status = (page: Page) => page.getByRole("status").first();

test("clicks are a share of what was displayed, in the list and on the page, and of few displays there is none", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const few = await withFigures(server, cookie, "Pão de ontem", {
    agoMs: hourMs,
    tookMs: 412,
    hours: [{ accepted: 12, displayed: 9, clicked: 3 }],
  });
  const many = await withFigures(server, cookie, "Seu pedido saiu", {
    agoMs: 3 * hourMs,
    tookMs: 41_000,
    hours: [
      { accepted: 200, displayed: 100, clicked: 60 },
      {},
      { displayed: 47, clicked: 36, closed: 5 },
    ],
  });
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/avisos");
  const figures = page.getByRole("article").locator("dl > div");
  await expect(figures).toHaveText([
    "Aceitos200100%",
    "Exibidos14774%",
    "Clicados9665%",
    "Aceitos12100%",
    "Exibidos975%",
    "Clicados3",
  ]);

  await page.goto(new URL(`/painel/avisos/${many}`, server.url).href);
  await expect(status(page)).toHaveText("Concluído em 41 s");
  const steps = region(page, "O que aconteceu").locator("dl > div");
  await expect(steps).toHaveText([
    "Aceitos200100% dos 200 inscritos",
    "Exibidos14773,5% dos aceitos",
    "Clicados9665,3% de quem viu",
  ]);
  await expect(region(page, "O que aconteceu")).toContainText("Fechados sem clique: 5");
  await page.setViewportSize({ width: 1_366, height: 768 });
  await expect(region(page, "O que aconteceu")).toBeInViewport({ ratio: 1 });
  await expect(region(page, "Linha do tempo")).toBeInViewport({ ratio: 1 });

  // The total is reached at the end of the first of three hours, and stays. The chart is 144 px high.
  const overTime = region(page, "Linha do tempo");
  const total = "M0,144L1,0L2,0L3,0L3,144L2,144L1,144L0,144Z";
  await expect(overTime.locator("path").first()).toHaveAttribute("d", total);
  // The hour under the pointer says what had happened by its end.
  const picture = overTime.locator("svg").nth(1);
  const box = await picture.boundingBox();
  if (box === null) throw new Error("the chart has no picture");
  await page.mouse.move(box.x + box.width * 0.3, box.y + 40);
  await expect(overTime).toContainText(
    /até (hoje|ontem), \d\d:\d\dAceitos 200Exibidos 100Clicados 60/,
  );
  await overTime.getByText("Ver como tabela").click();
  const rows = overTime.getByRole("row");
  await expect(rows.nth(1).getByRole("cell")).toHaveText(["200", "100", "60", "0"]);
  await expect(rows.nth(2).getByRole("cell")).toHaveText(["200", "147", "96", "5"]);
  await expect(rows).toHaveCount(3);
  await lookAt(page, "notice-result");

  await page.goto(new URL(`/painel/avisos/${few}`, server.url).href);
  await expect(status(page)).toHaveText("Concluído em 0,4 s");
  await expect(steps.last()).toHaveText("Clicados3de 9 que viram");
  expect(complaints).toEqual([]);
});

test("a notice that was cancelled halfway says to how many it did not go", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const hours = [{ accepted: 400, displayed: 100, clicked: 20 }];
  const halfway = { agoMs: hourMs, tookMs: 2_000, hours, unsent: 600 };
  const id = await withFigures(server, cookie, "Fornada errada", halfway);
  const { page } = await openConsole({ server, visit }, cookie, `/avisos/${id}`);
  await expect(status(page)).toHaveText(/^Cancelado (hoje|ontem), \d/);
  await expect(region(page, "O que aconteceu")).toContainText("40% dos 1.000 inscritos");
  await expect(region(page, "Quem não recebeu")).toContainText(
    "Não chegou a ser enviado600nada a fazer",
  );
});

test("a notice that waits for held delivery reads as held: in the list, on its page and on Início", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  await server.run("hold");
  const published = await api(server, cookie, "projects/default/messages", {
    method: "POST",
    body: JSON.stringify({ target: { kind: "all" }, notification: { title: "Broa" } }),
  });
  expect(published.status).toBe(202);
  const { page } = await openConsole({ server, visit }, cookie, "/avisos");
  const item = page.getByRole("article");
  await expect(item).toContainText("Envio parado");
  await item.getByRole("link", { name: "Broa" }).click();
  await expect(status(page)).toHaveText("Envio parado");
  await expect(region(page, "Conteúdo")).toBeVisible();
  await page.getByRole("button", { name: "Cancelar aviso" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("ninguém vai receber");
  await dialog.getByRole("button", { name: "Deixar como está" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("navigation").getByRole("link", { name: "Início" }).click();
  await expect(region(page, "Último aviso")).toContainText("Envio parado");

  await server.run("resume", "--yes");
  await page.getByRole("navigation").getByRole("link", { name: "Avisos", exact: true }).click();
  await expect(item).toContainText("Concluído", { timeout: 30_000 });
});
