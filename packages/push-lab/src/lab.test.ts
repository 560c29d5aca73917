import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer as createHttpsServer, get } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterEach, describe, expect, test } from "vitest";

import { startPushLab, type PushLab, type PushLabOptions } from "./lab.ts";
import { sendOverHttp2, signedPush } from "./test/application-server.ts";
import {
  checkIn,
  connectBrowser,
  openConnection,
  register,
  subscribe,
} from "./test/chromium-client.ts";
import { connectFirefox } from "./test/firefox-client.ts";

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanUp.splice(0).toReversed()) await clean();
});

const start = async (options?: PushLabOptions): Promise<PushLab> => {
  const lab = await startPushLab(options);
  cleanUp.push(lab.close);
  return lab;
};
const freshDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "push-lab-test-"));
  cleanUp.push(() => rm(directory, { recursive: true }));
  return directory;
};
const send = (lab: PushLab, endpoint: string, topic: string) =>
  sendOverHttp2(lab, signedPush({ endpoint, topic }));

test("the environment leads a server to the lab", async () => {
  const lab = await start();
  expect(lab.serverEnvironment).toEqual({
    NODE_EXTRA_CA_CERTS: join(lab.directory, "ca.pem"),
    SINETA_PUSH_ROUTES: [
      `jmt17.google.com=127.0.0.1:${lab.pushService.port}`,
      `updates.push.services.mozilla.com=127.0.0.1:${lab.pushService.port}`,
    ].join(","),
  });
  // Another process, as a server is: NODE_EXTRA_CA_CERTS is read at its start.
  const script = `
    for (const route of process.env.SINETA_PUSH_ROUTES.split(",")) {
      const [host, address] = route.split("=");
      const [ip, port] = address.split(":");
      const session = require("node:http2").connect("https://" + host, { host: ip, port, servername: host });
      session.request({ ":path": "/" }).once("response", (headers) => {
        console.log(headers[":status"]);
        session.destroy();
      });
    }`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], {
    env: lab.serverEnvironment,
  });
  expect(stdout).toBe("405\n405\n");
  expect(
    lab
      .pushes()
      .map(({ endpoint }) => endpoint)
      .toSorted(),
  ).toEqual(lab.pushServices.map(({ origin }) => `${origin}/`).toSorted());
});

