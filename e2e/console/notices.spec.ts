/** The list of notices, and one notice that is followed while it goes out: to push services that take it, refuse it, or fail. */
import type { Page } from "@playwright/test";
import { publishedSchema, type MessageRequest } from "@sineta/protocol";
import { startSink } from "@sineta/push-lab";
import { tokenOf } from "../support/bell.ts";
import { registerCrowd } from "../support/crowd.ts";
import { downloaded } from "../support/download.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, lookAt, openConsole, owner } from "../support/operator.ts";
import type { SinetaServer } from "../support/server.ts";

const fcm = "https://fcm.googleapis.com";
const mozilla = "https://updates.push.services.mozilla.com";

/** But for what the server refused, as it should, nothing was complained of: no script, no style, no policy. */
const ours = (complaints: readonly string[]) =>
  complaints.filter((text) => !/status of 40[0149]/.test(text));

type Cookie = Awaited<ReturnType<typeof enrolOwner>>;

const addressOf = (server: SinetaServer, path: string) =>
  new URL(`/v1/projects/default/${path}`, server.url);

/** What a page of the console sends along with a request that changes something. */
function fromConsole(server: SinetaServer, { name, value }: Cookie, body: object) {
  return {
    headers: {
      Cookie: `${name}=${value}`,
      Origin: new URL(server.url).origin,
      "Content-Type": "application/json",
    },
    body: JSON.stringify(body),
  };
}

function post(server: SinetaServer, cookie: Cookie, path: string, body: object) {
  return fetch(addressOf(server, path), { method: "POST", ...fromConsole(server, cookie, body) });
}

/** Publishes as the owner; gives the id. */
async function publish(
  server: SinetaServer,
  cookie: Cookie,
  over: Partial<MessageRequest> = {},
): Promise<string> {
  const body = { target: { kind: "all" }, notification: { title: "Olá" }, ...over };
  const answer = await post(server, cookie, "messages", body);
  return publishedSchema.parse(await answer.json()).id;
}

async function cancelElsewhere(server: SinetaServer, cookie: Cookie, id: string): Promise<void> {
  expect((await post(server, cookie, `messages/${id}/cancel`, {})).status).toBe(200);
}

/** From its top on, and back as it was. */
async function lookAtWhole(page: Page, name: string): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0));
  await lookAt(page, name);
  await page.setViewportSize({ width: 1280, height: 800 });
}

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

test("a registration that was removed still counts among who did not get a notice, and has no link", async ({
  serve,
  visit,
}) => {
  const sink = await startSink({ origins: [fcm] });
  try {
    const server = await serve({ ...sink.serverEnvironment });
    const cookie = await enrolOwner(server);
    const gone = await registerCrowd(server, sink, fcm, names("gone", 3));
    sink.misbehave({
      origin: fcm,
      path: "/fcm/send/gone*",
      fault: { kind: "answer", status: 410 },
    });
    const id = await publish(server, cookie);
    const { page, complaints } = await openConsole({ server, visit }, cookie, `/avisos/${id}`);
    const exceptions = page.getByRole("region", {
      name: "Quem não recebeu",
      exact: true,
    });
    await exceptions.getByText("O navegador não recebe mais").click();
    // A project keeps as many ended registrations as its quota. A browser that registers makes the server remove the oldest.
    const lowered = await fetch(addressOf(server, "settings"), {
      method: "PATCH",
      ...fromConsole(server, cookie, { registrationsQuota: 2 }),
    });
    expect(lowered.status).toBe(200);
    await registerCrowd(server, sink, fcm, names("live", 1));
    await exceptions.getByRole("button", { name: "Ver os registros" }).click();
    const registrations = page.getByRole("region", { name: "Registros: O navegador não recebe" });
    await expect(registrations.getByRole("rowheader")).toHaveCount(3);
    await expect(registrations.getByRole("rowheader", { name: "Já apagado" })).toHaveCount(1);
    const left = await registrations.getByRole("link").allTextContents();
    expect(left).toHaveLength(2);
    expect(gone).toEqual(expect.arrayContaining(left));
    expect(ours(complaints)).toEqual([]);
  } finally {
    await sink.close();
  }
});

