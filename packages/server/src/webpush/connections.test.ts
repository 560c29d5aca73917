import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createServer as createTcpServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { createConnections } from "./connections.ts";
import { checkEndpoint } from "./endpoint.ts";
import type { Outcome } from "./outcome.ts";
import { makeCertificates, type TestCertificates } from "./testing/certificates.ts";
import {
  listen,
  startPushService,
  type ReceivedPush,
  type TestPushService,
} from "./testing/push-service.ts";
import { playedHost, sendTo, type TestSending } from "./testing/sending.ts";

const run = promisify(execFile);
let certificates: TestCertificates;
const undo: (() => Promise<void>)[] = [];

beforeAll(async () => {
  certificates = await makeCertificates([playedHost]);
});
afterEach(async () => {
  await Promise.all(undo.splice(0).map((end) => end()));
});

type Options = Parameters<typeof sendTo>[2];

async function start(
  service: Omit<Parameters<typeof startPushService>[0], "certificates">,
  options: Options = {},
): Promise<{ service: TestPushService } & TestSending> {
  const started = await startPushService({ certificates, ...service });
  return { service: started, ...sendingTo(started, options) };
}

function sendingTo(
  service: { port: number; close: () => Promise<void> },
  options: Options = {},
): TestSending {
  const sending = sendTo(service.port, certificates, options);
  undo.push(() => sending.sender.close().then(service.close));
  return sending;
}

function accept({ stream }: ReceivedPush): void {
  stream.respond({ ":status": 201 }, { endStream: true });
}

