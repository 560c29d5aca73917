import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect } from "node:net";
import { Hono } from "hono";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { askFrom, type Answered } from "../test/ask-from.ts";
import { appBench, expectProblem, origin, registrationsPath, tokenOf } from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";
import { addressOf } from "../test/came-from.ts";
import { heapBytes } from "../test/heap-bytes.ts";
import { siteClient } from "../test/http-client.ts";
import { patience } from "../test/patience.ts";
import { testPlaces } from "../test/places.ts";
import { readyLine, startSineta } from "../test/process.ts";
import { listen } from "./listen.ts";
import type { ProjectEnv } from "./origin.ts";
import { rateLimit } from "./rate-limit.ts";

const receiptsPath = "/v1/projects/default/receipts";
const few = { registrationsPerMinute: 3, receiptsPerMinute: 4 };

afterEach(() => vi.useRealTimers());

/** The HTTP interface on a socket, with low limits. */
async function start(options: Parameters<typeof appBench>[0] = {}) {
  const bench = await appBench({ limits: few, ...options });
  const listener = await listen({ host: "127.0.0.1", port: 0, tls: null });
  listener.serve((request, bindings) => bench.app.fetch(request, bindings));
  onTestFinished(async () => {
    await listener.close(0);
    await bench.close();
  });
  const vapidKey = bench.project.keys.current.publicKey;
  const ask = (from: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    askFrom(from, new URL(path, `http://127.0.0.1:${listener.port}`), {
      headers: { Origin: origin, "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  return {
    bench,
    port: listener.port,
    register: (from: string, headers: Record<string, string> = {}, project = "default") => {
      const { subscription, clientSecret } = testBrowser();
      const own = { "Sineta-Client-Secret": clientSecret, ...headers };
      return ask(from, `/v1/projects/${project}/registrations`, { subscription, vapidKey }, own);
    },
    report: (from: string) => ask(from, receiptsPath, {}),
    look: (from: string) => ask(from, `${registrationsPath}/token/look`, {}),
    floods: () =>
      bench.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith("too many")),
  };
}

const statusOf = ({ status }: Answered) => status;

test("registrations are counted by address and project, receipts and looks by themselves", async () => {
  const { bench, register, report, look, floods } = await start();
  for (const status of [201, 201, 201, 429, 429]) {
    expect(statusOf(await register("127.0.0.2"))).toBe(status);
  }
  expect(await bench.live()).toBe(3);
  expect(statusOf(await register("127.0.0.3"))).toBe(201);
  expect(statusOf(await register("127.0.0.2", {}, "second"))).toBe(201);
  for (const status of [400, 400, 400, 400, 429]) {
    expect(statusOf(await report("127.0.0.2"))).toBe(status);
  }
  for (const status of [415, 415, 415, 429]) {
    expect(statusOf(await look("127.0.0.2"))).toBe(status);
  }
  expect(floods()).toMatchObject([
    { level: 40, address: "127.0.0.2", kind: "registrations" },
    { level: 40, address: "127.0.0.2", kind: "receipts" },
    { level: 40, address: "127.0.0.2", kind: "looks" },
  ]);
});

test("the refusal says when there is room again, and the project's pages can read it", async () => {
  const { register } = await start();
  for (let count = 0; count < 3; count++) await register("127.0.0.2");
  const { headers, text } = await register("127.0.0.2");
  expect(JSON.parse(text)).toMatchObject({ code: "too-many-requests", status: 429 });
  expect(headers["content-type"]).toBe("application/problem+json");
  expect(headers["access-control-allow-origin"]).toBe(origin);
  expect(headers["access-control-expose-headers"]).toBe("Retry-After");
  const seconds = Number(headers["retry-after"]);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
});

test("it is refused without its body being waited for", async () => {
  const { register, port } = await start();
  for (let count = 0; count < 3; count++) await register("127.0.0.2");
  const socket = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2" });
  onTestFinished(() => void socket.destroy());
  const headers = `Host: a\r\nOrigin: ${origin}\r\nContent-Type: application/json\r\nContent-Length: 900`;
  socket.write(`POST ${registrationsPath} HTTP/1.1\r\n${headers}\r\n\r\n{`);
  const [answer]: Buffer[] = await once(socket, "data");
  expect(answer?.toString()).toMatch(/^HTTP\/1\.1 429 /);
});

test("a flood of addresses takes little memory, and lets nobody ask more often", async () => {
  const app = new Hono<ProjectEnv>();
  app.use(async (context, next) => {
    context.set("address", context.req.header("From") ?? "");
    await next();
  });
  const parts = { tellOfFlood: () => undefined, pause: async () => undefined };
  app.post("*", rateLimit("test", 5, parts), (context) => context.body(null));
  app.onError((error, context) => context.text(error.message, 429));
  const ask = async (from: string) =>
    (await app.request("/", { method: "POST", headers: { From: from } })).status;
  for (let count = 0; count < 5; count += 1) expect(await ask("192.0.2.1")).toBe(200);
  const before = heapBytes();
  for (let address = 0; address < 150_000; address += 1) await ask(addressOf(address));
  expect(heapBytes() - before).toBeLessThan(30_000_000);
  expect(await ask("192.0.2.1")).toBe(429);
  expect(await ask("192.0.2.2")).toBe(200);
});

describe("without a socket, where all requests have one address", () => {
  test("a minute later there is room again; the log tells of a flood once a minute", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"] });
    const bench = await appBench({ limits: few });
    onTestFinished(() => bench.close());
    const floods = () => bench.logged.filter((line) => line.includes("too many requests")).length;
    const flood = async () => {
      for (let count = 0; count < 3; count++) {
        expect((await bench.post(testBrowser())).status).toBe(201);
      }
      for (let count = 0; count < 5; count++) {
        await expectProblem(await bench.post(testBrowser()), "too-many-requests");
      }
    };
    await flood();
    expect(floods()).toBe(1);
    vi.advanceTimersByTime(59_000);
    const late = await bench.post(testBrowser());
    await expectProblem(late, "too-many-requests");
    expect(late.headers.get("Retry-After")).toBe("1");
    vi.advanceTimersByTime(1_001);
    await flood();
    expect(floods()).toBe(2);
  });

  test("twice the limit is a flood, which waits for its answers; so many at once, others do not", async () => {
    const waiting: (() => void)[] = [];
    const pauseFlood = vi.fn<(milliseconds: number) => Promise<void>>(
      () => new Promise((resolve) => waiting.push(resolve)),
    );
    const bench = await appBench({ limits: few, pauseFlood });
    onTestFinished(() => bench.close());
    for (let count = 0; count < 6; count++) await bench.post(testBrowser());
    expect(pauseFlood).not.toHaveBeenCalled();
    const held = Array.from({ length: 256 }, async () => bench.post(testBrowser()));
    await vi.waitUntil(() => waiting.length === 256, patience);
    // One after the other.
    const each = Array.from({ length: 256 }, (_, index) => [4 * (index + 1)]);
    expect(pauseFlood.mock.calls).toEqual(each);
    // There is no room for one more to wait.
    await expectProblem(await bench.post(testBrowser()), "too-many-requests");
    for (const wake of waiting) wake();
    for (const refused of await Promise.all(held))
      await expectProblem(refused, "too-many-requests");
    const again = bench.post(testBrowser());
    await vi.waitUntil(() => waiting.length === 257, patience);
    waiting.at(-1)?.();
    await expectProblem(await again, "too-many-requests");
  });

  test("refreshing, joining, leaving a topic and leaving count the same; asking does not", async () => {
    const bench = await appBench({ limits: { ...few, registrationsPerMinute: 5 } });
    onTestFinished(() => bench.close());
    const browser = testBrowser();
    const secret = { "Sineta-Client-Secret": browser.clientSecret };
    await bench.store.topics.add(bench.project.id, { name: "ofertas", policy: "open" }, 1);
    const registered = await bench.post(browser);
    const token = await tokenOf(registered);
    expect((await bench.post(browser)).status).toBe(200);
    for (let count = 0; count < 20; count++) {
      const config = await bench.app.request("/v1/projects/default/config", {
        headers: { Origin: origin },
      });
      expect(config.status).toBe(200);
      const preflight = await bench.app.request(registrationsPath, {
        method: "OPTIONS",
        headers: { Origin: origin, "Access-Control-Request-Method": "POST" },
      });
      expect(preflight.status).toBe(204);
      await expectProblem(await bench.app.request(registrationsPath), "api-key-missing");
    }
    expect((await bench.topic("PUT", [token, "ofertas"], secret)).status).toBe(204);
    expect((await bench.topic("DELETE", [token, "ofertas"], secret)).status).toBe(204);
    await expectProblem(
      await bench.remove(token, testBrowser().clientSecret),
      "registration-unknown",
    );
    for (const refused of [
      await bench.topic("PUT", [token, "ofertas"], secret),
      await bench.topic("DELETE", [token, "ofertas"], secret),
      await bench.remove(token, browser.clientSecret),
      await bench.post(browser),
    ]) {
      await expectProblem(refused, "too-many-requests");
    }
  });
});

test("an address that visitors have used up removes registrations for operators all the same", async () => {
  const bench = await appBench({ limits: few });
  onTestFinished(() => bench.close());
  const token = await tokenOf(await bench.post(testBrowser()));
  for (let count = 0; count < 3; count += 1) await bench.post(testBrowser());
  await expectProblem(await bench.post(testBrowser()), "too-many-requests");
  const { headers } = await bench.operator("owner");
  const remove = `${registrationsPath}/${token}/remove`;
  expect((await bench.app.request(remove, { method: "POST", headers })).status).toBe(204);
});

describe("behind proxies", () => {
  test("each client behind a trusted one has a limit of its own, of IPv6 each /64", async () => {
    const { register, floods } = await start({ trustedProxies: ["127.0.0.9"] });
    const from = (address: string) => register("127.0.0.9", { "X-Forwarded-For": address });
    for (const status of [201, 201, 201, 429]) {
      expect(statusOf(await from("203.0.113.7"))).toBe(status);
    }
    expect(statusOf(await from("203.0.113.8"))).toBe(201);
    for (const [host, status] of [
      ["1", 201],
      ["2", 201],
      ["ffff:1", 201],
      ["a:b:c:d", 429],
    ] as const) {
      expect(statusOf(await from(`2001:db8:0:1::${host}`.replace("::a:b:c:d", ":a:b:c:d")))).toBe(
        status,
      );
    }
    expect(statusOf(await from("2001:db8:0:2::1"))).toBe(201);
    expect(floods()).toMatchObject([{ address: "203.0.113.7" }, { address: "2001:db8:0:1::/64" }]);
  });

  test("who claims to be others while no proxy is trusted is still one, if a hundredfold", async () => {
    const { register } = await start({
      limits: { registrationsPerMinute: 1, receiptsPerMinute: 1 },
    });
    for (let count = 0; count < 100; count++) {
      const claimed = { "X-Forwarded-For": `203.0.113.${count}` };
      expect(statusOf(await register("127.0.0.2", claimed))).toBe(201);
    }
    const claimed = { "X-Forwarded-For": "203.0.113.200" };
    expect(statusOf(await register("127.0.0.2", claimed))).toBe(429);
    // Without the header it is not a proxy's crowd.
    expect(statusOf(await register("127.0.0.2"))).toBe(201);
    expect(statusOf(await register("127.0.0.2"))).toBe(429);
  });
});

describe("a server as it is started, with no settings", () => {
  test("takes 60 registrations a minute from an address, and tells of more once", async () => {
    const { folder, places } = testPlaces();
    const server = startSineta(["serve"], { places, folder, environment: { SINETA_PORT: "0" } });
    onTestFinished(async () => {
      server.kill("SIGTERM");
      await server.ended;
      rmSync(folder, { recursive: true });
    });
    const client = await siteClient((await server.line(readyLine))[1] ?? "");
    const register = (from: string, forwardedFor: Record<string, string> = {}) => {
      const { headers, body } = client.request(testBrowser());
      const url = new URL(`${client.project}/registrations`);
      return askFrom(from, url, { headers: { ...headers, ...forwardedFor }, body });
    };
    const flood = await Promise.all(Array.from({ length: 70 }, () => register("127.0.0.2")));
    const statuses = flood.map(statusOf);
    expect(statuses.filter((status) => status === 201)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(statusOf(await register("127.0.0.3"))).toBe(201);

    server.kill("SIGTERM");
    const { stderr } = await server.ended;
    const floods = stderr.split("\n").filter((line) => line.includes("too many requests"));
    expect(floods).toHaveLength(1);
    expect(floods[0]).toContain("127.0.0.2");
  });
});
