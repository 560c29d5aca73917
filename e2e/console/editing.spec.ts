/** Changing a notice that is scheduled, and copying one. */
import type { Page } from "@playwright/test";
import {
  messageStatusSchema,
  publishedSchema,
  registrationListSchema,
  type MessageRequest,
} from "@sineta/protocol";
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
  writtenDay,
  writtenTime,
  type Cookie,
} from "../support/compose.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolViewer, lookAt, openConsole } from "../support/operator.ts";
import type { SinetaServer } from "../support/server.ts";

const dayMs = 86_400_000;
const later = (ms: number) => new Date(Date.now() + ms).toISOString();
const edit = (page: Page) => page.getByRole("link", { name: "Editar", exact: true });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const review = (page: Page) => page.getByRole("dialog", { name: "Revisar" });
const fact = (page: Page, name: string) =>
  page.locator(`dt:text-is("${name}") + dd`).filter({ visible: true });

type Opened = { server: SinetaServer; cookie: Cookie };

/** Publishes a notice that is due in two days. @returns its id */
async function schedule({ server, cookie }: Opened, over: Partial<MessageRequest> = {}) {
  const request: MessageRequest = {
    target: { kind: "all" },
    notification: { title: "Fornada", body: "Sai às três." },
    scheduleAt: later(2 * dayMs),
    ...over,
  };
  const body = JSON.stringify(request);
  const response = await api(server, cookie, "projects/default/messages", { method: "POST", body });
  return publishedSchema.parse(await response.json()).id;
}

async function status({ server, cookie }: Opened, id: string) {
  const response = await api(server, cookie, `projects/default/messages/${id}`);
  return messageStatusSchema.parse(await response.json());
}

async function tokensOf({ server, cookie }: Opened): Promise<string[]> {
  const response = await api(server, cookie, "projects/default/registrations");
  return registrationListSchema
    .parse(await response.json())
    .registrations.map(({ token }) => token);
}

/** Where the page of a notice says that it stands. */
async function idOf(page: Page): Promise<string> {
  await expect(page).toHaveURL(/\/avisos\/[\w-]{36}$/);
  return page.url().slice(-36);
}

const open = (page: Page, { server }: Opened, path: string) =>
  page.goto(new URL(`/painel${path}`, server.url).href);

type Fixtures = Parameters<typeof openComposer>[0];

/** The console with a scheduled notice, at a path that may name the notice. */
async function openScheduled(
  fixtures: Fixtures,
  pathOf: (id: string) => string,
  over: Partial<MessageRequest> = {},
) {
  const opened = await openComposer(fixtures, { allows: false });
  const id = await schedule(opened, over);
  await open(opened.page, opened, pathOf(id));
  return { opened, id, page: opened.page, server: opened.server };
}

/** A scheduled notice, opened to be changed. */
const openEdit = (fixtures: Fixtures, over?: Partial<MessageRequest>) =>
  openScheduled(fixtures, (id) => `/avisos/novo?editar=${id}`, over);

async function confirm(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Revisar e enviar" }).click();
  await review(page)
    .getByRole("button", { name: /^Agendar/ })
    .click();
}