function count(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) {
    const name = "reason" in outcome ? `${outcome.kind} ${outcome.reason}` : outcome.kind;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe("sessions", () => {
  test("200 pushes at once and 20 one after the other go over one connection, each stream ending well", async () => {
    const { service, send, sendMany } = await start({ onPush: accept });
    expect(count(await sendMany(200))).toEqual({ accepted: 200 });
    for (let turn = 0; turn < 20; turn += 1) await send();
    expect(service.connections()).toBe(1);
    expect(service.received).toHaveLength(220);
    expect(service.received.every(({ stream }) => stream.rstCode === 0)).toBe(true);
  });

  test("that were idle are closed, and the next push opens a new one", async () => {
    const { service, send } = await start({ onPush: accept }, { deadlines: { idleMs: 20 } });
    await send();
    const { session } = await service.arrival(0);
    await closed(session);
    expect(await send()).toEqual({ kind: "accepted", status: 201 });
    expect(service.connections()).toBe(2);
  });

  test("that end by themselves are replaced", async () => {
    const { service, send } = await start({ onPush: accept });
    await send();
    const { session } = await service.arrival(0);
    const end = closed(session);
    session.close();
    await end;
    expect(await send()).toEqual({ kind: "accepted", status: 201 });
    expect(service.connections()).toBe(2);
  });
});

describe("MAX_CONCURRENT_STREAMS", () => {
  /** Answers when told to; knows how many streams were open at once. */
  function counting() {
    let open = 0;
    let peak = 0;
    return {
      peak: () => peak,
      forget: () => {
        peak = 0;
      },
      onHeaders: ({ stream }: Pick<ReceivedPush, "stream">) => {
        open += 1;
        peak = Math.max(peak, open);
        stream.on("close", () => {
          open -= 1;
        });
      },
    };
  }

  test.each([1, 3])("of %i is never exceeded", async (maxConcurrentStreams) => {
    const { peak, onHeaders } = counting();
    const { service, sendMany } = await start({
      settings: { maxConcurrentStreams },
      onHeaders,
      onPush: accept,
    });
    expect(count(await sendMany(40))).toEqual({ accepted: 40 });
    expect(peak()).toBe(maxConcurrentStreams);
    expect(service.connections()).toBe(1);
  });

  test("that shrinks is obeyed from then on", async () => {
    const { peak, forget, onHeaders } = counting();
    const held: ReceivedPush[] = [];
    let holding = true;
    const { service, sendMany } = await start({
      settings: { maxConcurrentStreams: 10 },
      onHeaders,
      onPush: (push) => {
        if (holding) held.push(push);
        else accept(push);
      },
    });
    const outcomes = sendMany(60);
    const { session } = await service.arrival(9);
    expect(peak()).toBe(10);
    await new Promise<void>((resolve) => {
      session.settings({ maxConcurrentStreams: 1 }, () => {
        resolve();
      });
    });
    holding = false;
    for (const push of held.splice(0)) accept(push);
    await service.arrival(10);
    forget();
    expect(count(await outcomes)).toEqual({ accepted: 60 });
    expect(peak()).toBe(1);
    expect(service.connections()).toBe(1);
  });

  test("of 0 makes pushes wait until their deadline, or until it grows", async () => {
    const { service, send } = await start(
      { settings: { maxConcurrentStreams: 0 }, onPush: accept },
      { deadlines: { requestMs: 500 } },
    );
    expect(await send()).toMatchObject({ kind: "retry", reason: "queue-timed-out" });
    expect(service.received).toHaveLength(0);
    const outcome = send();
    service.sessions[0]?.settings({ maxConcurrentStreams: 1 });
    expect(await outcome).toEqual({ kind: "accepted", status: 201 });
    expect(service.connections()).toBe(1);
  });

  test("of 0 does not keep a connection open that has become idle", async () => {
    const { service, send } = await start(
      { settings: { maxConcurrentStreams: 0 }, onPush: accept },
      { deadlines: { requestMs: 200, idleMs: 20 } },
    );
    expect(await send()).toMatchObject({ kind: "retry", reason: "queue-timed-out" });
    const [session] = service.sessions;
    if (session === undefined) throw new Error("no session was opened");
    await closed(session);
    // Nor is its end taken for the push service's: the next push waits for a stream of a new connection.
    expect(await send()).toMatchObject({ kind: "retry", reason: "queue-timed-out" });
    expect(service.connections()).toBe(2);
  });
});

test("more pushes than may wait for one push service are turned away at once", async () => {
  const held: ReceivedPush[] = [];
  let holding = true;
  const { service, sendMany } = await start(
    {
      settings: { maxConcurrentStreams: 2 },
      onPush: (push) => {
        if (holding) held.push(push);
        else accept(push);
      },
    },
    { mostWaiting: 3 },
  );
  const first = sendMany(3);
  await service.arrival(1);
  // Two are under way and one waits: there is room for two more.
  const second = sendMany(5);
  holding = false;
  for (const push of held) accept(push);
  expect(count(await first)).toEqual({ accepted: 3 });
  expect(count(await second)).toEqual({ accepted: 2, "retry queue-full": 3 });
});

describe("streams that break", () => {
  test.each([
    ["INTERNAL_ERROR", 2, "stream-broken"],
    ["REFUSED_STREAM", 7, "stream-refused"],
    ["CANCEL", 8, "stream-broken"],
    ["ENHANCE_YOUR_CALM", 11, "stream-broken"],
  ])("by %s are tried again", async (_name, code, reason) => {
    const { service, send } = await start({
      onPush: ({ stream }) => {
        stream.close(code);
      },
    });
    expect(await send()).toMatchObject({ kind: "retry", reason, notBefore: null });
    expect(await send()).toMatchObject({ kind: "retry", reason });
    expect(service.connections()).toBe(1);
  });

  test("with their connection are tried again, over a new one", async () => {
    let broken = false;
    const { service, send, sendMany } = await start({
      settings: { maxConcurrentStreams: 5 },
      onPush: (push) => {
        if (broken) accept(push);
      },
    });
    const outcomes = sendMany(8);
    const { session } = await service.arrival(4);
    broken = true;
    session.destroy();
    // Five were under way; three waited and notice nothing.
    expect(count(await outcomes)).toEqual({ "retry stream-broken": 5, accepted: 3 });
    expect(await send()).toMatchObject({ kind: "accepted" });
    expect(service.connections()).toBe(2);
  });
});

describe("GOAWAY in the middle of a burst", () => {
  /** Ten pushes are under way and ten wait when the session is told to go away after its fourth stream. */
  async function burst(code: number) {
    const held: ReceivedPush[] = [];
    const { service, send, sendMany } = await start({
      settings: { maxConcurrentStreams: 10 },
      onPush: (push) => {
        if (push.connection === 0) held.push(push);
        else accept(push);
      },
    });
    const outcomes = sendMany(20);
    const { session } = await service.arrival(9);
    session.goaway(code, held[3]?.stream.id);
    // The waiting ten arrive on a second session while the first is still open.
    await service.arrival(19);
    for (const push of held.slice(0, 4)) {
      if (!push.stream.destroyed) accept(push);
    }
    const counts = count(await outcomes);
    expect(await send()).toMatchObject({ kind: "accepted" });
    expect(service.connections()).toBe(2);
    return counts;
  }

  test("lets what was taken end, calls the rest refused, and goes on over a new session", async () => {
    expect(await burst(0)).toEqual({ accepted: 4 + 10, "retry stream-refused": 6 });
  });

  test("with an error breaks what was taken, and only that may have been accepted", async () => {
    expect(await burst(11)).toEqual({
      "retry stream-broken": 4,
      "retry stream-refused": 6,
      accepted: 10,
    });
  });
});

test("a request that cannot be written is the caller's error, and no other request's", async () => {
  const service = await startPushService({ certificates, onPush: accept });
  const checked = checkEndpoint(`https://${playedHost}/1`, {
    hosts: [],
    routes: [{ host: playedHost, port: 443, address: "127.0.0.1", addressPort: service.port }],
  });
  if (!checked.ok) throw new Error(checked.reason);
  const connections = createConnections({ ca: certificates.ca });
  undo.push(() => connections.close().then(service.close));
  const exchange = (headers: Record<string, string>) =>
    connections.exchange(checked.target, { path: "/1", headers, body: null });
  const outcomes = Promise.allSettled([
    exchange({ ttl: "1" }),
    exchange({ "no name": "x" }),
    exchange({ ttl: "2" }),
  ]);
  expect(await outcomes).toMatchObject([
    { status: "fulfilled", value: { kind: "answered", status: 201 } },
    { status: "rejected" },
    { status: "fulfilled", value: { kind: "answered", status: 201 } },
  ]);
});

describe("a push service that hangs", () => {
  test("before an answer: the push is given up, the session that still lives is kept", async () => {
    const { service, send } = await start(
      {
        onPush: (push) => {
          if (push.stream.id !== 1) accept(push);
        },
      },
      { deadlines: { requestMs: 500 } },
    );
    expect(await send()).toMatchObject({ kind: "retry", reason: "answer-timed-out" });
    expect(await send()).toEqual({ kind: "accepted", status: 201 });
    const { stream } = await service.arrival(0);
    expect(stream.rstCode).toBe(8);
    expect(service.connections()).toBe(1);
  });

  test("for good: the session that answers no PING is dropped", async () => {
    const service = await startSilentHttp2();
    const { send } = sendingTo(service, { deadlines: { requestMs: 500, connectMs: 500 } });
    expect(await send()).toMatchObject({ kind: "retry", reason: "answer-timed-out" });
    await closed(await service.connection(0));
    expect(await send()).toMatchObject({ kind: "retry", reason: "answer-timed-out" });
    await service.connection(1);
  });

  test("before SETTINGS, or in the TLS handshake: there is no connection", async () => {
    for (const server of [
      await startSilentHttp2({ settings: false }),
      await listen(createTcpServer()),
    ]) {
      const { send } = sendingTo(server, { deadlines: { connectMs: 100 } });
      expect(await send()).toMatchObject({ kind: "retry", reason: "connect-timed-out" });
    }
  });
});

describe("a push service that is not there", () => {
  test("refuses the connection", async () => {
    const { port, close } = await listen(createTcpServer());
    await close();
    const { send } = sendingTo({ port, close: () => Promise.resolve() });
    expect(await send()).toMatchObject({
      kind: "retry",
      reason: "connect-failed",
      notBefore: null,
      detail: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test.each([
    ["before it said anything", []],
    // SETTINGS_MAX_CONCURRENT_STREAMS = 0, and nothing else (RFC 9113, section 6.5).
    ["before it took a request", [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0]],
  ])("hangs up on everybody %s: one attempt, shared by all who wait", async (_when, greeting) => {
    let connections = 0;
    const server = createTlsServer({ ...certificates, ALPNProtocols: ["h2"] }, (socket) => {
      connections += 1;
      socket.on("error", () => undefined);
      socket.end(Buffer.from(greeting));
    });
    const { sendMany } = sendingTo(await listen(server));
    expect(count(await sendMany(10))).toEqual({ "retry connect-failed": 10 });
    expect(connections).toBe(1);
  });

  test("shows a certificate that nobody here trusts, or another host's", async () => {
    const strangers = await makeCertificates([playedHost]);
    const others = await makeCertificates(["updates.push.services.mozilla.com"]);
    for (const [shown, trusted] of [
      [strangers, certificates],
      [others, others],
    ] as const) {
      const service = await startPushService({ certificates: shown, onPush: accept });
      const { sender, send } = sendTo(service.port, trusted);
      undo.push(() => sender.close().then(service.close));
      expect(await send()).toMatchObject({ kind: "retry", reason: "tls-failed" });
      expect(service.received).toHaveLength(0);
    }
  });

  test("has a route that leads nowhere", async () => {
    const { sender, push } = sendingTo({ port: 65_536, close: () => Promise.resolve() });
    expect(await sender.send(push)).toMatchObject({ kind: "retry", reason: "connect-failed" });
    expect(await sender.send(push)).toMatchObject({ kind: "retry", reason: "connect-failed" });
  });

  test("has no name", async () => {
    const failure = Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
    const { send } = sendingTo(await listen(createTcpServer()), {
      policy: { hosts: [], routes: [] },
      lookup: (_hostname, _options, callback) => {
        callback(failure, []);
      },
    });
    expect(await send()).toMatchObject({ kind: "retry", reason: "name-not-resolved" });
  });

  test.each(["127.0.0.1", "::1", "169.254.169.254", "::ffff:127.0.0.1"])(
    "is at %s by DNS, which is not connected to",
    async (address) => {
      const asked: string[] = [];
      const { service, send } = await start(
        { onPush: accept },
        {
          policy: { hosts: [], routes: [] },
          lookup: (hostname, _options, callback) => {
            asked.push(hostname);
            callback(null, [{ address, family: address.includes(":") ? 6 : 4 }]);
          },
        },
      );
      expect(await send()).toMatchObject({
        kind: "failed",
        reason: "address-not-allowed",
        detail: expect.stringContaining(address),
      });
      expect(asked).toEqual([playedHost]);
      expect(service.connections()).toBe(0);
    },
  );
});

describe("close", () => {
  test("lets what is under way end, turns away what waits and what comes later, and is repeatable", async () => {
    const { service, sender, push, sendMany } = await start({
      settings: { maxConcurrentStreams: 2 },
    });
    const outcomes = sendMany(3);
    const first = await service.arrival(0);
    const second = await service.arrival(1);
    const closing = sender.close();
    const again = sender.close();
    const other = { ...push.subscription, endpoint: "https://web.push.apple.com/1" };
    for (const subscription of [push.subscription, other]) {
      const outcome = await sender.send({ ...push, subscription });
      expect(outcome).toMatchObject({ kind: "retry", reason: "sender-closed" });
    }
    accept(first);
    accept(second);
    expect(count(await outcomes)).toEqual({ accepted: 2, "retry sender-closed": 1 });
    await Promise.all([closing, again]);
    await sender.close();
  });

  test("ends by force what does not end by itself", async () => {
    const { service, sender, send } = await start({}, { deadlines: { closeMs: 50 } });
    const outcome = send();
    await service.arrival(0);
    await sender.close();
    expect(await outcome).toMatchObject({ kind: "retry", reason: "sender-closed" });
  });

  test("ends a connection that is only being made", async () => {
    const { promise: connected, resolve } = Promise.withResolvers<Socket>();
    const { sender, send } = sendingTo(await listen(createTcpServer(resolve)));
    const outcome = send();
    const socket = await connected;
    await sender.close();
    expect(await outcome).toMatchObject({ kind: "retry", reason: "sender-closed" });
    await closed(socket);
  });

  test("leaves nothing that keeps a process alive", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sineta-"));
    undo.push(() => rm(folder, { recursive: true }));
    const caFile = join(folder, "ca.pem");
    await writeFile(caFile, certificates.ca);
    const service = await startPushService({ certificates, onPush: accept });
    undo.push(service.close);
    const script = fileURLToPath(new URL("./testing/send-and-close.ts", import.meta.url));
    // Ends when the process does: an open socket or timer would hold it beyond this test's time.
    const { stdout } = await run(process.execPath, [script, String(service.port), caFile]);
    expect(stdout).toBe(Array.from({ length: 20 }, () => "accepted").join(" "));
  }, 20_000);
});

/** Speaks TLS and h2 by ALPN, sends SETTINGS if at all, and then never says anything again. */
async function startSilentHttp2({ settings = true } = {}) {
  const sockets: TLSSocket[] = [];
  const awaited = new Map<number, (socket: TLSSocket) => void>();
  const server = createTlsServer({ ...certificates, ALPNProtocols: ["h2"] }, (socket) => {
    socket.on("error", () => undefined);
    socket.resume();
    // An empty SETTINGS frame (RFC 9113, section 6.5).
    if (settings) socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
    sockets.push(socket);
    awaited.get(sockets.length - 1)?.(socket);
  });
  return {
    ...(await listen(server)),
    connection: (index: number): Promise<TLSSocket> => {
      const socket = sockets[index];
      if (socket !== undefined) return Promise.resolve(socket);
      return new Promise((resolve) => {
        awaited.set(index, resolve);
      });
    },
  };
}

function closed(ended: {
  readonly destroyed: boolean;
  once(event: "close", listener: () => void): unknown;
}): Promise<void> {
  if (ended.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    ended.once("close", resolve);
  });
}
