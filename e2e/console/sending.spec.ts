/** Novo aviso: what is pressed, chosen and read on the way to sending, as somebody does who is here for the first time. */
import type { Page } from "@playwright/test";
import { openComposer, pick, reach, title, typeMoment } from "../support/compose.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, openConsole } from "../support/operator.ts";

const look = (page: Page) => page.getByRole("button", { name: "Revisar e enviar" });
const review = (page: Page) => page.getByRole("dialog", { name: "Revisar" });

/** Presses Enter as soon as it takes the option: the list shows an option first, and marks it a moment later. */
async function takeOnlyOption(page: Page): Promise<void> {
  const options = page.getByRole("option");
  await expect(options).toHaveCount(1);
  await expect(options).toHaveAttribute("data-combobox-selected", "true");
  // The marked option has the text's colour on a soft ground, also in the dark.
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
    const ink = await page.locator("body").evaluate((body) => getComputedStyle(body).color);
    await expect(options).toHaveCSS("color", ink);
    await expect(options).not.toHaveCSS("background-color", ink);
  }
  await page.keyboard.press("Enter");
}

test("what is sent without a connection is sent neither then nor later", async ({
  serve,
  visit,
}) => {
  // A console that is allowed notifications registers its own browser, which would be counted.
  const { server, cookie, page, context } = await openComposer(
    { serve, visit },
    { readers: 1, allows: false },
  );
  await title(page).fill("Pão de ontem");
  await expect(reach(page)).toHaveText("1 vai receber");
  await look(page).click();
  await expect(review(page).getByRole("button", { name: "Enviar a 1 navegador" })).toBeEnabled();
  await context.setOffline(true);
  await review(page).getByRole("button", { name: "Enviar a 1 navegador" }).click();
  await expect(review(page).getByText("Sem conexão: nada foi enviado.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(review(page)).toHaveCount(0);
  // Where it stood before: not at the top of the page.
  await expect(look(page)).toBeFocused();

  // What nobody could count has no number.
  await title(page).fill("Pão de hoje");
  await look(page).click();
  await expect(review(page).getByText("Sem conexão")).toBeVisible();
  await expect(review(page).getByRole("button", { name: "Enviar agora" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(review(page)).toHaveCount(0);

  await context.setOffline(false);
  await look(page).click();
  await review(page).getByRole("button", { name: "Enviar a 1 navegador" }).click();
  await expect(page).toHaveURL(/\/avisos\/[\w-]{36}$/);
  const answer = await fetch(new URL("/v1/projects/default/messages", server.url), {
    headers: { Cookie: `${cookie.name}=${cookie.value}` },
  });
  const { messages }: { messages: { title: string }[] } = await answer.json();
  expect(messages.map((message) => message.title)).toEqual(["Pão de hoje"]);
});

test("topics are chosen by typing; what is scheduled is looked at though nobody gets it yet", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  await server.run("topics", "add", "pao", "--open");
  await server.run("topics", "add", "rolo-1", "--display-name", "Bolo de rolo");
  const { page } = await openConsole({ server, visit }, cookie, "/avisos/novo", { allows: false });
  await title(page).fill("Fornada");
  await expect(reach(page)).toHaveText("Ninguém recebe isto agora.");

  await pick(page, "Para quem", "Tópicos");
  await expect(page.getByText("Escolha um tópico", { exact: true })).toBeVisible();
  await look(page).click();
  const field = page.getByRole("combobox", { name: "Tópicos" });
  await expect(field).toBeFocused();
  await expect(page.getByText("Preencha este campo.")).toBeVisible();
  await expect(page.getByRole("option")).toHaveCount(0);
  // Who knows the technical name finds it, too; everywhere else it is read by its name.
  await page.keyboard.type("rolo-1");
  await takeOnlyOption(page);
  await expect(field).toHaveValue("");
  await expect(reach(page)).toHaveText("Ninguém recebe isto agora.");
  await expect(page.getByText("Preencha este campo.")).toHaveCount(0);
  // To one topic that nobody is in, at once: there is nothing to look at.
  await expect(page.getByRole("button", { name: "Enviar agora" })).toBeVisible();

  await page.keyboard.press("Escape");
  await pick(page, "Quando", "Escolher…");
  await typeMoment(page, "amanhã", "12h");
  await look(page).click();
  await expect(review(page).getByText("Ninguém recebe isto agora.")).toBeVisible();
  await expect(review(page).getByText("Bolo de rolo", { exact: true })).toBeVisible();
  await review(page).getByRole("button", { name: "Agendar", exact: true }).click();
  const toBeSent = page.getByRole("region", { name: "Conteúdo" });
  await expect(toBeSent.getByText("Tópico Bolo de rolo")).toBeVisible();
  await expect(page.getByText("Até lá, você pode mudar o texto")).toBeVisible();
});

test("a written condition begins as the rules say, and what is wrong in it is told", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  await server.run("topics", "add", "pao", "--open");
  const { page } = await openConsole({ server, visit }, cookie, "/avisos/novo");
  // The operator types before the server answers with the topics.
  const topics = Promise.withResolvers<void>();
  await page.route("**/v1/projects/default/topics", async (route) => {
    await topics.promise;
    await route.continue();
  });
  await pick(page, "Para quem", "Mais…");
  await page.getByRole("combobox", { name: "Tópicos" }).fill("pao");
  await expect(page.getByText("Nenhum tópico")).toBeVisible();
  topics.resolve();
  await takeOnlyOption(page);
  await pick(page, "Outros públicos", "Expressão");
  const expression = page.getByRole("textbox", { name: "Expressão" });
  await expect(expression).toHaveValue("'pao' in topics");
  await expression.fill("'nada' in topics");
  await expect(page.getByText("Não há tópico com o nome “nada”.")).toBeVisible();
  await expression.fill("'pao' in topics &&");
  await expect(page.getByText("a partir do caractere 19")).toBeVisible();
});

test("the number of one audience never stands for another one", async ({ serve, visit }) => {
  const { page } = await openComposer({ serve, visit }, { readers: 1, allows: false });
  await expect(reach(page)).toHaveText("1 vai receber");
  const way = Promise.withResolvers<void>();
  await page.route("**/v1/projects/default/messages", async (route) => {
    await way.promise;
    await route.continue();
  });
  await pick(page, "Para quem", "Uma pessoa");
  await expect(page.getByText("Diga quem é a pessoa")).toBeVisible();
  const person = page.getByLabel("Identificação da pessoa");
  await person.fill("ana");
  await expect(reach(page)).toHaveCount(0);
  way.resolve();
  await expect(reach(page)).toHaveText("Ninguém recebe isto agora.");
  // An id that is there, but wrong, is not told to be missing.
  await person.fill("a".repeat(300));
  await expect(page.getByText("Está longo demais.")).toBeVisible();
  await expect(page.getByText("Diga quem é a pessoa")).toHaveCount(0);
});

test("a double click opens the review and leaves it open; nothing closes it while a notice is sent", async ({
  serve,
  visit,
}) => {
  const { page } = await openComposer({ serve, visit }, { allows: false });
  await title(page).fill("Pão quente");
  await expect(reach(page)).toBeVisible();
  // The second click of a double click meets what covers the button by then.
  const isCovered = await look(page).evaluate(async (button: HTMLElement) => {
    const { right, top } = button.getBoundingClientRect();
    const there = () => document.elementFromPoint(right - 9, top + 9);
    button.click();
    while (button.contains(there())) await new Promise(requestAnimationFrame);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const cover = there();
    if (cover instanceof HTMLElement) cover.click();
    return cover !== null;
  });
  expect(isCovered).toBe(true);
  const confirm = review(page).getByRole("button", { name: "Enviar agora" });
  await expect(confirm).toBeEnabled();
  await expect(review(page)).toBeVisible();

  const way = Promise.withResolvers<void>();
  await page.route("**/publish", async (route) => {
    await way.promise;
    await route.continue();
  });
  await confirm.click();
  await expect(review(page).getByRole("button", { name: "Voltar e editar" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(review(page)).toBeVisible();
  way.resolve();
  await expect(page).toHaveURL(/\/avisos\/[\w-]{36}$/);
});
