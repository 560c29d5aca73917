import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { publishedSchema } from "@sineta/protocol";
import { appBench } from "../test/app-bench.ts";
import { testCertificate, testCertificateKey } from "../test/certificate.ts";
import { listen } from "./listen.ts";

/** A body whose length nobody knows before its end. */
const inParts = (parts: Iterable<string> | AsyncIterable<string>) =>
  ReadableStream.from(parts).pipeThrough(new TextEncoderStream());

/** Breaks off when its beginning is on its way. */
async function* broken() {
  for (let piece = 0; piece < 3; piece += 1) {
    yield "a line of a table\n";
    await delay(20);
  }
  throw new Error("the rest cannot be read");
}

const large = "x".repeat(300_000);

/** Sineta itself, and answers of every kind besides. */
async function start({ secure = false } = {}) {
  const bench = await appBench();
  onTestFinished(() => bench.close());
  const tls = secure ? { cert: testCertificate, key: testCertificateKey } : null;
  const listener = await listen({ host: "127.0.0.1", port: 0, tls });
  onTestFinished(() => listener.close(0));
  listener.serve((request, bindings) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/parts") return new Response(inParts(["one ", "two ", "three"]));
    if (pathname === "/large") return new Response(large);
    if (pathname === "/broken") return new Response(inParts(broken()));
    if (pathname === "/nothing") return new Response(null, { status: 204 });
    return bench.app.fetch(request, bindings);
  });

  async function ask(text: string): Promise<string> {
    const where = { port: listener.port, host: "127.0.0.1" };
    const socket = secure ? connectTls({ ...where, ca: testCertificate }) : connect(where);
    await once(socket, secure ? "secureConnect" : "connect");
    socket.write(text);
    let answer = "";
    // Ends when the server closes the connection.
    for await (const part of socket) answer += String(part);
    return answer;
  }
  return { ask, bench };
}

const wishes = [
  ["nothing", ""],
  ["a connection that stays", "Connection: keep-alive\r\n"],
  ["chunks", "TE: chunked\r\n"],
  ["chunks and a connection that stays", "TE: chunked\r\nConnection: keep-alive, TE\r\n"],
] as const;

describe.for([
  ["http", false],
  ["https", true],
] as const)("a client of HTTP/1.0 that comes by %s", ([, secure]) => {
  test.for(wishes)(
    "gets no chunks, and its connection is closed, if it asks for %s",
    async ([, wish]) => {
      const { ask } = await start({ secure });
      const bodies = [
        ["/parts", "one two three"],
        ["/large", large],
        ["/healthz", '{"status":"ok"}'],
        ["/nothing", ""],
      ];
      for (const [path, body = ""] of bodies) {
        const answer = await ask(`GET ${path} HTTP/1.0\r\nHost: a\r\n${wish}\r\n`);
        const [head = "", ...rest] = answer.split("\r\n\r\n");
        expect(head).toMatch(/^HTTP\/1\.1 20[04] /);
        expect(head).toMatch(/\r\nConnection: close/i);
        expect(head).not.toMatch(/keep-alive|transfer-encoding/i);
        expect(rest.join("\r\n\r\n") === body).toBe(true);
      }
    },
  );

  test.for(wishes)(
    "gets the events of a message without chunks, and its end with the connection's, if it asks for %s",
    async ([, wish]) => {
      const { ask, bench } = await start({ secure });
      const key = await bench.key();
      const published = await bench.ask("messages", key, {
        target: { kind: "all" },
        notification: { title: "Olá" },
      });
      const { id } = publishedSchema.parse(await published.json());
      await bench.store.messages.cancel(bench.project.id, id, 2_000);
      const path = `/v1/projects/default/messages/${id}/events`;
      const answer = await ask(
        `GET ${path} HTTP/1.0\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n${wish}\r\n`,
      );
      const [head = "", body = ""] = answer.split("\r\n\r\n");
      expect(head).toMatch(/^HTTP\/1\.1 200 /);
      expect(head).toMatch(/\r\nConnection: close/i);
      expect(head).not.toMatch(/keep-alive|transfer-encoding/i);
      expect(body).toMatch(/^event: progress\ndata: [^\n]*\n\nevent: end\ndata: [^\n]*\n\n$/);
    },
  );

  test("gets one answer, however many requests it sends at once", async () => {
    const { ask } = await start({ secure });
    const request = "GET /healthz HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n";
    const answer = await ask(request.repeat(3));
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});

describe("a request that names no host", () => {
  test.for([
    ["GET /healthz HTTP/1.0\r\n\r\n", 200],
    ["GET /readyz HTTP/1.0\r\n\r\n", 200],
    ["GET /healthz?from=balancer HTTP/1.0\r\n\r\n", 200],
    ["HEAD /healthz HTTP/1.0\r\n\r\n", 200],
    ["GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n", 200],
    ["GET /readyz HTTP/1.1\r\nHost:   \r\nConnection: close\r\n\r\n", 200],
    ["GET /healthz HTTP/1.1\r\nHost:\r\nHost:\r\n\r\n", 400],
    ["GET /healthz HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 400],
    ["GET /healthz HTTP/1.1\r\n\r\n", 400],
    ["GET / HTTP/1.0\r\n\r\n", 400],
    ["GET /healthz/more HTTP/1.0\r\n\r\n", 400],
    ["GET /v1/projects/loja/config HTTP/1.0\r\n\r\n", 400],
    ["GET /metrics HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n", 400],
  ] as const)("%j is answered with %i", async ([request, status]) => {
    const { ask } = await start();
    expect(await ask(request)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});

test.for([
  ["http", false],
  ["https", true],
] as const)(
  "an answer to HTTP/1.0 that breaks off does not look whole by %s",
  async ([, secure]) => {
    const complaints = vi.spyOn(console, "error").mockReturnValue(undefined);
    onTestFinished(() => complaints.mockRestore());
    const { ask } = await start({ secure });
    await expect(ask("GET /broken HTTP/1.0\r\nHost: localhost\r\n\r\n")).rejects.toMatchObject({
      code: "ECONNRESET",
    });
    expect(complaints).toHaveBeenCalledOnce();
  },
);
