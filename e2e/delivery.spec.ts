/** The whole way: a click in a real browser to a notification shown, clicked and kept. */
import { tokenOf } from "./support/bell.ts";
import { expect, test } from "./support/fixtures.ts";
import type { Visitor } from "./support/visitor.ts";

test("from a click on the bell to a notification shown", async ({ desktop, server, visit }) => {
  const visitor = await visit({ allows: false, desktop });
  await expect.poll(() => visitor.lines).toHaveLength(1);
  await visitor.context.grantPermissions(["notifications"], { origin: new URL(server.url).origin });
  const startedMs = Date.now();
  await visitor.bell.click();
  const token = await tokenOf(visitor);
  const words = ["--title", "Olá, vizinha", "--body", "O pão saiu do forno."];
  const addresses = ["--icon", "/icon-192.png", "--link", "/?aviso=pao"];
  const sent = await server.run("send", "--to", token, ...words, ...addresses);
  expect(sent).toMatchObject({ status: 0, stderr: "" });
  expect(sent.stdout).toContain("1 accepted");
  await desktop.notification("Olá, vizinha");
  test.info().annotations.push({
    type: "click to shown notification",
    description: `${Date.now() - startedMs} ms`,
  });

  const origin = new URL(server.url).origin;
  expect(await visitor.notifications()).toEqual([
    {
      title: "Olá, vizinha",
      body: "O pão saiu do forno.",
      icon: `${origin}/icon-192.png`,
      tag: expect.stringMatching(/./),
    },
  ]);
  const notice = visitor.page.getByRole("listitem");
  await expect(notice).toHaveCount(1);
  await expect(notice.getByRole("link", { name: "Olá, vizinha" })).toHaveAttribute(
    "href",
    `${origin}/?aviso=pao`,
  );
  await expect(notice).toContainText("O pão saiu do forno.");
  await expect(visitor.page.getByRole("status")).toHaveText("Novo aviso: Olá, vizinha");

  await visitor.page.reload();
  await expect(notice).toHaveCount(1);
  expect(await tokenOf(visitor)).toBe(token);
  expect(visitor.complaints).toEqual([]);
});

test("newest first, live in every tab, and to all", async ({ serve, visit }) => {
  const server = await serve();
  const visitor = await visit({ url: server.url });
  const neighbour = await visit({ url: server.url });
  await tokenOf(visitor);
  await tokenOf(neighbour);
  const tab = await visitor.context.newPage();
  await tab.goto(server.url);
  for (const title of ["Primeiro", "Segundo"]) {
    const { stdout } = await server.run("send", "--title", title, "--body", "Corpo");
    expect(stdout).toContain("2 accepted");
    for (const page of [visitor.page, tab, neighbour.page]) {
      await expect(page.getByRole("listitem").first()).toContainText(title);
    }
  }
  await expect(tab.getByRole("heading", { level: 2 })).toHaveText(["Segundo", "Primeiro"]);
});

test.describe("a click on the notification", () => {
  test("opens the link, and comes back to the tab that shows it", async ({
    desktop,
    server,
    visit,
  }) => {
    const visitor = await visit({ desktop });
    const token = await tokenOf(visitor);
    const send = (title: string, link: string) =>
      server.run("send", "--to", token, "--title", title, "--body", "Corpo", "--link", link);
    const target = new URL("/?aviso=42", server.url).href;

    await send("Com link", target);
    const opened = visitor.context.waitForEvent("page");
    const notification = await desktop.notification("Com link");
    expect(notification.body).toContain("Corpo");
    desktop.click(notification);
    const page = await opened;
    await expect(page).toHaveURL(target);
    await expect.poll(() => desktop.shown()).toEqual([]);

    await visitor.page.bringToFront();
    await send("De novo", target);
    desktop.click(await desktop.notification("De novo"));
    await expect.poll(() => page.evaluate(() => document.hasFocus())).toBe(true);
    expect(visitor.context.pages()).toHaveLength(2);
  });
});

test.describe("an ended registration", () => {
  for (const { how, end } of [
    {
      how: "left: the browser unsubscribed",
      end: (visitor: Visitor) =>
        visitor.page.evaluate(async () => {
          const registration = await navigator.serviceWorker.getRegistration("/sineta-push-scope/");
          await (await registration?.pushManager.getSubscription())?.unsubscribe();
        }),
    },
    {
      how: "was revoked by the push service",
      end: async (_visitor: Visitor, revoke: () => void) => revoke(),
    },
  ]) {
    test(`that ${how} is ended by the next send`, async ({ lab, serve, visit }) => {
      const server = await serve();
      const visitor = await visit({ url: server.url });
      const token = await tokenOf(visitor);
      const endpoint = lab.subscriptions().at(-1)?.endpoint ?? "";
      await end(visitor, () => lab.endSubscription(endpoint, 410));
      const first = await server.run(
        "send",
        "--to",
        "all",
        "--title",
        "Alguém aí?",
        "--body",
        "Oi",
      );
      expect(first.stdout).toContain("1 gone");
      const second = await server.run("send", "--to", "all", "--title", "Alguém?", "--body", "Oi");
      expect(second.stdout).toContain("0 accepted, 0 gone");
      const third = await server.run("send", "--to", token, "--title", "Alguém?", "--body", "Oi");
      expect(third.status).toBe(1);
      expect(third.stderr).toContain("no registration with this token");
    });
  }
});

test("a message sent while the server is down is delivered when it starts", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const visitor = await visit({ url: server.url });
  await tokenOf(visitor);
  await server.kill();
  const sent = await server.run("send", "--title", "Mais tarde", "--body", "Espera");
  expect(sent.status).toBe(0);
  expect(sent.stdout).toContain("waits");
  await server.start();
  await expect(visitor.page.getByRole("listitem")).toContainText("Mais tarde");
});

test("a push service that is away for a moment loses nothing", async ({ lab, serve, visit }) => {
  const server = await serve();
  const visitor = await visit({ url: server.url });
  await tokenOf(visitor);
  lab.answerNext({ status: 503, headers: { "Retry-After": "1" }, count: 1 });
  const sent = await server.run("send", "--title", "Na segunda vez", "--body", "Chegou");
  expect(sent.stdout).toContain("1 accepted");
  await expect(visitor.page.getByRole("listitem")).toContainText("Na segunda vez");
  await expect(visitor.page.getByRole("listitem")).toHaveCount(1);
});
