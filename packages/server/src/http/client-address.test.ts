import { once } from "node:events";
import { connect } from "node:net";
import { doctorHeader } from "@sineta/protocol";
import { Hono } from "hono";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../log.ts";
import { askFrom } from "../test/ask-from.ts";
import { clientAddress } from "./client-address.ts";
import { listen } from "./listen.ts";
import type { ProjectEnv } from "./origin.ts";

/** A server that answers with the address it takes its client to have. */
async function start(trustedProxies: readonly string[], host = "127.0.0.1") {
  const logged: string[] = [];
  const log = createLog("warn", { write: (text) => logged.push(text) });
  const app = new Hono<ProjectEnv>();
  app.use(clientAddress(trustedProxies, log));
  app.get("/", (context) =>
    context.text(`${context.get("address")}${context.get("addressIsShared") ? " shared" : ""}`),
  );
  const listener = await listen({ host, port: 0, tls: null });
  listener.serve((request, bindings) => app.fetch(request, bindings));
  onTestFinished(() => listener.close(0));
  const url = new URL(`http://127.0.0.1:${listener.port}/`);
  return {
    logged,
    port: listener.port,
    ask: async (from: string, forwardedFor?: string | string[], more = {}) => {
      const headers =
        forwardedFor === undefined ? more : { ...more, "X-Forwarded-For": forwardedFor };
      return (await askFrom(from, url, { headers })).text;
    },
  };
}

test("without a header it is the socket's other end", async () => {
  const { ask, logged } = await start(["127.0.0.9"]);
  expect(await ask("127.0.0.2")).toBe("127.0.0.2");
  expect(await ask("127.0.0.9")).toBe("127.0.0.9");
  expect(logged).toEqual([]);
});

test.for<[what: string, trusted: string[], header: string | string[], address: string]>([
  ["a client", ["127.0.0.9"], "203.0.113.7", "203.0.113.7"],
  [
    "what the client itself wrote, and the client",
    ["127.0.0.9"],
    "10.1.1.1, 203.0.113.7",
    "203.0.113.7",
  ],
  [
    "a chain of trusted proxies",
    ["127.0.0.9", "10.0.0.0/8"],
    "198.51.100.1, 203.0.113.7, 10.0.0.2, 10.9.9.9",
    "203.0.113.7",
  ],
  [
    "a stranger's proxy in the chain",
    ["127.0.0.9", "10.0.0.0/8"],
    "203.0.113.7, 192.0.2.1, 10.0.0.2",
    "192.0.2.1",
  ],
  ["trusted proxies alone", ["127.0.0.9", "10.0.0.0/8"], "10.0.0.1, 10.0.0.2", "10.0.0.1"],
  ["IPv6", ["127.0.0.9"], "2001:db8::7", "2001:db8::7"],
  ["IPv6 behind a block of IPv6", ["127.0.0.9", "fd00::/8"], "2001:db8::7, fd00::1", "2001:db8::7"],
  ["IPv4 in IPv6's form", ["127.0.0.9"], "::ffff:203.0.113.7", "203.0.113.7"],
  [
    "a trusted proxy in IPv6's form",
    ["127.0.0.0/8"],
    "203.0.113.7, ::ffff:127.0.0.1",
    "203.0.113.7",
  ],
  ["a port", ["127.0.0.9"], "203.0.113.7:4711", "203.0.113.7"],
  ["IPv6 in brackets", ["127.0.0.9"], "[2001:db8::7]", "2001:db8::7"],
  ["IPv6 with a port", ["127.0.0.9"], "[2001:db8::7]:4711", "2001:db8::7"],
  ["several headers", ["127.0.0.9"], ["10.1.1.1", "203.0.113.7"], "203.0.113.7"],
  ["empty entries", ["127.0.0.9"], " , ,203.0.113.7, ,", "203.0.113.7"],
  ["nothing", ["127.0.0.9"], "", "127.0.0.9"],
  ["commas", ["127.0.0.9"], ",,,,", "127.0.0.9"],
  ["garbage", ["127.0.0.9"], "<script>", "127.0.0.9"],
  ["garbage behind an address", ["127.0.0.9"], "203.0.113.7, unknown", "127.0.0.9"],
  ["a number that is no address", ["127.0.0.9"], "2130706433", "127.0.0.9"],
  ["a short form of IPv4", ["127.0.0.9"], "127.1", "127.0.0.9"],
  ["too large a number", ["127.0.0.9"], "999.1.1.1", "127.0.0.9"],
  ["an obfuscated name (RFC 7239)", ["127.0.0.9"], "_hidden", "127.0.0.9"],
  ["names of objects", ["127.0.0.9"], "__proto__, constructor", "127.0.0.9"],
  ["very much", ["127.0.0.9"], "203.0.113.7,".repeat(1200), "203.0.113.7"],
])("a trusted proxy says %s", async ([, trusted, header, address]) => {
  const { ask } = await start(trusted);
  expect(await ask("127.0.0.9", header)).toBe(address);
});

