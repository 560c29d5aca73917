/** A page on loopback tells its developer why there is no bell or token. No other page does. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { failedLine, noTokenLine, tokenOf } from "./support/bell.ts";
import { expect, test } from "./support/fixtures.ts";
import { serveHttps } from "./support/https.ts";
import type { OwnPage } from "./support/own-page.ts";
import { freePort } from "./support/server.ts";
import { vapidKeyOf } from "./support/vapid-key.ts";
import type { Visitor } from "./support/visitor.ts";

const hints = ({ complaints }: Visitor) => complaints.filter((text) => text.startsWith("Sineta: "));
const noBell = "Sineta: there is no bell, because ";
const noToken = "Sineta: there is no token, because ";

/** The page's address with what it tells `createMessaging`. */
function addressOf(page: OwnPage, options: Record<string, string>): string {
  return new URL(`?${new URLSearchParams(options)}`, page.url).href;
}

test("allowLoopback is missing", async ({ ownPage, server, visit }) => {
  const url = addressOf(ownPage, { server: server.url, vapidKey: "B", forgotten: "" });
  const visitor = await visit({ url });
  await expect
    .poll(() => visitor.complaints)
    .toEqual([
      `${noBell}this page is not https; for development on loopback, pass allowLoopback: true.`,
    ]);
  await expect(visitor.bell).toHaveCount(0);
  expect(visitor.lines).toEqual([]);
});

for (const madeByBell of [false, true]) {
  test(`the server's address has no scheme: the page goes on, ${madeByBell ? "where the bell makes the object" : "where the page makes the object"}`, async ({
    ownPage,
    visit,
  }) => {
    const options = {
      server: "avisos.example.com",
      vapidKey: "B",
      ...(madeByBell && { madeByBell: "" }),
    };
    const visitor = await visit({ url: addressOf(ownPage, options) });
    const sentence = `${noBell}the option server is "avisos.example.com"; pass an origin with its scheme`;
    await expect.poll(() => visitor.complaints).toEqual([expect.stringContaining(sentence)]);
    await expect(visitor.page.getByRole("heading")).toHaveText("Uma página de outra pessoa");
    await expect(visitor.bell).toHaveCount(0);
    expect(visitor.lines).toEqual([]);
  });
}

test("the browser has no push", async ({ ownPage, server, visit }) => {
  const url = addressOf(ownPage, { server: server.url, vapidKey: "B" });
  const visitor = await visit({
    url,
    before: () => void Reflect.deleteProperty(window, "PushManager"),
  });
  await expect
    .poll(() => visitor.complaints)
    .toEqual([expect.stringContaining(`${noBell}this page has no service workers, push or`)]);
  expect(visitor.lines).toEqual([]);
});

test("the worker's file is of the wrong type, or missing", async ({ ownPage, server, visit }) => {
  // Instead of a file that is not there this server of files sends the page.
  await rm(join(ownPage.folder, "sineta-sw.js"));
  const url = addressOf(ownPage, { server: server.url, vapidKey: await vapidKeyOf(server) });
  const visitor = await visit({ url });
  const sentence = `${noToken}the browser could not install the worker of ${ownPage.url}sineta-sw.js; copy `;
  await expect.poll(() => hints(visitor)).toEqual([expect.stringContaining(sentence)]);
  expect(hints(visitor)[0]).toContain("MIME type");
  await visitor.context.route("**/sineta-sw.js", (route) => route.fulfill({ status: 404 }));
  await visitor.page.reload();
  await expect.poll(() => hints(visitor).length).toBe(2);
  expect(hints(visitor)[1]).toContain(sentence);
  expect(hints(visitor)[1]).toContain("404");
  expect(visitor.lines).toEqual([failedLine, failedLine]);
});

test("the server does not allow the page's origin", async ({ ownPage, server, visit }) => {
  const url = addressOf(ownPage, { server: server.url, vapidKey: await vapidKeyOf(server) });
  const visitor = await visit({ url });
  await expect
    .poll(() => hints(visitor))
    .toEqual([
      expect.stringContaining(
        `${noToken}the server at ${new URL(server.url).origin} does not allow pages of ` +
          `${new URL(ownPage.url).origin}; add this page's origin to SINETA_ORIGINS, or to Ajustes in the console.`,
      ),
    ]);
  expect(visitor.lines).toEqual([failedLine]);
});

test("the server is away", async ({ ownPage, server, visit }) => {
  const away = `http://localhost:${await freePort()}`;
  const url = addressOf(ownPage, { server: away, vapidKey: await vapidKeyOf(server) });
  const visitor = await visit({ url });
  const sentence = `${noToken}no Sineta server answers this page at ${away};`;
  await expect.poll(() => hints(visitor)).toEqual([expect.stringContaining(sentence)]);
});

test("the hints' file is missing: the page has its error and its token all the same", async ({
  ownPage,
  serve,
  server,
  visit,
}) => {
  const assets = join(ownPage.folder, "assets");
  const files = (await readdir(assets)).filter((name) => name.startsWith("hints-"));
  expect(files).toHaveLength(1);
  for (const name of files) await rm(join(assets, name));
  const mine = await serve({ SINETA_ORIGINS: new URL(ownPage.url).origin });
  const wrong = { server: mine.url, vapidKey: await vapidKeyOf(server) };
  const visitor = await visit({ url: addressOf(ownPage, wrong) });
  await expect.poll(() => visitor.lines).toEqual([failedLine]);
  // The browser's own lines, of the registration and of the file.
  await expect
    .poll(() => visitor.complaints.toSorted())
    .toEqual([
      expect.stringContaining("a status of 400"),
      expect.stringContaining("a status of 404"),
    ]);
  const right = { ...wrong, vapidKey: await vapidKeyOf(mine) };
  await visitor.page.goto(addressOf(ownPage, right));
  await tokenOf(visitor);
  expect(hints(visitor)).toEqual([]);
});

test("the key is another server's", async ({ ownPage, serve, server, visit }) => {
  const mine = await serve({ SINETA_ORIGINS: new URL(ownPage.url).origin });
  const url = addressOf(ownPage, { server: mine.url, vapidKey: await vapidKeyOf(server) });
  const visitor = await visit({ url });
  const sentence = `${noToken}vapidKey is not the key of the server at ${new URL(mine.url).origin};`;
  await expect.poll(() => hints(visitor)).toEqual([expect.stringContaining(sentence)]);
  expect(visitor.lines).toEqual([failedLine]);
});

test("a page that is not on loopback says nothing, and loads no hints", async ({
  lab,
  serve,
  visit,
}) => {
  const host = "sino.example";
  const url = await serveHttps(lab, serve, host);
  const visitor = await visit({ url, hosts: [host], allows: false });
  await expect.poll(() => visitor.lines).toEqual([noTokenLine]);
  const loaded: string[] = [];
  visitor.page.on("request", (request) => loaded.push(request.url()));
  await visitor.context.route("**/sineta-sw.js", (route) => route.fulfill({ status: 404 }));
  await visitor.context.grantPermissions(["notifications"], { origin: new URL(url).origin });
  await visitor.bell.click();
  await expect.poll(() => visitor.lines).toEqual([noTokenLine, failedLine]);
  // Whatever that failure has set off has begun by the time the page answers this.
  await visitor.page.evaluate(() => undefined);
  expect(loaded.filter((one) => one.includes("hints"))).toEqual([]);
  expect(hints(visitor)).toEqual([]);
});
