import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { createLog } from "../log.ts";
import { testCertificate, testCertificateKey } from "../test/certificate.ts";
import { createFloodLog } from "./flood-log.ts";
import { listen, type ListenLimits } from "./listen.ts";

/** So long that what ends within a test was ended by another limit. */
const never = 3_600_000;
const patient: Partial<ListenLimits> = {
  headersMs: never,
  requestMs: never,
  handshakeMs: never,
  keepAliveMs: never,
  idleMs: never,
  checkMs: 20,
};
const tls = { cert: testCertificate, key: testCertificateKey };

/** A clock that stands. The limit on what does not move asks for its time at each check. */
function checkedClock() {
  let nowMs = 0;
  let asked = 0;
  return {
    now: () => {
      asked += 1;
      return nowMs;
    },
    pass: (ms: number) => void (nowMs += ms),
    /** Two whole checks have been made from now on. */
    checked: async () => {
      const before = asked;
      await expect.poll(() => asked - before).toBeGreaterThan(2);
    },
  };
}

/** A server that answers once a body is there; one short limit at a time. */
async function start(
  limits: Partial<ListenLimits>,
  { secure = false, now }: { secure?: boolean; now?: () => number } = {},
) {
  const logged: string[] = [];
  const log = createLog("warn", { write: (text) => logged.push(text) });
  const listener = await listen(
    { host: "127.0.0.1", port: 0, tls: secure ? tls : null },
    {
      limits: { ...patient, ...limits },
      tellOfFlood: createFloodLog(log),
      ...(now === undefined ? {} : { now }),
    },
  );
  const large = Promise.withResolvers<"closed">();
  let writtenOfLarge = () => 0;
  listener.serve(async (request, { incoming }) => {
    if (new URL(request.url).pathname === "/large") {
      const { socket } = incoming;
      socket.once("close", () => large.resolve("closed"));
      writtenOfLarge = () => socket.bytesWritten;
      return new Response(new Uint8Array(50 * 1024 * 1024));
    }
    return new Response(`${(await request.arrayBuffer()).byteLength} bytes`);
  });
  const open: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await listener.close(0);
  });
  return {
    /** The server has closed the connection on which it answered with very much. */
    largeClosed: large.promise,
    /** The operating system takes no more of it. */
    largeStands: async () => {
      let last = 0;
      const stands = () => {
        const before = last;
        last = writtenOfLarge();
        return last > 0 && last === before;
      };
      await expect.poll(stands, { interval: 200 }).toBe(true);
    },
    logged: () => logged.map((line) => JSON.parse(line)),
    dial: async (localAddress = "127.0.0.1"): Promise<Client> => {
      const socket = connect({ port: listener.port, host: "127.0.0.1", localAddress });
      open.push(socket);
      await once(socket, "connect");
      return clientOf(socket);
    },
    dialTls: async (): Promise<Client> => {
      const socket = connectTls({ port: listener.port, host: "127.0.0.1", ca: testCertificate });
      open.push(socket);
      await once(socket, "secureConnect");
      return clientOf(socket);
    },
  };
}

type Client = {
  socket: Socket;
  /** Sends this again and again, as slowly as one byte each 20 ms, until the server has closed. */
  drip: (text: string) => void;
  /** All that came until the server closed. */
  closed: Promise<string>;
  /** The next part that comes. */
  next: () => Promise<string>;
};

function clientOf(socket: Socket): Client {
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part));
  // A server that closes may reset what is still on its way to it.
  socket.on("error", () => undefined);
  const closed = new Promise<string>((resolve) => {
    socket.once("close", () => resolve(Buffer.concat(parts).toString()));
  });
  return {
    socket,
    closed,
    next: async () => String((await once(socket, "data"))[0]),
    drip(text) {
      const dripping = setInterval(() => socket.write(text), 20);
      socket.once("close", () => clearInterval(dripping));
    },
  };
}

/** Reads so much, and nothing more. */
async function readBytes(socket: Socket, count: number): Promise<void> {
  let bytes = 0;
  const enough = Promise.withResolvers<void>();
  const take = (part: Buffer) => {
    bytes += part.length;
    if (bytes < count) return;
    socket.pause().off("data", take);
    enough.resolve();
  };
  socket.on("data", take).resume();
  await enough.promise;
}

const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n";

