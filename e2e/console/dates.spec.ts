/** Days and times, as a Brazilian reads and types them in a browser that speaks English. */
import {
  api,
  dayField,
  openComposer,
  pick,
  saved,
  state,
  timeField,
  title,
  typeMoment,
  writtenDay,
} from "../support/compose.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, lookAt, openConsole } from "../support/operator.ts";

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs);
const calendarOf = "Calendário: ";

test("the calendar is opened, walked through and left by keyboard", async ({ serve, visit }) => {
  const { page, complaints } = await openComposer({ serve, visit }, { allows: false });
  await pick(page, "Quando", "Escolher…");
  await typeMoment(page, "amanhã", "8");
  await expect(dayField(page)).toHaveValue(writtenDay(inDays(1)));
  const button = page.getByRole("button", { name: `${calendarOf}Dia` });
  await button.press("Enter");
  const calendar = page.getByRole("grid");
  const chosen = calendar.getByRole("button", { name: /, selecionado$/ });
  await expect(chosen).toBeFocused();
  await expect(calendar.getByRole("button", { name: /^Hoje, / })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await expect(calendar).toHaveCount(0);
  await expect(button).toBeFocused();
  await expect(dayField(page)).toHaveValue(writtenDay(inDays(1)));

  await button.press("Enter");
  await expect(chosen).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(dayField(page)).toHaveValue(writtenDay(inDays(8)));
  await expect(timeField(page)).toHaveValue("08:00");
  await expect(button).toBeFocused();
  await button.press("Enter");
  await expect(chosen).toBeFocused();
  await lookAt(page, "compose-calendar");
  expect(complaints).toEqual([]);
});

test("what is no day or no time is said, and no moment from before is sent", async ({
  serve,
  visit,
}) => {
  const { page } = await openComposer({ serve, visit }, { readers: 1, allows: false });
  await title(page).fill("Pão quente");
  await pick(page, "Quando", "Escolher…");
  await typeMoment(page, writtenDay(inDays(3)), "18:30");
  await expect(state(page)).toHaveText(saved);
  await typeMoment(page, "31/02/2030", "25h");
  await expect(page.getByText(/^Escreva o dia assim: \d\d\/\d\d\/\d{4}$/)).toBeVisible();
  await expect(page.getByText("Escreva a hora assim: 09:00")).toBeVisible();
  await page.getByRole("button", { name: "Revisar e enviar" }).click();
  await expect(page.getByText("Corrija 1 campo.")).toBeVisible();
  await expect(dayField(page)).toBeFocused();
  await expect(dayField(page)).toHaveValue("31/02/2030");
  // The time of day that cannot be read stays to be mended, whatever becomes of the day.
  await dayField(page).fill(writtenDay(inDays(3)));
  await dayField(page).blur();
  await expect(timeField(page)).toHaveValue("25h");
  await expect(page.getByText("Escreva a hora assim: 09:00")).toBeVisible();
  await timeField(page).fill("18h30");
  await expect(page.getByText("Corrija 1 campo.")).toHaveCount(0);
  await page.getByRole("button", { name: "Revisar e enviar" }).click();
  await expect(page.getByRole("dialog", { name: "Revisar" })).toContainText(", 18:30 (");
});

test("notices and the audit are filtered by days that are typed or chosen", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  await api(server, cookie, "projects/default/messages", {
    method: "POST",
    body: JSON.stringify({ target: { kind: "all" }, notification: { title: "Fornada" } }),
  });
  const { page } = await openConsole({ server, visit }, cookie, "/avisos");
  const from = page.getByLabel("De", { exact: true });
  const until = page.getByLabel("Até", { exact: true });
  const notice = page.getByRole("link", { name: "Fornada" });
  await from.fill("hoje");
  await from.press("Enter");
  await expect(from).toHaveValue(writtenDay(new Date()));
  await expect(page).toHaveURL(/[?&]de=\d{4}-\d\d-\d\d/);
  await expect(notice).toBeVisible();
  await until.fill("31/02");
  await until.blur();
  await expect(page.getByText("Escreva o dia assim:")).toBeVisible();
  await expect(notice).toBeVisible();
  await page.getByRole("button", { name: "Limpar filtros" }).click();
  await expect(from).toHaveValue("");
  await expect(until).toHaveValue("");
  await expect(page.getByText("Escreva o dia assim:")).toHaveCount(0);

  await until.fill("ontem");
  await until.press("Enter");
  await expect(page.getByRole("heading", { name: "Nenhum aviso encontrado" })).toBeVisible();
  await page.goto(new URL("/painel/ajustes/auditoria", server.url).href);
  const lines = page.getByRole("region", { name: "Ações registradas" }).getByRole("listitem");
  const published = lines.filter({ hasText: "Aviso publicado" });
  await expect(published).toHaveCount(1);
  await page.getByRole("button", { name: `${calendarOf}De` }).click();
  await page.getByRole("button", { name: /^Hoje, / }).click();
  await expect(from).toHaveValue(writtenDay(new Date()));
  await expect(page).toHaveURL(/[?&]de=\d{4}-\d\d-\d\d/);
  await expect(published).toHaveCount(1);
  await until.fill(writtenDay(inDays(-1)));
  await expect(published).toHaveCount(0);
});

test("every moment is in Portuguese, and its tooltip has the seconds and the zone", async ({
  serve,
  visit,
}) => {
  const { server, cookie, page } = await openComposer({ serve, visit }, { readers: 1 });
  for (const notification of [{ title: "Fornada" }, { title: "Bolo" }]) {
    await api(server, cookie, "projects/default/messages", {
      method: "POST",
      body: JSON.stringify({
        target: { kind: "all" },
        notification,
        ...(notification.title === "Bolo" ? { scheduleAt: inDays(40).toISOString() } : {}),
      }),
    });
  }
  expect(await page.evaluate(() => navigator.language)).toBe("en-US");
  const english =
    /\b[AP]M\b|\d{1,2}\/\d{1,2}\/\d{2,4}|\b(?:Jan|Feb|Apr|May|Aug|Sep|Oct|Dec)[a-z]* \d|yesterday|tomorrow| ago\b/;
  const paths = ["", "avisos", "publico", "ajustes/projeto", "ajustes/conta", "ajustes/auditoria"];
  for (const path of paths) {
    await page.goto(new URL(`/painel/${path}`, server.url).href);
    const times = page.locator("main time");
    await expect(times.first()).toBeVisible();
    const titles = await times.evaluateAll((all) => all.map((each) => each.getAttribute("title")));
    for (const each of titles)
      expect(each).toMatch(/^\d{1,2} de \p{L}{3}\. de \d{4}, \d\d:\d\d:\d\d \S+$/u);
    expect(await page.locator("main").innerText()).not.toMatch(english);
  }
});
