/** Novo aviso: when it is to go out, and what an operator reads once more before it does. */
import type { Page } from "@playwright/test";
import { dryRunSchema, messageStatusSchema } from "@sineta/protocol";
import {
  api,
  dayField,
  openComposer,
  pick,
  reach,
  saved,
  state,
  timeField,
  title,
  typeMoment,
  writtenDay,
} from "../support/compose.ts";
import { expect, test } from "../support/fixtures.ts";
import { lookAt } from "../support/operator.ts";

const send = (page: Page) => page.getByRole("button", { name: "Revisar e enviar" });
const review = (page: Page) => page.getByRole("dialog", { name: "Revisar" });
/** What stands beside a name in the list of facts. */
const fact = (page: Page, name: string) => review(page).locator(`dt:text-is("${name}") + dd`);

/** In this process's zone, which is the browser's, too. */
function tomorrowAtNine(): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9);
}

test("one click schedules for tomorrow at nine; the review has links, the end and who is left out", async ({
  serve,
  visit,
}) => {
  const { server, cookie, page } = await openComposer(
    { serve, visit },
    { readers: 2, allows: false },
  );
  // One of the two is made with a key that the project lacks, as the server would say it.
  await page.route("**/v1/projects/default/messages", async (route) => {
    const answer = await route.fetch();
    const counted = dryRunSchema.safeParse(await answer.json());
    if (!counted.success) return route.fulfill({ response: answer });
    const refused = [{ reason: "vapid-key-unknown", detail: "-", registrations: 1 }];
    const [first, ...others] = counted.data.byPushService;
    return route.fulfill({
      response: answer,
      json: { ...counted.data, byPushService: [{ ...first, refused }, ...others] },
    });
  });
  // The page has counted already, before its requests were changed.
  await page.reload();
  await title(page).fill("Pão quente");
  await page.getByLabel("Link", { exact: true }).fill("/pao");
  for (const [words, link] of [
    ["Reservar", "/reserva"],
    ["Ver", ""],
  ] as const) {
    await page.getByRole("button", { name: "Adicionar botão" }).click();
    await page.getByLabel("Texto do botão").last().fill(words);
    await page.getByLabel("Link do botão").last().fill(link);
  }
  const mornings = [tomorrowAtNine()];
  await pick(page, "Quando", "Amanhã, 9h");
  // The test may run over midnight.
  mornings.push(tomorrowAtNine());
  const when = page.getByRole("region", { name: "Quando" });
  await expect(when).toContainText(/ 09:00 \(.+\)/);
  await expect(dayField(page)).toHaveCount(0);
  await expect(reach(page)).toHaveText("1 vai receber");
  await expect(page.getByText("1 não pode receber.")).toBeVisible();
  await expect(state(page)).toHaveText(saved);
  await page.reload();
  await expect(page.getByRole("radio", { name: "Amanhã, 9h" })).toBeChecked();

  await send(page).click();
  await expect(fact(page, "Para")).toHaveText("Todos");
  await expect(fact(page, "Quando")).toHaveText(/^amanhã, 9h \(.+\), no seu fuso$/);
  await expect(fact(page, "Vale até")).toHaveText(/, 9h \(2 dias\)$/);
  await expect(fact(page, "Link")).toHaveText("/pao");
  await expect(fact(page, "Reservar")).toHaveText("/reserva");
  await expect(fact(page, "Ver")).toHaveText("/pao");
  await expect(fact(page, "Recebem")).toHaveText("1 navegadorChrome e outros (Google)1");
  await expect(fact(page, "Ficam de fora")).toHaveText(
    "1 navegador: registrados com uma chave que não existe mais",
  );
  await lookAt(page, "compose-scheduled-look");
  await review(page).getByRole("button", { name: "Agendar para 1 navegador" }).click();
  await expect(page).toHaveURL(/\/avisos\/[\w-]{36}$/);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const answer = await api(server, cookie, `projects/default/messages/${id}`);
  const message = messageStatusSchema.parse(await answer.json());
  expect(mornings).toContainEqual(new Date(message.scheduleAt));
  expect(message.ttlSeconds).toBe(172_800);
  await expect(page.getByRole("main").getByRole("figure")).toContainText(new URL(server.url).host);
  await page.getByText("Detalhes técnicos").click();
  await expect(page.getByText("2 dias", { exact: true })).toBeVisible();
});

test("a moment that an operator chose, also in each person's own zone, stays while they compare", async ({
  serve,
  visit,
}) => {
  const { page } = await openComposer({ serve, visit });
  await title(page).fill("Pão quente");
  await pick(page, "Quando", "Escolher…");
  const [day, time] = [dayField(page), timeField(page)];
  await expect(day).toBeVisible();
  await send(page).click();
  await expect(day).toBeFocused();
  await expect(page.getByText("Preencha este campo.")).toBeVisible();
  const soon = writtenDay(new Date(Date.now() + 30 * 86_400_000));
  await typeMoment(page, soon, "18h30");
  const local = page.getByRole("switch", { name: "No horário de cada pessoa" });
  await local.check();
  for (const other of ["Agora", "Amanhã, 9h"]) {
    await pick(page, "Quando", other);
    await expect(day).toHaveCount(0);
    await pick(page, "Quando", "Escolher…");
    await expect(day).toHaveValue(soon);
    await expect(time).toHaveValue("18:30");
    await expect(local).toBeChecked();
  }
  await expect(state(page)).toHaveText(saved);
  await page.reload();
  await expect(local).toBeChecked();
  // The field stays when the moment becomes that of the choice beside it.
  await local.uncheck();
  await typeMoment(page, writtenDay(tomorrowAtNine()), "9");
  await expect(time).toHaveValue("09:00");
  await typeMoment(page, soon, "18:30");
  await local.check();
  await expect(page.getByText("Cada navegador recebe quando for esta hora")).toBeVisible();
  await lookAt(page, "compose-moment");
  await send(page).click();
  await expect(fact(page, "Quando")).toContainText("18:30, no horário de cada pessoa");
  await expect(fact(page, "Vale até")).toHaveText("2 dias depois do horário de cada pessoa");
  await expect(fact(page, "Link")).toHaveText("página inicial do site");
  await expect(fact(page, "Ficam de fora")).toHaveText("ninguém");
});

test("delivery is a sentence until an operator changes it, and then names each change", async ({
  serve,
  visit,
}) => {
  const { page } = await openComposer({ serve, visit });
  const delivery = page.getByRole("region", { name: "Entrega" });
  await expect(page.getByRole("combobox", { name: "Validade" })).toHaveCount(0);
  await page.getByRole("button", { name: "Mudar" }).click();
  await page.getByRole("combobox", { name: "Validade" }).click();
  await expect(page.getByRole("option")).toHaveText([
    "Só quem está com o navegador aberto agora",
    "1 hora",
    "1 dia",
    "2 dias",
    "7 dias",
    "28 dias, o máximo",
    "Outro tempo",
  ]);
  await page.getByRole("option", { name: "28 dias" }).click();
  await delivery.getByRole("switch", { name: "Sem som e sem vibração" }).check();
  await delivery.getByLabel("Etiqueta", { exact: true }).fill("fornada");
  await lookAt(page, "compose-delivery");
  await page.getByRole("button", { name: "Recolher" }).click();
  await expect(delivery).toContainText(
    "validade de 28 dias, urgência normal, sem som e sem vibração, etiqueta fornada",
  );
  await expect(page.getByRole("combobox", { name: "Validade" })).toHaveCount(0);
});
