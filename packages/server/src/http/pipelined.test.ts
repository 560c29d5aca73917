import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { createLog } from "../log.ts";
import { appBench, testAsker } from "../test/app-bench.ts";
import { testCertificate, testCertificateKey } from "../test/certificate.ts";
import { createFloodLog } from "./flood-log.ts";
import { listen, type Listener } from "./listen.ts";
import { mostWaiting } from "./one-at-a-time.ts";

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const large = new Uint8Array(3_000_000);

/** A server that answers 3 MB, or a body with its length, and counts its requests. */
async function start({ secure = false } = {}) {
  const logged: string[] = [];
  const log = createLog("warn", { write: (text) => logged.push(text) });
  const tls = secure ? { cert: testCertificate, key: testCertificateKey } : null;
  const listener = await listen(
    { host: "127.0.0.1", port: 0, tls },
    { tellOfFlood: createFloodLog(log) },
  );
  onTestFinished(() => listener.close(0));
  const counts = { begun: 0, mostOpen: 0 };
  const answers = new Set<HttpBindings["outgoing"] | Http2Bindings["outgoing"]>();
  const held = Promise.withResolvers<Response>();
  listener.serve(async (request, { outgoing }) => {
    counts.begun += 1;
    answers.add(outgoing);
    const open = [...answers].filter(({ destroyed }) => !destroyed);
    counts.mostOpen = Math.max(counts.mostOpen, open.length);
    const { pathname } = new URL(request.url);
    if (pathname === "/held") return held.promise;
    if (pathname === "/large") return new Response(large);
    return new Response(`${pathname} ${(await request.text()).length}`);
  });
  return {
    counts,
    logged: () => logged.map((line) => JSON.parse(line)),
    port: listener.port,
    answerHeld: () => held.resolve(new Response("held")),
    dial: () => dial(listener, { secure }),
  };
}

/** A connection on which nothing is read before the test asks for it. */
async function dial({ port }: Pick<Listener, "port">, { secure = false } = {}): Promise<Socket> {
  const where = { port, host: "127.0.0.1" };
  const socket = secure ? connectTls({ ...where, ca: testCertificate }) : connect(where);
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, secure ? "secureConnect" : "connect");
  socket.pause();
  return socket;
}

const send = (socket: Socket, text: string) =>
  new Promise<void>((resolve) => socket.write(text, () => resolve()));

/** What was sent to the server before this has been read by then: it has answered what was asked later. */
async function settled(port: number, path: string, { secure = false } = {}) {
  const socket = await dial({ port }, { secure });
  for (let count = 0; count < 20; count += 1) {
    await send(socket, get(path));
    await once(socket.resume(), "data");
  }
}

async function readTo(socket: Socket, end: string): Promise<string> {
  let text = "";
  for await (const part of socket) {
    text += String(part);
    if (text.endsWith(end)) return text;
  }
  throw new Error(`closed before ${end}`);
}

describe.for([
  ["http", false],
  ["https", true],
] as const)("by %s", ([, secure]) => {
  test("requests that are sent at once are answered one after the other, in their order", async () => {
    const { dial: open, counts } = await start({ secure });
    const socket = await open();
    const post = "POST /post HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";
    const head = "HEAD /large HTTP/1.1\r\nHost: a\r\n\r\n";
    await send(socket, get("/one") + post + head + get("/two") + get("/large") + get("/last"));
    const text = await readTo(socket, "/last 0");
    const lengths = [6, 7, large.length, 6, large.length, 7].map((bytes) => `${bytes}`);
    expect(Array.from(text.matchAll(/^content-length: (\d+)/gim), ([, of]) => of)).toEqual(lengths);
    expect(text.match(/\/\w+ \d/g)).toEqual(["/one 0", "/post 5", "/two 0", "/last 0"]);
    expect(counts).toEqual({ begun: 6, mostOpen: 1 });
  });

  test("a client that reads no answer is owed one", async () => {
    const { dial: open, counts, port } = await start({ secure });
    await send(await open(), get("/large").repeat(mostWaiting));
    await settled(port, "/small", { secure });
    // Its own, and those that are asked meanwhile, one at a time.
    expect(counts.mostOpen).toBeLessThanOrEqual(2);
  });
});

