/** The Content-Security-Policy of the page and of the worker's file. The same in Chromium and in Firefox. */
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Tab } from "../support/browsers/port.ts";
import { expect, test } from "../support/fixtures.ts";
import { addressOf, type OwnPage } from "../support/own-page.ts";
import { bellOf, isOff, isOn, tokenIn } from "../support/page.ts";
import { unregisterWorker } from "../support/worker.ts";

/** Loads the page under another policy. Returns what reads the hints since then. */
async function reloadUnder(page: OwnPage, tab: Tab, policy: string): Promise<() => string[]> {
  page.policies.set("/", policy);
  const { length } = tab.complaints;
  await tab.reload();
  return () => tab.complaints.slice(length).filter((text) => text.startsWith("Sineta: "));
}

test("a blocked bell names the directive, and a bell that the policy allows gets a token", async ({
  browse,
  ownPage,
  serve,
}) => {
  const { origin } = new URL(ownPage.url);
  const server = await serve({ SINETA_ORIGINS: origin });
  const push = new URL(server.url).origin;
  const browser = await browse({ [origin]: "granted" });
  ownPage.policies.set("/", "script-src 'none'");
  const tab = await browser.open(await addressOf(ownPage, server));

  const forbidden: [policy: string, blamed: string][] = [
    ["worker-src 'none'", `the worker by "worker-src 'none'"`],
    ["child-src 'none'", `the worker by "child-src 'none'"`],
    [`script-src ${origin}/assets/`, `the worker by "script-src ${origin}/assets/"`],
    [
      `default-src ${origin}/assets/; connect-src *`,
      `the worker by "default-src ${origin}/assets/"`,
    ],
    ["connect-src 'self'", `the server at ${push} by "connect-src 'self'"`],
    ["default-src 'self'", `the server at ${push} by "default-src 'self'"`],
    [
      "require-trusted-types-for 'script'; trusted-types site",
      `demands Trusted Types by "require-trusted-types-for 'script'; trusted-types site"`,
    ],
    [
      "require-trusted-types-for 'script'; trusted-types 'none'",
      `demands Trusted Types by "require-trusted-types-for 'script'; trusted-types 'none'"`,
    ],
  ];
  for (const [policy, blamed] of forbidden) {
    await test.step(policy, async () => {
      const hints = await reloadUnder(ownPage, tab, policy);
      await expect.poll(hints).toEqual([expect.stringContaining(blamed)]);
      expect(await bellOf(tab)).toEqual(isOff);
    });
  }

  await test.step("sandbox allow-scripts", async () => {
    const hints = await reloadUnder(ownPage, tab, "sandbox allow-scripts");
    await expect
      .poll(hints)
      .toEqual([expect.stringContaining("there is no bell, because this page is sandboxed; add")]);
    expect(await bellOf(tab)).toBe(null);
  });

  const allowed = [
    `default-src 'none'; script-src 'self'; style-src 'self'; worker-src 'self'; connect-src ${push}`,
    "require-trusted-types-for 'script'",
    "require-trusted-types-for 'script'; trusted-types sineta",
    "trusted-types site",
    "sandbox allow-scripts allow-same-origin",
  ];
  for (const policy of allowed) {
    await test.step(policy, async () => {
      const hints = await reloadUnder(ownPage, tab, policy);
      await expect.poll(() => bellOf(tab)).toEqual(isOn);
      expect(hints()).toEqual([]);
      await unregisterWorker(tab);
    });
  }

  await test.step("'strict-dynamic' lets a script that is allowed install the worker", async () => {
    const file = join(ownPage.folder, "index.html");
    const html = await readFile(file, "utf8");
    await writeFile(file, html.replaceAll("<script", '<script nonce="abc"'));
    const hints = await reloadUnder(ownPage, tab, "script-src 'nonce-abc' 'strict-dynamic'");
    await expect.poll(() => bellOf(tab)).toEqual(isOn);
    expect(hints()).toEqual([]);
    await unregisterWorker(tab);
  });

  await test.step("a default policy of the page takes the worker's address", async () => {
    const file = join(ownPage.folder, "index.html");
    const html = await readFile(file, "utf8");
    const script = `trustedTypes.createPolicy("default", { createScriptURL: (url) => url })`;
    await writeFile(file, html.replace("<head>", `<head><script>${script}</script>`));
    const policy = "require-trusted-types-for 'script'; trusted-types default";
    const hints = await reloadUnder(ownPage, tab, policy);
    await expect.poll(() => bellOf(tab)).toEqual(isOn);
    expect(hints()).toEqual([]);
    await unregisterWorker(tab);

    for (const answer of ['{ throw new TypeError("no") }', "`${url}?`"]) {
      await writeFile(
        file,
        html.replace(
          "<head>",
          `<head><script>${script.replace("=> url", `=> ${answer}`)}</script>`,
        ),
      );
      const hintsThen = await reloadUnder(ownPage, tab, policy);
      const blamed = `"trusted-types default" allows no policy named sineta; add sineta to trusted-types`;
      await expect.poll(hintsThen).toEqual([expect.stringContaining(blamed)]);
    }
  });
});

test("the policy of the worker's file governs receipts and images, and the page's policy does not", async ({
  browse,
  ownPage,
  serve,
}) => {
  await using icons = await serveIcons();
  const { origin } = new URL(ownPage.url);
  const server = await serve({ SINETA_ORIGINS: origin });
  const push = new URL(server.url).origin;
  const key = /sineta_[\w-]{43}/.exec((await server.run("api-keys", "create")).stdout)?.[0];
  const messages = new URL("/v1/projects/default/messages", server.url);
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const browser = await browse({ [origin]: "granted" });
  ownPage.policies.set("/", `default-src 'self'; img-src 'none'; connect-src ${push}`);
  const tab = await browser.open(await addressOf(ownPage, server));

  /** Sends a notification, and waits until the browser shows it. Returns what reads how many browsers reported that. */
  async function sendUnder(policy: string, title: string): Promise<() => Promise<unknown>> {
    ownPage.policies.set("/sineta-sw.js", policy);
    await unregisterWorker(tab);
    await tab.reload();
    const target = { kind: "token", token: await tokenIn(tab) };
    const notification = { title, body: "Oi", icon: `${icons.url}${title}.png` };
    const body = JSON.stringify({ target, notification });
    const { id } = await (await fetch(messages, { method: "POST", headers, body })).json();
    await browser.desktop.notification(title);
    return async () => {
      const message = await (await fetch(`${messages.href}/${id}`, { headers })).json();
      return message.receipts.displayed;
    };
  }

  await tokenIn(tab);
  const blocked = await sendUnder("default-src 'self'", "barrado");
  const sandboxed = await sendUnder("sandbox; img-src 'none'", "isolado");
  const free = await sendUnder(`img-src ${icons.url}; connect-src ${push}`, "livre");
  await expect.poll(free).toBe(1);
  await expect.poll(() => icons.asked).toEqual(["/livre.png"]);
  expect(await blocked()).toBe(0);
  await expect.poll(sandboxed).toBe(browser.engine === "chromium" ? 0 : 1);
});

/** Serves images on another origin, and keeps the paths that browsers ask for. */
async function serveIcons() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(200, { "Content-Type": "image/png" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://localhost:${port}/`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