test("behind a named proxy a neighbour is a client, whatever it says of others behind itself", async () => {
  const { ask, logged } = await start(["127.0.0.9"]);
  expect(await ask("127.0.0.9", "10.1.1.1")).toBe("10.1.1.1");
  expect(logged).toEqual([]);
  expect(await ask("127.0.0.9", "203.0.113.7, 10.1.1.1")).toBe("10.1.1.1");
  expect(await ask("127.0.0.9", "203.0.113.7, 198.51.100.1")).toBe("198.51.100.1");
  expect(logged).toEqual([]);
});

test("a stranger's header is not believed", async () => {
  const { ask } = await start(["10.0.0.0/8"]);
  expect(await ask("127.0.0.2", "203.0.113.7, 10.0.0.1")).toBe("127.0.0.2 shared");
});

test("a proxy nearby that nobody declared: it is told of once, and its visitors share its address", async () => {
  const { ask, logged } = await start([]);
  expect(await ask("127.0.0.2", "203.0.113.7")).toBe("127.0.0.2 shared");
  expect(await ask("127.0.0.2", "203.0.113.8")).toBe("127.0.0.2 shared");
  expect(await ask("127.0.0.2")).toBe("127.0.0.2");
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, address: "127.0.0.2", msg: expect.stringContaining("SINETA_TRUSTED_PROXIES") },
  ]);
  for (let last = 10; last < 30; last++) await ask(`127.0.0.${last}`, "203.0.113.7");
  expect(logged).toHaveLength(10);
});

test("the log takes a request of the doctor for no proxy", async () => {
  const { ask, logged } = await start([]);
  await ask("127.0.0.2", "192.0.2.77", { [doctorHeader]: "token" });
  expect(logged).toEqual([]);
  await ask("127.0.0.2", "203.0.113.7");
  expect(logged).toHaveLength(1);
});

test("on a socket for both families, IPv4 is IPv4", async () => {
  const { ask } = await start(["127.0.0.9"], "::");
  expect(await ask("127.0.0.2")).toBe("127.0.0.2");
  expect(await ask("127.0.0.2", "203.0.113.7")).toBe("127.0.0.2 shared");
  expect(await ask("127.0.0.9", "203.0.113.7")).toBe("203.0.113.7");
});

test("bytes that are no text do not end the process", async () => {
  const { port, ask } = await start(["127.0.0.0/8"]);
  const socket = connect(port, "127.0.0.1");
  socket.write(
    Buffer.from("GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: \xff\xfe\x80\r\n", "latin1"),
  );
  socket.end("Connection: close\r\n\r\n");
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part));
  await once(socket, "end");
  expect(Buffer.concat(parts).toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*127\.0\.0\.1/);
  expect(await ask("127.0.0.1", "203.0.113.7")).toBe("203.0.113.7");
});
