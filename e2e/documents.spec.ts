/** The pages without React that the documents give run as they stand there. */
import { execFileSync } from "node:child_process";
import { cp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "./support/fixtures.ts";
import { vapidKeyOf } from "./support/vapid-key.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const client = dirname(fileURLToPath(import.meta.resolve("@sineta/client")));
const portuguese = { off: "Habilitar Notificações", on: "Desabilitar Notificações" };
const english = { off: "Enable notifications", on: "Disable notifications" };

for (const { document, labels, click } of [
  { document: "README.md", labels: portuguese, click: "asks again" },
  { document: "docs/options.md", labels: english, click: "turns off" },
]) {
  test(`the page of ${document} turns on by itself, and a click ${click}`, async ({
    desktop,
    ownPage,
    serve,
    visit,
  }) => {
    const server = await serve({ SINETA_ORIGINS: ownPage.url });
    const place = JSON.stringify({ server: server.url, allowLoopback: true }).slice(1, -1);
    const page = await pageOf(document);
    expect(page).toContain('vapidKey: "B..."');
    const key = `vapidKey: "${await vapidKeyOf(server)}", ${place}`;
    // Or Chromium asks for /favicon.ico, which is not there.
    const icon = '<!doctype html><link rel="icon" href="data:," />';
    const written = icon + page.replace('vapidKey: "B..."', key);
    await writeFile(join(ownPage.folder, "page.html"), written);
    // The owner's folder, with the client installed, and nothing copied yet.
    await cp(client, join(ownPage.folder, "node_modules/@sineta/client/dist"), { recursive: true });
    await rm(join(ownPage.folder, "sineta-sw.js"));
    const commands = await copyingOf("README.md");
    for (const _again of [1, 2]) execFileSync("sh", ["-ec", commands], { cwd: ownPage.folder });
    expect(await readdir(join(ownPage.folder, "sineta"))).toContain("hints.js");

    const visitor = await visit({ url: `${ownPage.url}page.html`, desktop });
    const bell = visitor.page.locator("#bell");
    await expect(bell).toHaveText(labels.on);
    const sent = await server.run("send", "--to", "all", "--title", "Oi", "--body", "Oi");
    expect(sent.stdout).toContain("1 accepted");
    await desktop.notification("Oi");
    await bell.click();
    const second = click === "turns off" ? "DELETE" : "POST";
    const methods = () => visitor.registrations.map(({ method }) => method);
    await expect.poll(methods).toEqual(["POST", second]);
    await expect(bell).toHaveText(click === "turns off" ? labels.off : labels.on);
    expect(visitor.complaints).toEqual([]);
  });
}

test("the Portuguese README has the same page, with comments of its own", async () => {
  const codeOf = async (document: string) => (await pageOf(document)).replace(/ \/\/ [^\n]*/g, "");
  expect(await codeOf("README.pt-BR.md")).toBe(await codeOf("README.md"));
  expect(await copyingOf("README.pt-BR.md")).toBe(await copyingOf("README.md"));
});

/** The commands of the document that copy the client beside a page without React. */
async function copyingOf(document: string): Promise<string> {
  const text = await readFile(join(root, document), "utf8");
  for (const [, commands = ""] of text.matchAll(/```sh\n(.*?)```/gs)) {
    if (commands.includes(" sineta/")) return commands;
  }
  throw new Error(`${document} copies no client`);
}

/** The first page in the document that brings a button of its own. */
async function pageOf(document: string): Promise<string> {
  const text = await readFile(join(root, document), "utf8");
  const pages = text.matchAll(/```html\n(.*?)```/gs);
  for (const [, page = ""] of pages) if (page.includes("notificationsOf(")) return page;
  throw new Error(`${document} has no page`);
}