describe.for([
  ["http", false],
  ["https", true],
] as const)("by %s", ([, secure]) => {
  const set = async (limits: Partial<ListenLimits>) => {
    const server = await start(limits, { secure });
    return secure ? server.dialTls() : server.dial();
  };

  test("headers that come drop by drop are not waited for", async () => {
    const client = await set({ headersMs: 200 });
    client.socket.write("GET / HTTP/1.1\r\nHost: a\r\n");
    client.drip("X-A: b\r\n");
    expect(await client.closed).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n/);
  });

  test("a connection on which nothing ever comes is closed", async () => {
    const client = await set({ headersMs: 200 });
    expect(await client.closed).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  test("a body that comes drop by drop is not waited for", async () => {
    const client = await set({ headersMs: 200, requestMs: 200 });
    client.socket.write(post);
    client.drip("x");
    expect(await client.closed).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  test("chunks that come drop by drop neither", async () => {
    const client = await set({ headersMs: 200, requestMs: 200 });
    client.socket.write("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    client.drip("1\r\nx\r\n");
    expect(await client.closed).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  test("the server closes a connection once its client has read nothing for `idleMs`", async () => {
    const clock = checkedClock();
    const server = await start({ idleMs: 90_000 }, { secure, now: clock.now });
    const { socket } = secure ? await server.dialTls() : await server.dial();
    let closed = false;
    void server.largeClosed.then(() => (closed = true));
    socket.pause();
    socket.write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
    await server.largeStands();
    await clock.checked();
    clock.pass(89_999);
    await clock.checked();
    expect(closed).toBe(false);

    // What is read now makes room: something moves.
    await readBytes(socket, 10_000_000);
    await server.largeStands();
    await clock.checked();
    clock.pass(89_999);
    await clock.checked();
    expect(closed).toBe(false);
    clock.pass(1);
    await expect(server.largeClosed).resolves.toBe("closed");
  });

  test("a connection that is kept alive for nothing is closed", async () => {
    const client = await set({ keepAliveMs: 1 });
    client.socket.write(get);
    expect(await client.closed).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*0 bytes/);
  });

  test.for([
    ["no HTTP at all", "\u0016\u0003\u0001\r\n\r\n", 400],
    ["a broken header", "GET / HTTP/1.1\r\nHost: a\r\nA b: c\r\n\r\n", 400],
    ["a header without a host", "GET / HTTP/1.1\r\n\r\n", 400],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
    ],
    [
      "a length and chunks (request smuggling)",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      400,
    ],
    ["two hosts", "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\nhost: c\r\n\r\n", 400],
    ["one host twice", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400],
    ["a bare line feed", "GET / HTTP/1.1\nHost: a\n\n", 400],
    ["17 kB of headers", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(17 * 1024)}\r\n\r\n`, 431],
    ["17 kB of path", `GET /${"a".repeat(17 * 1024)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ["5,000 headers", `GET / HTTP/1.1\r\nHost: a\r\n${"a:b\r\n".repeat(5000)}\r\n`, 431],
  ] as const)("%s ends in a clean refusal", async ([, text, status]) => {
    const client = await set({});
    client.socket.write(text);
    const answer = await client.closed;
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    expect(answer).not.toContain("aaa");
  });
});

test("a TLS handshake that does not end is not waited for", async () => {
  const { dial } = await start({ handshakeMs: 200 }, { secure: true });
  const silent = await dial();
  const dripping = await dial();
  // The head of a client's first record, which announces 512 bytes.
  dripping.socket.write(Buffer.of(0x16, 0x03, 0x01, 0x02, 0x00));
  dripping.drip("\u0001");
  expect(await silent.closed).toBe("");
  expect(await dripping.closed).toBe("");
});

describe("connections", () => {
  test("of one address are bounded, others' are not touched; it is told once, and room comes back", async () => {
    const { dial, logged } = await start({ connectionsPerAddress: 3, mayHoldMany: () => false });
    const held = [await dial("127.0.0.2"), await dial("127.0.0.2"), await dial("127.0.0.2")];
    for (let count = 0; count < 5; count++) expect(await (await dial("127.0.0.2")).closed).toBe("");
    const other = await dial("127.0.0.3");
    other.socket.write(get);
    expect(await other.next()).toMatch(/^HTTP\/1\.1 200 /);
    expect(logged()).toMatchObject([
      { level: 40, address: "127.0.0.2", msg: "too many connections" },
    ]);

    const [first] = held;
    first?.socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    await first?.closed;
    const again = await dial("127.0.0.2");
    again.socket.write(get);
    expect(await again.next()).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("of a proxy are not bounded by address", async () => {
    const { dial } = await start({
      connectionsPerAddress: 1,
      mayHoldMany: (address) => address === "127.0.0.9",
    });
    const proxy = [await dial("127.0.0.9"), await dial("127.0.0.9"), await dial("127.0.0.9")];
    for (const { socket, next } of proxy) {
      socket.write(get);
      expect(await next()).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  test("in all are bounded, by https too, where handshakes count", async () => {
    const { dial, logged } = await start({ connections: 2 }, { secure: true });
    await dial("127.0.0.2");
    await dial("127.0.0.3");
    expect(await (await dial("127.0.0.4")).closed).toBe("");
    expect(await (await dial("127.0.0.5")).closed).toBe("");
    expect(logged()).toMatchObject([{ level: 40, connections: 2, msg: "too many connections" }]);
  });

  test("a thousand that say nothing keep nobody else waiting", async () => {
    const { dial } = await start({ headersMs: 500 });
    const silent = await Promise.all(Array.from({ length: 1000 }, () => dial("127.0.0.2")));
    const other = await dial("127.0.0.3");
    other.socket.write(get);
    expect(await other.next()).toMatch(/^HTTP\/1\.1 200 /);
    await Promise.all(silent.map(({ closed }) => closed));
  });
});