describe("certificates", () => {
  test("for a site are trusted by who trusts the lab, for its names only", async () => {
    const lab = await start();
    const { cert, key, certPath, keyPath } = await lab.certificateFor([
      "Shop.example",
      "127.0.0.2",
    ]);
    expect([await readFile(certPath, "utf8"), await readFile(keyPath, "utf8")]).toEqual([
      cert,
      key,
    ]);

    const site = createHttpsServer({ cert, key }, (_request, response) => response.end("hello"));
    site.listen(0, "127.0.0.1");
    await once(site, "listening");
    cleanUp.push(() => site.close());
    const address = site.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const ca = await readFile(lab.caPath);
    const visit = (servername: string) =>
      new Promise((resolve, reject) => {
        get({ host: "127.0.0.1", port, servername, ca, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).once("error", reject);
      });
    expect(await visit("shop.example")).toBe(200);
    await expect(visit("other.example")).rejects.toThrow(/altnames/);
  });

  test("are in files only their owner can read", async () => {
    const lab = await start();
    await lab.certificateFor(["shop.example"]);
    const files = await readdir(lab.directory);
    expect(files.toSorted()).toEqual(["ca.pem", "server-key.pem", "site-1.pem"]);
    for (const file of files)
      expect((await stat(join(lab.directory, file))).mode & 0o777).toBe(0o600);
  });

  test.each(["https://shop.example", "shop.example:443", "a , MAP *", "", "a_b", "-a"])(
    "are not made for %j",
    async (host) => {
      const lab = await start();
      await expect(lab.certificateFor([host])).rejects.toMatchObject({ code: "invalid-host" });
      expect(() => lab.chromium.argsFor({ hosts: [host] })).toThrow(/host name/);
    },
  );
});

test("a certificate for nobody is not made", async () => {
  const lab = await start();
  await expect(lab.certificateFor([])).rejects.toMatchObject({ code: "invalid-host" });
});

test("host names are played by rules before the one that closes everything else", async () => {
  const lab = await start();
  const [rules = ""] = lab.chromium
    .argsFor({ hosts: ["shop.example", "cdn.example"] })
    .flatMap((arg) => /^--host-resolver-rules=(.*)$/.exec(arg)?.[1] ?? []);
  expect(rules.split(" , ")).toEqual([
    "MAP shop.example 127.0.0.1",
    "MAP cdn.example 127.0.0.1",
    "MAP * ~NOTFOUND",
    "EXCLUDE localhost",
    "EXCLUDE 127.0.0.1",
  ]);
});

test("both push services are told, and Chromium's stands first", async () => {
  const lab = await start();
  expect(lab.pushServices).toEqual([
    lab.pushService,
    { ...lab.pushService, origin: "https://updates.push.services.mozilla.com" },
  ]);
});

test("a browser of either kind is served by one lab, and appears in one list", async () => {
  const lab = await start();
  const chromium = await checkIn(lab);
  const firefox = await connectFirefox(lab);
  const endpoints = [await subscribe(lab, chromium), (await firefox.register()).pushEndpoint ?? ""];
  for (const endpoint of endpoints)
    expect((await sendOverHttp2(lab, signedPush({ endpoint }))).status).toBe(201);
  expect(lab.subscriptions().map(({ endpoint, browser }) => [endpoint, browser])).toEqual([
    [endpoints[0], chromium.browser],
    [endpoints[1], firefox.uaid],
  ]);
  expect(lab.pushes().map(({ endpoint }) => endpoint)).toEqual(endpoints);
});

describe("nextPush", () => {
  test("gives each push once, in order, whether it is there or still comes", async () => {
    const lab = await start();
    const endpoint = await subscribe(lab, await checkIn(lab));
    await send(lab, endpoint, "a");
    await send(lab, endpoint, "b");
    expect((await lab.nextPush()).topic).toBe("a");
    expect((await lab.nextPush()).topic).toBe("b");
    const next = lab.nextPush();
    await send(lab, endpoint, "c");
    expect((await next).topic).toBe("c");
  });

  test("passes over what does not fit, until it does", async () => {
    const lab = await start();
    const fox = await checkIn(lab);
    const endpoint = await subscribe(lab, fox);
    const browser = await connectBrowser(lab, fox);
    await send(lab, endpoint, "a");
    await send(lab, endpoint, "b");
    expect((await lab.nextPush((push) => push.topic === "b")).acknowledged).toBe(false);
    const acknowledged = lab.nextPush((push) => push.acknowledged);
    await browser.nextMessage();
    browser.acknowledge();
    expect((await acknowledged).topic).toBe("a");
  });

  test("tells a push that is now or never apart from one that came too late", async () => {
    const lab = await start();
    const fox = await checkIn(lab);
    const endpoint = await subscribe(lab, fox);
    const nowOrNever = signedPush({ endpoint, ttl: "0" });
    await connectBrowser(lab, fox);
    const arriving = lab.nextPush();
    await sendOverHttp2(lab, nowOrNever);
    expect((await arriving).delivery).not.toBe("expired");
    expect(lab.pushes()[0]?.delivery).toBe("sent");
  });

  test("rejects when its filter throws", async () => {
    const lab = await start();
    const endpoint = await subscribe(lab, await checkIn(lab));
    await send(lab, endpoint, "a");
    const failing = lab.nextPush(() => {
      throw new TypeError("no such thing");
    });
    await expect(failing).rejects.toThrow("no such thing");
    expect((await lab.nextPush()).topic).toBe("a");
  });
});

test("a listener hears what happens, in order, until it stops listening", async () => {
  const lab = await start();
  const heard: string[] = [];
  const stop = lab.onEvent((event) => heard.push(event.type));
  const endpoint = await subscribe(lab, await checkIn(lab));
  await send(lab, endpoint, "a");
  await send(lab, endpoint, "a");
  stop();
  await send(lab, endpoint, "b");
  expect(heard).toEqual(["checked-in", "subscribed", "push", "push", "delivery"]);
});

describe("closing", () => {
  test("cuts every connection, answers who waits, and may be repeated", async () => {
    const lab = await startPushLab();
    const fox = await checkIn(lab);
    await connectBrowser(lab, fox);
    const firefox = await connectFirefox(lab);
    const idle = await openConnection(lab);
    lab.chromium.hangRegistrations();
    const hanging = register(lab, fox);
    const waiting = lab.nextPush();
    await Promise.all([
      expect(hanging).rejects.toThrow("fetch failed"),
      expect(waiting).rejects.toMatchObject({ code: "lab-closed" }),
      idle.closed,
      firefox.closed,
      lab.close(),
      lab.close(),
    ]);
    await expect(lab.until(() => undefined)).rejects.toMatchObject({ code: "lab-closed" });
    await lab.close();
  });

  test("leaves nothing that would keep the process", async () => {
    const script = `
      import { startPushLab } from ${JSON.stringify(new URL("index.ts", import.meta.url).href)};
      const lab = await startPushLab();
      await lab.close();
      console.log(process.getActiveResourcesInfo().filter((kind) => /TCP|TLS|HTTP|Timeout/.test(kind)));`;
    // That this process ends by itself is the other half of the check.
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--input-type=module",
      "-e",
      script,
    ]);
    expect(stdout).toBe("[]\n");
  });

  test("removes the folder the lab made, and leaves one it was given", async () => {
    const own = await start();
    await own.close();
    expect(existsSync(own.directory)).toBe(false);

    const directory = await freshDirectory();
    const lab = await start({ directory });
    await lab.close();
    expect(await readdir(directory)).toContain("ca.pem");
  });
});

describe("a lab that cannot start says what to change, and leaves nothing behind", () => {
  test("where a port is taken", async () => {
    const directory = await freshDirectory();
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    cleanUp.push(() => taken.close());
    const address = taken.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;

    await expect(startPushLab({ directory, ports: { messages: port } })).rejects.toMatchObject({
      code: "port-unavailable",
      message: expect.stringContaining(`127.0.0.1:${port} (EADDRINUSE): choose another port`),
    });
    // What had started before was stopped: its port can be taken.
    await start({ directory });
  });

  test("where its folder is a file, or cannot be made", async () => {
    const directory = await freshDirectory();
    const file = join(directory, "file");
    await writeFile(file, "");
    const cases = [
      [file, join(file, "ca.pem")],
      [join(file, "below"), join(file, "below")],
      [join(directory, "no", "parent"), join(directory, "no", "parent")],
    ] as const;
    for (const [unusable, named] of cases)
      await expect(startPushLab({ directory: unusable })).rejects.toMatchObject({
        code: "directory-unusable",
        message: expect.stringContaining(`cannot write ${named} (`),
      });
  });

  test("where a host name is none", async () => {
    await expect(startPushLab({ hosts: ["a b"] })).rejects.toMatchObject({ code: "invalid-host" });
  });
});

test("a folder is used again", async () => {
  const directory = await freshDirectory();
  await (await start({ directory })).close();
  const again = await start({ directory, hosts: ["push.example"] });
  const endpoint = await subscribe(again, await checkIn(again));
  expect((await send(again, endpoint, "a")).status).toBe(201);
});