test("a notice is followed live: who got it, who did not and why, a push service that fails and comes back", async ({
  serve,
  visit,
}) => {
  const sink = await startSink({ origins: [fcm, mozilla] });
  try {
    const server = await serve({ ...sink.serverEnvironment });
    const cookie = await enrolOwner(server);
    await registerCrowd(server, sink, fcm, names("live", 60));
    const gone = await registerCrowd(server, sink, fcm, names("gone", 3));
    await registerCrowd(server, sink, fcm, names("large", 2));
    await registerCrowd(server, sink, mozilla, names("failing", 40));
    const answer = (path: string, status: number) =>
      sink.misbehave({ origin: fcm, path, fault: { kind: "answer", status } });
    answer("/fcm/send/gone*", 410);
    answer("/fcm/send/large*", 413);
    sink.misbehave({ origin: mozilla, fault: { kind: "answer", status: 503 } });

    const id = await publish(server, cookie, {
      notification: {
        title: "Pão quentinho",
        body: "Saiu do forno agora.\nVenha logo!",
        icon: "/icon-192.png",
        link: "/?aviso=pao",
        actions: [{ action: "ver", title: "Ver no mapa" }],
      },
      ttlSeconds: 3_600,
    });
    const { page, complaints } = await openConsole({ server, visit }, cookie, `/avisos/${id}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Pão quentinho");
    await expect(page.getByText("Ao vivo")).toBeVisible();

    // Mozilla fails: its breaker opens, and the page says so, and what to do.
    const held = page.getByRole("alert").filter({ hasText: "Mozilla (Firefox) está em espera" });
    await expect(held).toContainText("O serviço de push não responde, ou só com erros dele mesmo");
    await expect(held).toContainText("503");
    const services = page.getByRole("region", { name: "Tabela: Serviços de push" });
    await page.getByText("Detalhes técnicos").click();
    const google = services.getByRole("row", { name: /^Google/ });
    await expect(google.getByRole("cell")).toHaveText(["65", "60", "0", "3", "2", "0", "0"]);
    await expect(page.getByRole("progressbar")).toHaveAttribute("aria-valuetext", /65 de 105/);

    const exceptions = page.getByRole("region", {
      name: "Quem não recebeu",
      exact: true,
    });
    await exceptions.getByText("O navegador não recebe mais").click();
    await expect(exceptions).toContainText("o serviço de push encerrou o registro");
    const registrations = page.getByRole("region", { name: "Registros: O navegador não recebe" });
    const show = exceptions.getByRole("button", { name: "Ver os registros" });
    // The page lives: what is above the button may grow while the mouse is down, and then that is no click.
    await expect(async () => {
      if (await show.isVisible()) await show.click();
      await expect(registrations).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expect(registrations.getByRole("link")).toHaveText(gone);
    await lookAtWhole(page, "notice-sending");
    await page.setViewportSize({ width: 1_366, height: 768 });
    const hidden = () => services.evaluate((part) => part.scrollWidth - part.clientWidth);
    await expect.poll(hidden).toBe(0);

    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Cancelar aviso" }).click();
    await expect(dialog).toContainText("60 já foram aceitos pelos serviços de push");
    await expect(dialog).toContainText("Os outros, uns 40, não recebem");
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);

    // It comes back: the rest goes out by itself, and the page follows without being loaded again.
    sink.misbehave({ origin: mozilla, script: Array.from({ length: 200 }, () => "ok" as const) });
    sink.behave();
    answer("/fcm/send/gone*", 410);
    const status = page.getByRole("status").first();
    await expect(status).toHaveText(/^Concluído em \d/, { timeout: 90_000 });
    await expect(held).toHaveCount(0);
    const firefox = services.getByRole("row", { name: /^Mozilla/ });
    await expect(firefox.getByRole("cell")).toHaveText(["40", "40", "0", "0", "0", "0", "0"]);
    await expect(page.getByRole("progressbar")).toHaveCount(0);
    const figures = page.getByRole("region", { name: "O que aconteceu" });
    await expect(figures).toContainText("Aceitos10095,2% dos 105 inscritos");
    await expect(page.getByText("Ao vivo")).toHaveCount(0);
    await lookAtWhole(page, "notice-done");

    await page.getByRole("button", { name: "Exportar CSV" }).click();
    const { lines: byService } = await downloaded(page, () =>
      page.getByRole("menuitem", { name: "Números por serviço de push" }).click(),
    );
    expect(byService).toEqual([
      "Serviço de push;Navegadores;Aceitos;Tentar de novo;Encerrados;Recusados;Não enviados;Pendentes;Exibidos;Clicados;Fechados",
      '"Google (Chrome, Edge, Opera)";65;60;0;3;2;0;0;;;',
      "Mozilla (Firefox);40;40;0;0;0;0;0;;;",
      "Todos;105;100;0;3;2;0;0;0;0;0",
    ]);
    await page.getByRole("button", { name: "Exportar CSV" }).click();
    const { lines: reasons } = await downloaded(page, () =>
      page.getByRole("menuitem", { name: "Quem não recebeu, e por quê" }).click(),
    );
    expect(reasons).toHaveLength(6);
    expect(reasons.join()).not.toContain(gone[0]);
    await page.getByRole("button", { name: "Exportar CSV" }).click();
    const { lines: rows } = await downloaded(page, () =>
      page.getByRole("menuitem", { name: "Quem não recebeu, com tokens" }).click(),
    );
    const texts = gone.map((token) => (token.startsWith("-") ? `'${token}` : token));
    const ended = rows.filter((row) => row.includes(";O navegador não recebe mais;"));
    expect(ended.map((row) => row.split(";")[0])).toEqual(texts);
    expect(ours(complaints)).toEqual([]);
  } finally {
    await sink.close();
  }
});

test("what a real browser shows is counted while the page is open, and told by the hour", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const visitor = await visit({ url: server.url });
  await tokenOf(visitor);
  const id = await publish(server, cookie, { notification: { title: "Bolo de fubá" } });
  const { page, complaints } = await openConsole({ server, visit }, cookie, `/avisos/${id}`);
  await expect.poll(() => visitor.notifications()).toHaveLength(1);
  await expect(page.getByRole("status").first()).toHaveText(/^Concluído em \d/);
  const figures = page.getByRole("region", { name: "O que aconteceu" });
  const displayed = figures.locator("div").filter({ hasText: /^Exibidos/ });
  // Browsers report after the end, when there is no stream any more.
  await expect(displayed).toContainText(/^Exibidos1100% dos aceitos/, { timeout: 40_000 });
  const overTime = page.getByRole("region", { name: "Linha do tempo", exact: true });
  await overTime.getByText("Ver como tabela").click();
  await expect(overTime.getByRole("row").nth(1).getByRole("cell")).toHaveText(["1", "1", "0", "0"]);
  await lookAtWhole(page, "notice-shown");
  expect(ours(complaints)).toEqual([]);
});

