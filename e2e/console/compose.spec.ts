/** Novo aviso: writing a notice that survives, and sending it once to whom it is for. */
import type { Page, Request } from "@playwright/test";
import { tokenOf } from "../support/bell.ts";
import {
  api,
  openComposer,
  ours,
  pick,
  reach,
  saved,
  state,
  title,
  type Cookie,
} from "../support/compose.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, lookAt, openConsole, owner } from "../support/operator.ts";
import type { SinetaServer } from "../support/server.ts";

async function messagesOf(server: SinetaServer, cookie: Cookie) {
  const answer = await api(server, cookie, "projects/default/messages");
  const list: { messages: { id: string; title: string; target: { kind: string } }[] } =
    await answer.json();
  return list.messages;
}

/** Looks at it for the last time, and sends it. */
async function lookAndSend(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Revisar e enviar" }).click();
  const dialog = page.getByRole("dialog", { name: "Revisar" });
  await dialog.getByRole("button", { name: /^Enviar/ }).click();
}

const body = (page: Page) => page.getByLabel("Texto", { exact: true });

test("a notice is written, looked at, tried here and sent once to two browsers", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const reader = await visit({ url: server.url });
  await tokenOf(reader);
  const { page, complaints, notifications } = await openConsole(
    { server, visit },
    cookie,
    "/avisos/novo",
  );

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Novo aviso");
  await title(page).fill(
    "Pão quente saindo do forno agora mesmo na padaria da esquina, venha logo",
  );
  await body(page).fill("Croissant, pão de queijo e broa de milho até às dez da manhã.");
  await page.getByLabel("Link", { exact: true }).fill("/pao");
  await page.getByRole("button", { name: "Adicionar botão" }).click();
  await page.getByLabel("Texto do botão").fill("Reservar");
  await expect(state(page)).toHaveText(saved);
  await expect(page).toHaveURL(/rascunho=[\w-]{36}/);
  // The operator's own browser is one of them: the console is a page of the site's origin.
  await expect(reach(page)).toHaveText("2 vão receber");
  await expect(page.getByText("Pode aparecer cortado em: Android, Windows, Mac")).toBeVisible();
  await lookAt(page, "compose");

  await page.getByRole("button", { name: "Testar neste navegador" }).click();
  await expect(page.getByText("Enviado a este navegador")).toBeVisible();
  await expect.poll(async () => (await notifications()).length).toBe(1);
  expect(await reader.notifications()).toEqual([]);

  await page.getByRole("button", { name: "Revisar e enviar" }).click();
  const dialog = page.getByRole("dialog", { name: "Revisar" });
  await expect(dialog.getByText("Agora mesmo")).toBeVisible();
  const confirm = dialog.getByRole("button", { name: "Enviar a 2 navegadores" });
  await expect(confirm).toBeEnabled();
  await lookAt(page, "compose-review");

  // The first answer gets lost on its way; the second attempt is a double click.
  let isLost = false;
  await page.route("**/v1/projects/default/drafts/*/publish", async (route) => {
    if (isLost) return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
  await confirm.click();
  await expect(dialog.getByText("O servidor não respondeu")).toBeVisible();
  await confirm.evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await expect(page).toHaveURL(/\/avisos\/[\w-]{36}$/);
  const sent = await messagesOf(server, cookie);
  expect(sent.map(({ target }) => target.kind)).toEqual(["all", "token"]);
  expect(page.url()).toContain(sent[0]?.id);
  await expect.poll(async () => (await reader.notifications()).length).toBe(1);
  // What was published is no draft any more.
  const drafts = await api(server, cookie, "projects/default/drafts");
  await expect.poll(async () => drafts.status).toBe(200);
  expect(await drafts.json()).toEqual({ drafts: [] });

  await page.goto(new URL(`/painel/avisos/novo?copiar=${sent[0]?.id}`, server.url).href);
  await expect(title(page)).toHaveValue(/^Pão quente/);
  await expect(page.getByLabel("Texto do botão")).toHaveValue("Reservar");
  expect(ours(complaints)).toEqual([]);
});

test("what is typed survives a reload, a server that is away and a session that ends", async ({
  serve,
  visit,
}) => {
  const { server, cookie, page, complaints } = await openComposer({ serve, visit });
  await title(page).fill("Bolo de fubá");
  await expect(state(page)).toHaveText(saved);
  await page.reload();
  await expect(title(page)).toHaveValue("Bolo de fubá");

  await server.kill();
  await body(page).fill("Sai às três.");
  await expect(state(page)).toHaveText(/^Guardado neste navegador/);
  await server.start();
  await page.reload();
  await expect(page.getByText("Recuperamos o que você tinha escrito")).toBeVisible();
  await expect(body(page)).toHaveValue("Sai às três.");
  await expect(state(page)).toHaveText(saved);

  expect((await api(server, cookie, "session", { method: "DELETE" })).status).toBe(204);
  await title(page).fill("Bolo de fubá com goiabada");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("E-mail").fill(owner.email);
  await dialog.getByLabel("Senha", { exact: true }).fill(owner.password);
  await dialog.getByRole("button", { name: "Entrar" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(title(page)).toHaveValue("Bolo de fubá com goiabada");
  await expect(state(page)).toHaveText(saved);
  await page.reload();
  await expect(title(page)).toHaveValue("Bolo de fubá com goiabada");
  expect(ours(complaints)).toEqual([]);
});

test("a save that is under way while one publishes leaves no draft behind", async ({
  serve,
  visit,
}) => {
  const { server, cookie, page } = await openComposer({ serve, visit });
  const isPut = (request: Request) => request.method() === "PUT";
  const saves = page.waitForResponse((answer) => isPut(answer.request()));
  const isSaving = page.waitForRequest(isPut);
  const way = Promise.withResolvers<void>();
  await page.route("**/drafts/*", async (route) => {
    if (isPut(route.request())) await way.promise;
    await route.continue();
  });
  await title(page).fill("Pão");
  await isSaving;
  await lookAndSend(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Pão");
  way.resolve();
  expect((await saves).status()).toBe(409);
  const drafts = await api(server, cookie, "projects/default/drafts");
  expect(await drafts.json()).toEqual({ drafts: [] });
});

test("a draft is sent once: another tab is led to the notice, and goes on with a new one", async ({
  serve,
  visit,
}) => {
  const { server, cookie, page, context, complaints } = await openComposer({ serve, visit });
  await title(page).fill("Pão");
  await expect(state(page)).toHaveText(saved);
  const address = page.url();
  const other = await context.newPage();
  await other.goto(address);
  await expect(title(other)).toHaveValue("Pão");
  await lookAndSend(page);
  await expect(page).toHaveURL(/\/avisos\/[\w-]{36}$/);
  const notice = new URL(page.url()).pathname;

  // Whether the other tab saves first or sends first.
  await other.route("**/drafts/*", (route) => route.abort());
  await title(other).fill("Bolo");
  await lookAndSend(other);
  const alert = other.getByRole("alert").filter({ hasText: "já foi enviado" });
  await expect(alert.getByRole("link", { name: "Ver o aviso" })).toHaveAttribute("href", notice);
  await lookAt(other, "compose-already-sent");
  await other.unroute("**/drafts/*");
  await title(other).fill("Bolo de fubá");
  await expect(alert).toHaveCount(2);
  expect(await messagesOf(server, cookie)).toHaveLength(1);

  await alert.first().getByRole("button", { name: "Continuar como novo aviso" }).click();
  await expect(title(other)).toHaveValue("Bolo de fubá");
  await expect(state(other)).toHaveText(saved);
  await lookAndSend(other);
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Bolo de fubá");
  expect(await messagesOf(server, cookie)).toHaveLength(2);

  await other.goto(address);
  await expect(alert.getByRole("link", { name: "Ver o aviso" })).toHaveAttribute("href", notice);
  expect(ours(complaints)).toEqual([]);
});

test("an address that names something else than it should leads nowhere, and breaks no page", async ({
  serve,
  visit,
}) => {
  const { server, page, complaints } = await openComposer({ serve, visit });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const elsewhere = encodeURIComponent("../audit/export");
  for (const [path, heading] of [
    [`/avisos/novo?copiar=${elsewhere}`, "Novo aviso"],
    [`/avisos/novo?rascunho=${elsewhere}`, "Novo aviso"],
    [`/avisos/${elsewhere}`, "Esta página não existe."],
    [`/publico?language=${encodeURIComponent("<img>")}`, "Inscritos"],
    ["/ajustes/auditoria?de=zzz", "Auditoria"],
  ] as const) {
    await page.goto(new URL(`/painel${path}`, server.url).href);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    await expect(page.getByRole("alert").filter({ hasText: /./ })).toHaveCount(0);
  }
  expect(asked.filter((url) => url.includes("/audit/export"))).toEqual([]);
  expect(ours(complaints)).toEqual([]);
});

test("whoever logs out leaves no words behind in the browser, and is asked before", async ({
  serve,
  visit,
}) => {
  const { page, complaints } = await openComposer({ serve, visit });
  await page.route("**/drafts/*", (route) => route.abort());
  await title(page).fill("Pão secreto");
  await expect(state(page)).toHaveText(/^Guardado neste navegador/);
  const logOut = async () => {
    await page.getByRole("button", { name: owner.name }).click();
    await page.getByRole("menuitem", { name: "Sair" }).click();
  };
  await logOut();
  const dialog = page.getByRole("dialog", { name: "Sair sem salvar?" });
  await lookAt(page, "log-out");
  await dialog.getByRole("button", { name: "Cancelar" }).click();
  await expect(title(page)).toHaveValue("Pão secreto");
  await logOut();
  await dialog.getByRole("button", { name: "Sair e apagar" }).click();
  await expect(page).toHaveURL(/\/entrar/);
  const kept = () => page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  await expect.poll(kept).not.toContain("secreto");
  expect(ours(complaints)).toEqual([]);
});

test("of two tabs the second is asked which of the two stays", async ({ serve, visit }) => {
  const { page, context } = await openComposer({ serve, visit });
  await title(page).fill("Um");
  await expect(state(page)).toHaveText(saved);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(title(other)).toHaveValue("Um");
  await title(other).fill("Dois");
  await expect(state(other)).toHaveText(saved);

  await title(page).fill("Três");
  const alert = page.getByRole("alert").filter({ hasText: "mudou em outra aba" });
  await alert.getByRole("button", { name: "Abrir o outro" }).click();
  await expect(title(page)).toHaveValue("Dois");
  await title(other).fill("Quatro");
  await expect(state(other)).toHaveText(saved);
  await title(page).fill("Cinco");
  await alert.getByRole("button", { name: "Ficar com o meu" }).click();
  await expect(state(page)).toHaveText(saved);
  await other.reload();
  await expect(title(other)).toHaveValue("Cinco");
});

test("a condition is built by clicking, and what is missing is told at its field", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  for (const topic of ["pao", "bolo"]) await server.run("topics", "add", topic, "--open");
  const reader = await visit({ url: server.url });
  const token = await tokenOf(reader);
  const joined = await api(server, cookie, "projects/default/topics/pao/join", {
    method: "POST",
    body: JSON.stringify({ tokens: [token] }),
  });
  expect(joined.status).toBe(200);
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/avisos/novo");

  await pick(page, "Para quem", "Mais…");
  await expect(page.getByText("Escolha pelo menos um tópico.")).toBeVisible();
  const choose = async (line: string, topic: string) => {
    const region = page.getByRole("region", { name: line });
    await region.getByRole("combobox", { name: "Tópicos" }).click();
    await page.getByRole("option", { name: topic }).click();
    await page.keyboard.press("Escape");
  };
  await choose("Regra 1", "pao (1)");
  await page.getByRole("button", { name: "Adicionar regra" }).click();
  await page.getByRole("region", { name: "Regra 2" }).getByText("não está em").click();
  await choose("Regra 2", "bolo (0)");
  await expect(page.getByText("Recebe quem está em pao e não está em bolo.")).toBeVisible();
  await expect(
    page.getByText("'pao' in topics && !('bolo' in topics)", { exact: true }),
  ).toBeVisible();
  await expect(reach(page)).toHaveText("1 vai receber");
  await lookAt(page, "compose-condition");

  await page.getByRole("button", { name: "Enviar agora" }).click();
  await expect(page.getByText("Corrija 1 campo.")).toBeVisible();
  await expect(title(page)).toBeFocused();
  await expect(page.getByText("Preencha este campo.")).toBeVisible();
  await page.getByLabel("Link", { exact: true }).fill("padaria.example");
  await expect(page.getByText("Use um endereço http://")).toBeVisible();
  await page.getByLabel("Link", { exact: true }).fill("");
  await title(page).fill("Pão");
  // To one browser it goes without a review.
  await page.getByRole("button", { name: "Enviar agora" }).click();
  await expect(page).toHaveURL(/\/avisos\/[\w-]{36}$/);
  await expect.poll(async () => (await reader.notifications()).length).toBe(1);
  // What is copied can be clicked on, too.
  await page.getByRole("link", { name: "Duplicar" }).click();
  await expect(page.getByRole("radio", { name: "Combinar tópicos" })).toBeChecked();
  await expect(page.getByText("Recebe quem está em pao e não está em bolo.")).toBeVisible();
  await page.getByRole("button", { name: "Remover a regra 2" }).click();
  await expect(page.getByText("Recebe quem está em pao.")).toBeVisible();
  expect(ours(complaints)).toEqual([]);
});

test("how many bytes are left is the same with the server and without it", async ({
  serve,
  visit,
}) => {
  const { server, cookie, page } = await openComposer({ serve, visit });
  await page.route("**/v1/projects/default/messages", (route) => route.abort());
  await title(page).fill("Pão de açúcar “da casa” 🥖");
  await body(page).fill('Com "aspas",\numa linha nova e \\ barras');
  await page.getByLabel("Link", { exact: true }).fill("/pão?a=1&b=ç");
  await page.getByRole("button", { name: "Adicionar botão" }).click();
  await page.getByLabel("Texto do botão").fill("Reservar já");
  const room = page.getByTestId("room");
  await expect(room).toHaveCount(0);
  const text = `Com "aspas",\numa linha nova e \\ barras${"ç".repeat(1_450)}`;
  await body(page).fill(text);
  const alone = await room.textContent();
  expect(alone).toMatch(/^Restam \d{3} de/);
  await page.unroute("**/v1/projects/default/messages");
  const answer = await api(server, cookie, "projects/default/messages", {
    method: "POST",
    body: JSON.stringify({
      target: { kind: "all" },
      notification: {
        title: "Pão de açúcar “da casa” 🥖",
        body: text,
        link: "/pão?a=1&b=ç",
        actions: [{ action: "action-1", title: "Reservar já" }],
      },
      dryRun: true,
    }),
  });
  const { plaintextBytes }: { plaintextBytes: number } = await answer.json();
  expect(alone).toContain((3993 - plaintextBytes).toLocaleString("pt-BR"));
});

test("what cannot be sent says so at its field, also in the folded part", async ({
  serve,
  visit,
}) => {
  const { server, cookie, page, complaints } = await openComposer({ serve, visit });
  // A tab, as a spreadsheet gives it, becomes a space.
  await title(page).fill("Pão\tquente 🔔");
  const link = page.getByLabel("Link", { exact: true });
  await link.fill("https:/loja.example/promo");
  await expect(page.getByText(/^Use um endereço http:\/\/ ou https:\/\//)).toBeVisible();
  await link.fill("/promo");
  await page.getByRole("button", { name: "Adicionar botão" }).click();
  await page.getByLabel("Texto do botão").fill("Ver ");
  // Playwright's own text is well-formed.
  await page.evaluate(() => document.execCommand("insertText", false, String.fromCharCode(0xd83d)));
  await expect(page.getByText("Este texto contém meio emoji.", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "Mudar" }).click();
  const badge = page.getByLabel("Ícone da barra de status: ou cole o link da imagem");
  await badge.fill("/fotos\\sino.png");
  await expect(state(page)).toHaveText(saved);
  await lookAt(page, "compose-flaws");

  await page.reload();
  await expect(title(page)).toHaveValue("Pão\tquente 🔔");
  await expect(badge).toBeVisible();
  await expect(badge).toHaveAttribute("aria-invalid", "true");
  await badge.fill("");
  await page.getByLabel("Texto do botão").fill("Ver 👀");
  await page.getByRole("button", { name: "Testar neste navegador" }).click();
  await expect(page.getByText("Enviado a este navegador")).toBeVisible();
  const [sent] = await messagesOf(server, cookie);
  expect(sent?.title).toBe("Pão quente 🔔");
  expect(ours(complaints)).toEqual([]);
});
