import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { get } from "node:https";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { pageConfigSchema } from "@sineta/protocol";
import { testBrowser } from "../test/browser.ts";
import { testCertificate, testCertificateKey } from "../test/certificate.ts";
import { siteClient, untilRefused } from "../test/http-client.ts";
import { testPlaces } from "../test/places.ts";
import {
  readyLine,
  startFull,
  startSineta,
  startSinetaByNpm,
  type TestProcess,
} from "../test/process.ts";

let bench: ReturnType<typeof testPlaces>;
let processes: TestProcess[];
beforeEach(() => {
  bench = testPlaces();
  processes = [];
});
afterEach(async () => {
  for (const { kill } of processes) kill("SIGKILL");
  await Promise.all(processes.map(({ ended }) => ended));
  rmSync(bench.folder, { recursive: true });
});

function sineta(words: string[], environment: Record<string, string> = {}): TestProcess {
  const child = startSineta(words, {
    places: bench.places,
    folder: bench.folder,
    environment: { SINETA_PORT: "0", ...environment },
  });
  processes.push(child);
  return child;
}

async function readyAt(server: TestProcess): Promise<string> {
  return (await server.line(readyLine))[1] ?? "";
}

describe("sineta serve", () => {
  test("stops when the npm that ran it is gone, which hands on no signal", async () => {
    const server = startSinetaByNpm(["serve"], bench);
    processes.push(server);
    await readyAt(server);
    server.kill("SIGTERM");
    // It has ended once nobody holds its output any more, and the next one may take the data folder.
    expect((await server.ended).stderr).toContain('"stopping"');
    await readyAt(sineta(["serve"]));
  });

  test("goes on when nobody reads its log any more", async () => {
    const server = sineta(["serve"]);
    const site = await readyAt(server);
    server.stopReading();
    const client = await siteClient(site);
    // A refused origin is a line in the log.
    for (const host of ["one", "two"]) {
      const headers = { Origin: `https://${host}.example` };
      expect(
        (await fetch(`${client.project}/registrations`, { method: "POST", headers })).status,
      ).toBe(403);
    }
    expect((await client.register()).status).toBe(201);
    server.kill("SIGTERM");
    expect((await server.ended).status).toBe(0);
  });

  test("is ready with the port it really has; page, registration, stop", async () => {
    const server = sineta(["serve"]);
    const site = await readyAt(server);
    expect(site).toMatch(/^http:\/\/localhost:[1-9]\d*\/$/);

    const page = await (await fetch(site)).text();
    const json = /id="sineta-config">(.*?)<\/script>/.exec(page)?.[1] ?? "null";
    const pageConfig = pageConfigSchema.parse(JSON.parse(json));
    expect(pageConfig).toMatchObject({ worker: "/sineta-sw.js", allowLoopback: true });

    const client = await siteClient(site);
    const { status, token } = await client.register();
    expect(status).toBe(201);
    const { port } = new URL(site);
    for (const host of ["127.0.0.1", "[::1]", "localhost"]) {
      const { headers } = await fetch(`${client.project}/config`, {
        headers: { Origin: `http://${host}:${port}` },
      });
      expect(headers.get("Access-Control-Allow-Origin")).toBe(`http://${host}:${port}`);
    }

    server.kill("SIGTERM");
    const { status: exit, stdout, stderr } = await server.ended;
    expect(exit).toBe(0);
    const [ready, link, ...more] = stdout.split("\n");
    expect(ready).toBe(`Sineta is ready: ${site}`);
    expect(link).toContain(`${site}painel/convite#`);
    expect(more).toEqual([""]);
    expect(stderr).not.toContain(token);
    for (const line of stderr.trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("msg");
  });

  test("two tabs registering at once over two sockets: one registration", async () => {
    const client = await siteClient(await readyAt(sineta(["serve"])));
    const browser = testBrowser();
    const answers = await Promise.all(Array.from({ length: 6 }, () => client.register(browser)));
    expect(new Set(answers.map(({ token }) => token)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test("a body over the limit is a problem over a socket too, with and without its length", async () => {
    const client = await siteClient(await readyAt(sineta(["serve"])));
    const { headers } = client.request(testBrowser());
    const large = "x".repeat(1_000_000);
    const address = `${client.project}/registrations`;
    // Several times, because connections are used again: each has to be left in order.
    for (let times = 0; times < 6; times += 1) {
      const known = await fetch(address, { method: "POST", headers, body: large });
      expect(known.status).toBe(413);
      expect(await known.json()).toMatchObject({ code: "body-too-large" });
      const body = new Blob([large]).stream();
      const chunked = await fetch(address, { method: "POST", headers, body, duplex: "half" });
      expect(chunked.status).toBe(413);
      expect(await chunked.json()).toMatchObject({ code: "body-too-large" });
      expect((await client.register()).status).toBe(201);
    }
  });

  test("with a public URL pages of that origin register, and loopback is no secure page", async () => {
    const server = sineta(["serve"], { SINETA_PUBLIC_URL: "https://sino.example" });
    const site = await readyAt(server);
    const response = await fetch(site);
    expect(await response.text()).toContain('"allowLoopback":false');
    expect(response.headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
    const client = await siteClient(site);
    const { headers, ...rest } = client.request(testBrowser());
    const ask = (origin: string) =>
      fetch(`${client.project}/registrations`, {
        ...rest,
        headers: { ...headers, Origin: origin },
      });
    expect((await ask(client.origin)).status).toBe(403);
    expect((await ask("https://sino.example")).status).toBe(201);
    await server.line(/^It is reached at https:\/\/sino\.example\/$/);
  });

  test("bound to all addresses over plain http it says that the bell will not show", async () => {
    const server = sineta(["serve"], { SINETA_HOST: "0.0.0.0" });
    const page = await (await fetch(await readyAt(server))).text();
    expect(page).toContain('"allowLoopback":false');
    server.kill("SIGTERM");
    const { stderr } = await server.ended;
    expect(stderr).toContain("The bell will not show at http://0.0.0.0");
  });

  test("with a certificate it serves https itself", async () => {
    writeFileSync(join(bench.folder, "cert.pem"), testCertificate);
    writeFileSync(join(bench.folder, "key.pem"), testCertificateKey);
    const server = sineta(["serve"], { SINETA_TLS_CERT: "cert.pem", SINETA_TLS_KEY: "key.pem" });
    const site = await readyAt(server);
    expect(site).toMatch(/^https:\/\/localhost:\d+\/$/);
    const [response] = await once(get(site, { ca: testCertificate, agent: false }), "response");
    expect(await text(response)).toContain("sineta-config");
  });

  test("a stop lets a request under way end, and takes no new one", async () => {
    const server = sineta(["serve"]);
    const site = await readyAt(server);
    const client = await siteClient(site);
    const { headers, body } = client.request(testBrowser());
    const length = String(Buffer.byteLength(body));
    const slow = request(`${client.project}/registrations`, {
      method: "POST",
      agent: false,
      headers: { ...headers, "Content-Length": length, Expect: "100-continue" },
    });
    slow.flushHeaders();
    // The server has read the headers: it waits for the body.
    await once(slow, "continue");
    server.kill("SIGTERM");
    await untilRefused(site);
    slow.end(body);
    const [response] = await once(slow, "response");
    expect(response.statusCode).toBe(201);
    response.resume();
    expect(await server.ended).toMatchObject({ status: 0 });
  });

  test.each([
    ["with data", true],
    ["without data", false],
  ])("on a disk that is full, %s, it names the disk and no other cure", async (_what, hasData) => {
    if (hasData) {
      const server = sineta(["serve"]);
      await readyAt(server);
      server.kill("SIGTERM");
      await server.ended;
    }
    const full = startFull(["serve"], bench);
    processes.push(full);
    const { status, stdout, stderr } = await full.ended;
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toBe(
      "sineta: The disk of the data folder is full, so the command cannot do its work: free space on the disk that has " +
        `${bench.dataFolder}, then run the command again.\n`,
    );
  });

  test("a second signal ends it at once", async () => {
    const server = sineta(["serve"]);
    const site = await readyAt(server);
    const client = await siteClient(site);
    const { headers } = client.request(testBrowser());
    const slow = request(`${client.project}/registrations`, {
      method: "POST",
      agent: false,
      headers: { ...headers, "Content-Length": "10", Expect: "100-continue" },
    });
    const broken = once(slow, "error");
    slow.flushHeaders();
    await once(slow, "continue");
    server.kill("SIGTERM");
    await untilRefused(site);
    server.kill("SIGTERM");
    // Ended by the signal, not by the soft stop.
    expect(await server.ended).toMatchObject({ status: null });
    await broken;
  });
});

describe("sineta serve that cannot start says why in one sentence", () => {
  async function failure(environment: Record<string, string>): Promise<string> {
    const { status, stdout, stderr } = await sineta(["serve"], environment).ended;
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr.trim().split("\n")).toHaveLength(1);
    return stderr;
  }

  test("port in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const message = await failure({ SINETA_PORT: String(port) });
    expect(message).toContain(`Port ${port} on 127.0.0.1 is taken`);
    expect(message).toContain("SINETA_PORT");
    other.close();
  });

  test("no address of this machine", async () => {
    // Reserved for documentation (RFC 5737).
    expect(await failure({ SINETA_HOST: "192.0.2.1" })).toMatch(/192\.0\.2\.1 .*SINETA_HOST/);
  });

  test("data folder in use", async () => {
    await readyAt(sineta(["serve"]));
    expect(await failure({})).toMatch(/Another Sineta server .*SINETA_DATA/);
  });

  test("data folder that cannot be written", async () => {
    writeFileSync(join(bench.folder, "file"), "");
    expect(await failure({ SINETA_DATA: "file/data" })).toMatch(/cannot be used .*SINETA_DATA/);
  });

  test("a database that is a folder", async () => {
    mkdirSync(join(bench.dataFolder, "sineta.db"), { recursive: true });
    expect(await failure({})).toContain("sineta.db is not a file: move it away");
  });

  test("wrong setting", async () => {
    expect(await failure({ SINETA_LOG_LEVEL: "loud" })).toContain('SINETA_LOG_LEVEL is "loud"');
  });

  test("site not built", async () => {
    rmSync(bench.places.siteFolder, { recursive: true });
    expect(await failure({})).toContain("npm run build");
  });
});