test("a stream that breaks off is taken up again, and a server that is gone is told of", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const id = await publish(server, cookie, { scheduleAt: tomorrow() });
  const { page } = await openConsole({ server, visit }, cookie, `/avisos/${id}`);
  await expect(page.getByText("Ao vivo")).toBeVisible();
  await expect(page.getByRole("status").first()).toHaveText(
    /^Agendado para (hoje|amanhã|\d+ \w{3}), \d/,
  );
  const when = page.getByRole("region", { name: "Quando" });
  await expect(when).toContainText(/Agendado para .+ \(.+\)\. Começa /);
  await server.kill();
  await expect(page.getByText("Sem resposta do servidor.")).toBeVisible({ timeout: 60_000 });
  await server.start();
  await expect(page.getByText("Ao vivo")).toBeVisible({ timeout: 60_000 });

  await page.getByRole("button", { name: "Cancelar aviso" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("ninguém vai receber");
  await dialog.getByRole("button", { name: "Deixar como está" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "Cancelar aviso" }).press("Enter");
  await dialog.getByRole("button", { name: "Cancelar o aviso" }).click();
  await expect(page.getByRole("status").first()).toHaveText(/^Cancelado (hoje|ontem), \d/);
  await expect(page.getByRole("region", { name: "O que aconteceu" })).toContainText(
    "Não saiu para ninguém.",
  );
  await expect(page.getByRole("region", { name: "Quem não recebeu" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Cancelar aviso" })).toHaveCount(0);
});

test("scheduled notices stand first, as a group of their own, with when they go", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  await publish(server, cookie, {
    notification: { title: "Panetone" },
    scheduleAtLocal: tomorrow().slice(0, 16),
  });
  await publish(server, cookie, { notification: { title: "Broa de milho" } });
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/avisos");
  const titles = page.getByRole("main").getByRole("heading", { level: 2 });
  const items = page.getByRole("article");
  await expect(titles).toHaveText(["Agendados", "Enviados"]);
  await expect(page.getByRole("heading", { level: 3 })).toHaveText(["Panetone", "Broa de milho"]);
  await expect(items.first()).toContainText("no horário de cada pessoa");
  await expect(page.getByRole("status").filter({ hasText: "2 avisos" })).toBeVisible();
  await lookAtWhole(page, "notices-scheduled");

  await page.getByLabel("Situação").selectOption("Agendado");
  await expect(titles).toHaveText(["Panetone"]);
  await page.getByLabel("Situação").selectOption("Todas");
  await expect(titles).toHaveText(["Agendados", "Enviados"]);
  await page.getByRole("searchbox").fill("broa");
  await expect(titles).toHaveText(["Broa de milho"]);
  await page.getByRole("searchbox").fill("");

  // Without any, it is the list alone, the newest first.
  await page.getByRole("button", { name: "Ações de Panetone" }).click();
  await page.getByRole("menuitem", { name: "Cancelar aviso" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancelar o aviso" }).click();
  await expect(titles).toHaveText(["Broa de milho", "Panetone"]);
  await expect(items.nth(1)).toContainText("Cancelado");
  expect(ours(complaints)).toEqual([]);
});

test("the list: empty, filled, searched, filtered by the address, cancelled from, exported", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/avisos");
  await expect(
    page.getByRole("heading", { name: "Nenhum aviso foi enviado ainda." }),
  ).toBeVisible();
  await lookAtWhole(page, "notices-empty");

  const scheduleAt = tomorrow();
  await publish(server, cookie, { notification: { title: "Broa de milho", body: "Já no balcão" } });
  await publish(server, cookie, {
    target: { kind: "user", userId: "florist" },
    notification: { title: "Promoção de inverno: leve três pães e pague dois até sexta-feira" },
    scheduleAt,
  });
  await page.reload();
  const items = page.getByRole("article");
  await expect(items).toHaveCount(2);
  await expect(items.nth(1)).toContainText("Concluído");
  await expect(items.nth(1)).toContainText(`Todo o público · ${owner.name}`);
  await page.getByRole("button", { name: /Ações de Promoção/ }).click();
  await page.getByRole("menuitem", { name: "Cancelar aviso" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancelar o aviso" }).click();
  await expect(items.first()).toContainText("Cancelado");

  for (let count = 1; count <= 130; count += 1) {
    await publish(server, cookie, { notification: { title: `Fornada ${count}` }, scheduleAt });
  }
  await publish(server, cookie, {
    target: { kind: "user", userId: "baker" },
    notification: { title: "Pão de açúcar", body: "Só amanhã" },
    scheduleAtLocal: scheduleAt.slice(0, 16),
  });
  await page.reload();
  await expect(page.getByRole("heading", { name: "Agendados", exact: true })).toBeVisible();
  await expect(items.first()).toContainText("Pão de açúcar");
  await expect(items.first()).toContainText("no horário de cada pessoa");
  await expect(items.nth(1)).toContainText("Fornada 130");
  await lookAtWhole(page, "notices");

  // Only what is in sight is drawn, however far one scrolls.
  const last = page.getByRole("link", { name: "Broa de milho" });
  await expect(async () => {
    await page.mouse.wheel(0, 4_000);
    await expect(last).toBeVisible({ timeout: 500 });
  }).toPass();
  expect(await items.count()).toBeLessThan(45);
  await expect(page.getByRole("status").filter({ hasText: "133 avisos" })).toBeVisible();

  await page.getByRole("searchbox").fill("acucar pao");
  await expect(items).toHaveCount(1);
  await expect(items).toContainText("Pão de açúcar");
  await expect(page).toHaveURL(/busca=acucar/);
  await page.getByRole("searchbox").fill("nada disso");
  await expect(page.getByRole("heading", { name: "Nenhum aviso encontrado" })).toBeVisible();
  await page.getByRole("searchbox").fill("🍞");
  await expect(page.getByText("não sinais nem figuras")).toBeVisible();
  await page.getByRole("button", { name: "Limpar filtros" }).first().click();
  await expect(page.getByRole("searchbox")).toHaveValue("");

  await page.getByLabel("Situação").selectOption("Em pausa");
  await expect(page).toHaveURL(/situacao=paused/);
  await expect(page.getByRole("heading", { name: "Nenhum aviso encontrado" })).toBeVisible();
  await page.goto(new URL("/painel/avisos?busca=Fornada+77", server.url).href);
  await expect(page.getByRole("searchbox")).toHaveValue("Fornada 77");
  await expect(items).toHaveCount(1);
  const { lines: rows } = await downloaded(page, () =>
    page.getByRole("link", { name: "Exportar CSV" }).click(),
  );
  expect(rows.slice(1).map((row) => row.split(";")[1])).toEqual(["Fornada 77"]);

  // Somebody else was faster: the page says so, and shows it as it is.
  await page.getByRole("button", { name: "Ações de Fornada 77" }).click();
  await page.getByRole("menuitem", { name: "Cancelar aviso" }).click();
  await cancelElsewhere(server, cookie, rows[1]?.split(";")[0] ?? "");
  await page.getByRole("dialog").getByRole("button", { name: "Cancelar o aviso" }).click();
  await expect(page.getByRole("dialog")).toContainText("já tinha terminado");
  await page.keyboard.press("Escape");
  await expect(items).toContainText("Cancelado");
  await page.getByRole("button", { name: "Ações de Fornada 77" }).click();
  await expect(page.getByRole("menuitem", { name: "Cancelar aviso" })).toHaveCount(0);
  await page.getByRole("menuitem", { name: "Abrir" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fornada 77");
  await page.goto(new URL("/painel/avisos/0199c0de-0000-7000-8000-000000000000", server.url).href);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Este aviso não existe");
  expect(ours(complaints)).toEqual([]);
});
