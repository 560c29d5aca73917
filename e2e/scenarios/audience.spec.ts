/** Topics and users: who joins what by themselves, whom the site's backend names, and whom a message reaches. */
import type { SinetaMessaging } from "@sineta/client";
import { signUserToken } from "../../examples/user-token/user-token.mjs";
import type { Tab } from "../support/browsers/port.ts";
import { expect, test } from "../support/fixtures.ts";
import { addressOf, type OwnPage, serveOwnPage } from "../support/own-page.ts";
import { bellButton, tokenActionsOf, tokenIn } from "../support/page.ts";
import { unsubscribe } from "../support/worker.ts";
import { freePort, type SinetaServer } from "../support/server.ts";

type Site = { page: OwnPage; server: SinetaServer; address: string };

const siteTest = test.extend<{ site: Site }>({
  // A page that hands its messaging object to scripts, at another origin than the server's.
  site: async ({ serve }, use) => {
    const page = await serveOwnPage(await freePort());
    const server = await serve({ SINETA_ORIGINS: page.url });
    await use({ page, server, address: await addressOf(page, server) });
    await page.stop();
  },
});

siteTest(
  "a visitor joins and leaves an open topic, and is kept out of a kept one",
  async ({ browse, site: { page, server, address } }) => {
    await server.run("topics", "add", "ofertas");
    await server.run("topics", "add", "clientes", "--kept");
    const browser = await browse({ [new URL(page.url).origin]: "granted" });
    const tab = await browser.open(address);
    const token = await tokenIn(tab);
    const neighbour = await browse({ [new URL(page.url).origin]: "granted" });
    await tokenIn(await neighbour.open(address));

    expect(await call(tab, "joinTopic", "ofertas")).toBe("done");
    expect(await call(tab, "joinTopic", "clientes")).toBe("server-refused (topic-kept)");
    expect(await call(tab, "joinTopic", "nenhum")).toBe("server-refused (topic-unknown)");
    expect((await server.run("topics")).stdout).toMatch(/ofertas +open +1/);
    expect(await send(server, "topic:ofertas", "Só hoje")).toContain("1 accepted");
    await browser.desktop.notification("Só hoje");

    expect(await server.run("topics", "join", "clientes", token)).toMatchObject({ status: 0 });
    expect(await send(server, "topic:clientes", "Para clientes")).toContain("1 accepted");
    await browser.desktop.notification("Para clientes");
    expect(await call(tab, "leaveTopic", "ofertas")).toBe("done");
    expect(await call(tab, "leaveTopic", "clientes")).toBe("done");
    expect(await send(server, "topic:ofertas", "Para ninguém")).toContain("0 accepted");
    expect(await send(server, "topic:clientes", "Para ninguém")).toContain("0 accepted");
    expect(neighbour.desktop.showings()).toEqual([]);
  },
);

siteTest(
  "the site's backend binds a browser to its user, with the topics it keeps; signed out, both end",
  async ({ browse, site: { page, server, address } }) => {
    await server.run("topics", "add", "equipe", "--kept");
    const userKey = (await server.run("user-key")).stdout.trim();
    const signed = (topics: string[], key = userKey) =>
      signUserToken(key, { id: "42", topics }, Date.now());
    const browser = await browse({ [new URL(page.url).origin]: "granted" });
    const tab = await browser.open(address);
    const token = await tokenIn(tab);

    const forged = "server-refused (user-token-invalid)";
    expect(await call(tab, "setUser", signed(["equipe"], "another key"))).toBe(forged);
    expect(await send(server, "user:42", "Para ninguém")).toContain("0 accepted");
    expect(await call(tab, "setUser", signed(["equipe"]))).toBe("done");
    expect(await send(server, "user:42", "Seu pedido")).toContain("1 accepted");
    await browser.desktop.notification("Seu pedido");
    expect(await send(server, "topic:equipe", "Reunião")).toContain("1 accepted");
    await browser.desktop.notification("Reunião");

    // The binding outlives page and browser, a refresh of the registration, and the subscription's renewal.
    await browser.quit();
    await browser.start();
    const later = await browser.open(address);
    expect(await tokenIn(later)).toBe(token);
    await later.click(bellButton);
    await expect.poll(async () => (await tokenActionsOf(later)).length).toBe(2);
    await send(server, "user:42", "Conferido");
    await browser.desktop.notification("Conferido");
    await unsubscribe(later);
    await later.reload();
    expect(await tokenIn(later)).toBe(token);
    expect(await send(server, "user:42", "Ainda você")).toContain("1 accepted");
    await browser.desktop.notification("Ainda você");

    expect(await call(later, "setUser", null)).toBe("done");
    expect(await send(server, "user:42", "Ninguém mais")).toContain("0 accepted");
    expect(await send(server, "topic:equipe", "Ninguém mais")).toContain("0 accepted");
    expect(await send(server, token, "Sem nome")).toContain("1 accepted");
    await browser.desktop.notification("Sem nome");
  },
);

/** Calls the page's messaging object as the site's own script does; gives `done`, or the error's message. */
function call<Method extends "joinTopic" | "leaveTopic" | "setUser">(
  tab: Tab,
  method: Method,
  argument: Parameters<SinetaMessaging[Method]>[0],
): Promise<string> {
  return tab.run(
    async ([name, value]) => {
      const messaging: Record<string, (value: unknown) => Promise<void>> = Reflect.get(
        window,
        "messaging",
      );
      return await (messaging[name]?.(value) ?? Promise.reject(new Error("no such method"))).then(
        () => "done",
        (error: Error) => error.message,
      );
    },
    [method, argument] as const,
  );
}

async function send(server: SinetaServer, to: string, title: string): Promise<string> {
  return (await server.run("send", "--to", to, "--title", title, "--body", "Oi")).stdout;
}