test("a connection on which too many requests wait is closed, and no other", async () => {
  const { dial: open, counts, port, logged, answerHeld } = await start();
  const most = await open();
  await send(most, get("/held") + get("/waits").repeat(mostWaiting));
  const more = await open();
  const closed = once(more, "close");
  more.resume();
  await send(more, get("/held") + get("/waits").repeat(mostWaiting + 1));
  await closed;
  await settled(port, "/small");
  // What waited on the connection that was closed is not begun.
  expect(counts).toMatchObject({ begun: 22 });
  expect(logged()).toMatchObject([
    { level: 40, address: "127.0.0.1", msg: "too many requests at once" },
  ]);
  answerHeld();
  const text = await readTo(most, "/waits 0");
  expect(text).toMatch(/^HTTP\/1.1 200 /);
});

test("requests that wait when their client goes away are not begun", async () => {
  const { dial: open, counts, port, answerHeld } = await start();
  const socket = await open();
  await send(socket, get("/held") + get("/waits").repeat(10));
  socket.destroy();
  await settled(port, "/small");
  answerHeld();
  await settled(port, "/small");
  expect(counts).toEqual({ begun: 41, mostOpen: 2 });
});

test("a table is read no further than its client takes it", async () => {
  const listener = await listen({ host: "127.0.0.1", port: 0, tls: null });
  onTestFinished(() => listener.close(0));
  const line = "a line of the table,".repeat(50);
  const taken = { lines: 0, ended: Promise.withResolvers<void>() };
  async function* endless() {
    try {
      for (;;) {
        taken.lines += 1;
        yield line;
      }
    } finally {
      taken.ended.resolve();
    }
  }
  const sockets = new Set<Socket>();
  listener.serve((request, { incoming }) => {
    if (new URL(request.url).pathname !== "/table") return new Response("small");
    sockets.add(incoming.socket);
    return new Response(ReadableStream.from(endless()).pipeThrough(new TextEncoderStream()));
  });
  const socket = await dial(listener);
  await send(socket, get("/table").repeat(10));
  // Until neither the server nor the operating system takes any more.
  for (let before = -1; before !== taken.lines;) {
    before = taken.lines;
    await settled(listener.port, "/small");
  }
  const owed = Array.from(sockets, ({ writableLength }) => writableLength);
  expect(owed).toHaveLength(1);
  expect(owed[0]).toBeLessThan(1_000_000);
  socket.destroy();
  await taken.ended.promise;
});

test("pictures that nobody reads lie in memory once", async () => {
  const bench = await appBench();
  onTestFinished(() => bench.close());
  const listener = await listen({ host: "127.0.0.1", port: 0, tls: null });
  onTestFinished(() => listener.close(0));
  listener.serve((request, bindings) => bench.app.fetch(request, bindings));
  // More than are kept (recent-images.ts).
  const paths = await Promise.all(Array.from({ length: 40 }, () => keepPicture(bench)));
  const before = process.memoryUsage().arrayBuffers;
  for (let connection = 0; connection < 50; connection += 1) {
    const wanted = Array.from({ length: 30 }, (_, index) => paths[(connection + index) % 40] ?? "");
    await send(await dial(listener), wanted.map(get).join(""));
  }
  await settled(listener.port, "/healthz");
  // All of them once; 450 MB were asked for.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(3 * 40 * 300_000);
});

/** @returns its path */
async function keepPicture({ store, project }: Awaited<ReturnType<typeof appBench>>) {
  const bytes = randomBytes(300_000);
  const hash = createHash("sha256").update(bytes).digest();
  const name = hash.toString("base64url");
  const image = { hash, bytes, type: "png" as const, widthPixels: 9, heightPixels: 9 };
  const audit = { ...testAsker, projectId: project.id, action: "image.added", subject: name };
  await store.images.add(project.id, image, 500, { ...audit, change: null }, 0);
  return `/images/${name}.png`;
}