test("an operator changes what a scheduled notice says, and when it goes", async ({
  serve,
  visit,
}) => {
  const opened = await openComposer({ serve, visit }, { readers: 1, allows: false });
  const { page } = opened;
  const id = await schedule(opened);
  await open(page, opened, `/avisos/${id}`);
  await expect(page.getByText("Até lá, você pode mudar o texto")).toBeVisible();
  await expect(page.getByRole("button", { name: "Exportar CSV" })).toHaveCount(0);
  await lookAt(page, "notice-scheduled");
  await edit(page).click();
  await expect(heading(page)).toHaveText("Editar aviso");
  await expect(page.getByText("Você está mudando um aviso agendado para")).toBeVisible();
  await expect(title(page)).toHaveValue("Fornada");
  const due = new Date((await status(opened, id)).scheduleAt);
  await expect(dayField(page)).toHaveValue(writtenDay(due));
  await expect(timeField(page)).toHaveValue(writtenTime(due));
  await lookAt(page, "compose-edit");
  await title(page).fill("Fornada das nove");
  await pick(page, "Quando", "Amanhã, 9h");
  await expect(reach(page)).toHaveText("1 vai receber");
  // It stays as it is until the operator confirms, also if they leave.
  await expect(state(page)).toHaveText(saved);
  await page.reload();
  await expect(heading(page)).toHaveText("Editar aviso");
  await expect(title(page)).toHaveValue("Fornada das nove");
  expect(await status(opened, id)).toMatchObject({ state: "scheduled" });
  await open(page, opened, "/avisos/rascunhos");
  await expect(page.getByText("Muda um aviso agendado")).toBeVisible();
  await open(page, opened, `/avisos/${id}`);
  await page.getByRole("link", { name: "Continuar edição" }).click();
  await expect(title(page)).toHaveValue("Fornada das nove");

  await page.getByRole("button", { name: "Revisar e enviar" }).click();
  await expect(fact(page, "No lugar de")).toHaveText(/^“Fornada”, /);
  await lookAt(page, "compose-edit-review");
  await review(page).getByRole("button", { name: "Agendar para 1 navegador" }).click();
  await expect(heading(page)).toHaveText("Fornada das nove");
  const next = await idOf(page);
  expect(await status(opened, next)).toMatchObject({ state: "scheduled", replaces: id });
  expect(await status(opened, id)).toMatchObject({ state: "cancelled", replacedBy: next });

  await page.getByRole("link", { name: "um aviso agendado" }).click();
  await expect(page.getByText(/^Substituído /)).toBeVisible();
  await expect(edit(page)).toHaveCount(0);
  await lookAt(page, "notice-replaced");
  await page.getByRole("link", { name: "Ver o aviso que entrou no lugar" }).click();
  await expect(heading(page)).toHaveText("Fornada das nove");
  await open(page, opened, "/avisos");
  await expect(page.getByText("Substituído", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Ações de Fornada das nove" }).click();
  await page.getByRole("menuitem", { name: "Editar" }).click();
  await expect(page).toHaveURL(new RegExp(`editar=${next}$`));
});

test("a change that comes too late is told, and may become a notice of its own", async ({
  serve,
  visit,
}) => {
  const { opened, id, page, server } = await openEdit({ serve, visit });
  await title(page).fill("Meu título");
  await expect(state(page)).toHaveText(saved);
  const sendButton = page.getByRole("button", { name: "Revisar e enviar" });
  await sendButton.click();
  const confirmation = review(page).getByRole("button", { name: /^Agendar/ });
  await expect(confirmation).toBeEnabled();
  await server.run("messages", "move", id, "--at", later(3 * dayMs));
  await confirmation.click();
  // The dialog says the same until it has gone.
  await expect(review(page)).toHaveCount(0);
  const tooLate = page.getByRole("alert").filter({ hasText: "já foi substituído por outro" });
  await expect(tooLate).toBeVisible();
  await expect(tooLate).toBeFocused();
  await lookAt(page, "compose-edit-too-late");
  await sendButton.click();
  await expect(
    review(page).getByText("O aviso agendado já foi substituído por outro."),
  ).toBeVisible();
  await expect(confirmation).toBeDisabled();
  await review(page).getByRole("button", { name: "Voltar e editar" }).click();
  await expect(
    tooLate.getByRole("link", { name: "Ver o aviso que entrou no lugar" }),
  ).toBeVisible();
  await tooLate.getByRole("button", { name: "Continuar como novo aviso" }).click();
  await expect(heading(page)).toHaveText("Novo aviso");
  await confirm(page);
  await expect(heading(page)).toHaveText("Meu título");
  expect(await status(opened, await idOf(page))).not.toHaveProperty("replaces");
});

for (const [what, words, happens] of [
  ["was cancelled", "foi cancelado", (id: string) => ["messages", "cancel", id, "--yes"]],
  ["has begun", "já começou a sair", () => ["status"]],
] as const) {
  test(`a notice that ${what} is not opened to be changed as if it waited`, async ({
    serve,
    visit,
  }) => {
    const opened = await openComposer({ serve, visit }, { readers: 1, allows: false });
    const { page, server } = opened;
    const isSent = what === "has begun";
    const id = await schedule(opened, isSent ? { scheduleAt: later(0) } : {});
    await server.run(...happens(id));
    await open(page, opened, `/avisos/novo?editar=${id}`);
    await expect(page.getByRole("alert").filter({ hasText: words })).toBeVisible();
    await expect(page.getByRole("link", { name: "Ver o aviso" })).toHaveAttribute(
      "href",
      `/painel/avisos/${id}`,
    );
  });
}

test("a notice for one person is read once more before another takes its place", async ({
  serve,
  visit,
}) => {
  const target = { kind: "user", userId: "42" } as const;
  const { opened, id, page } = await openEdit({ serve, visit }, { target });
  await pick(page, "Quando", "Agora");
  await page.getByRole("button", { name: "Revisar e enviar" }).click();
  await expect(fact(page, "No lugar de")).toHaveText(/^“Fornada”, /);
  expect(await status(opened, id)).toMatchObject({ state: "scheduled" });
});

test("while delivery is held, a notice that is due can be changed", async ({ serve, visit }) => {
  const opened = await openComposer({ serve, visit }, { readers: 1, allows: false });
  const { page, server } = opened;
  await server.run("hold");
  const id = await schedule(opened, { scheduleAt: later(0) });
  await open(page, opened, `/avisos/${id}`);
  await expect(page.getByText("Envio parado").first()).toBeVisible();
  await edit(page).click();
  await expect(page.getByText("Você está mudando um aviso agendado para")).toBeVisible();
  await title(page).fill("Fornada certa");
  await pick(page, "Quando", "Amanhã, 9h");
  await confirm(page);
  await expect(heading(page)).toHaveText("Fornada certa");
  expect(await status(opened, id)).toMatchObject({ replacedBy: await idOf(page) });
});

test("a dialog that would cancel a notice says that another took its place meanwhile", async ({
  serve,
  visit,
}) => {
  const { opened, id, page, server } = await openScheduled({ serve, visit }, () => "/avisos");
  await page.getByRole("button", { name: "Ações de Fornada" }).click();
  await page.getByRole("menuitem", { name: "Cancelar aviso" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("ainda não começou a sair")).toBeVisible();
  await server.run("messages", "move", id, "--at", later(3 * dayMs));
  await dialog.getByRole("button", { name: "Cancelar o aviso" }).click();
  await expect(dialog.getByText("Outro aviso entrou no lugar deste")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Cancelar o aviso" })).toHaveCount(0);
  await dialog.getByRole("link", { name: "Ver o aviso que entrou no lugar" }).click();
  expect(await idOf(page)).not.toBe(id);
  expect(await status(opened, await idOf(page))).toMatchObject({ state: "scheduled" });
});

test("a dialog that would cancel a notice says that it was cancelled meanwhile", async ({
  serve,
  visit,
}) => {
  const { id, page, server } = await openScheduled({ serve, visit }, (it) => `/avisos/${it}`);
  await page.getByRole("button", { name: "Cancelar aviso" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("ainda não começou a sair")).toBeVisible();
  await server.run("messages", "cancel", id, "--yes");
  await expect(dialog.getByText("não havia mais o que cancelar")).toBeVisible();
  await expect(dialog.getByText("já foram aceitos")).toHaveCount(0);
});

test("a list of browsers that have all left is told at its field", async ({ serve, visit }) => {
  const opened = await openComposer({ serve, visit }, { readers: 1, allows: false });
  const { page, server, cookie } = opened;
  const tokens = await tokensOf(opened);
  const id = await schedule(opened, { target: { kind: "tokens", tokens } });
  for (const token of tokens) {
    const path = `projects/default/registrations/${token}/remove`;
    await api(server, cookie, path, { method: "POST" });
  }
  await open(page, opened, `/avisos/novo?editar=${id}`);
  await expect(page.getByText("Nenhum navegador alcançável")).toBeVisible();
  await page.getByRole("button", { name: "Revisar e enviar" }).click();
  await expect(page.getByRole("textbox", { name: "Lista" })).toBeFocused();
});

test("a test in the operator's own browser leaves the scheduled notice as it is", async ({
  serve,
  visit,
}) => {
  const opened = await openComposer({ serve, visit });
  const { page } = opened;
  const id = await schedule(opened);
  await open(page, opened, `/avisos/novo?editar=${id}`);
  const here = page.getByRole("button", { name: "Testar neste navegador" });
  await page.getByRole("button", { name: "Ativar avisos aqui" }).or(here).first().click();
  await here.click();
  await expect(page.getByText("Enviado a este navegador.")).toBeVisible();
  expect(await status(opened, id)).toMatchObject({ state: "scheduled" });
});

test("a copy keeps the time that is to come, and the list of browsers", async ({
  serve,
  visit,
}) => {
  const opened = await openComposer({ serve, visit }, { readers: 1, allows: false });
  const { page } = opened;
  const tokens = [...(await tokensOf(opened)), "A".repeat(43)];
  const id = await schedule(opened, { target: { kind: "tokens", tokens } });
  await open(page, opened, `/avisos/${id}`);
  await page.getByRole("link", { name: "Duplicar" }).click();
  await expect(heading(page)).toHaveText("Novo aviso");
  await expect(page.getByText("Cópia de outro aviso. O original não muda.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Lista" })).toHaveValue("2 navegadores");
  await expect(reach(page)).toHaveText("1 vai receber");
  await lookAt(page, "compose-copy-of-list");
  await confirm(page);
  await expect(page).not.toHaveURL(new RegExp(`${id}$`));
  const copy = await status(opened, await idOf(page));
  const { scheduleAt } = await status(opened, id);
  expect(copy).toMatchObject({
    state: "scheduled",
    target: { kind: "tokens", tokens },
    scheduleAt,
  });
  expect(await status(opened, id)).toMatchObject({ state: "scheduled" });
});

test("a viewer sees when it goes, and is offered no change", async ({ serve, visit }) => {
  const server = await serve();
  const cookie = await enrolViewer(server);
  const at = later(2 * dayMs);
  const sent = await server.run("send", "--title", "Fornada", "--body", "Já", "--at", at);
  const id = sent.stdout.slice(0, 36);
  const { page } = await openConsole({ server, visit }, cookie, `/avisos/${id}`, { allows: false });
  await expect(page.getByText("Começa")).toBeVisible();
  await expect(page.getByText("você pode mudar")).toHaveCount(0);
  await expect(edit(page)).toHaveCount(0);
});
