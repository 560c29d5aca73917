import { createServer, type TLSSocket } from "node:tls";
import { describe, expect, test } from "vitest";
import { listen } from "./testing/push-service.ts";
import {
  continuationFrame,
  dataFrame,
  headersFrame,
  pingFrame,
  settingsFrame,
} from "./testing/raw-http2.ts";
import { flood, sendingScene } from "./testing/scene.ts";
import type { TestSending } from "./testing/sending.ts";

const { certificates, sendingTo, startRaw } = sendingScene();

/** Far below what a flood brings in a second, far above what an answer, its windows and the system's buffers hold. */
const mostBytes = 8 * 2 ** 20;

const padding: readonly [string, string] = ["x-padding", "x".repeat(1000)];
const status = (code: number): readonly [string, string] => [":status", String(code)];

describe("over HTTP/2", () => {
  type Flood = { readonly first: Uint8Array; readonly more: Uint8Array };

  /** A push service that answers the first push with `first`, and then with `more` for ever. */
  async function flooding({ first, more }: Flood, options: Parameters<typeof startRaw>[1] = {}) {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const started = await startRaw(
      {
        onRequest: (peer, stream, connection) => {
          if (connection > 0 || stream > 1) {
            peer.answer(stream, 201);
            return;
          }
          peer.write(first);
          resolve(flood(peer.socket, more));
        },
      },
      options,
    );
    return { ...started, over };
  }

  const headWithoutEnd = { endHeaders: false };
  const thousand = (frame: Uint8Array): Uint8Array =>
    Buffer.concat(Array.from({ length: 1000 }, () => frame));

  test.each<[string, Flood, object]>([
    [
      "headers (CONTINUATION)",
      {
        first: headersFrame(1, [status(201), padding], headWithoutEnd),
        more: continuationFrame(1, [padding]),
      },
      { kind: "retry", reason: "stream-broken" },
    ],
    [
      "empty CONTINUATION frames",
      {
        first: headersFrame(1, [status(201)], headWithoutEnd),
        more: continuationFrame(1, []),
      },
      { kind: "retry", reason: "stream-broken" },
    ],
    [
      "interim answers",
      { first: Buffer.alloc(0), more: headersFrame(1, [status(103), padding]) },
      { kind: "retry", reason: "stream-broken" },
    ],
    [
      "trailers: the status counts",
      {
        first: Buffer.concat([
          headersFrame(1, [status(201)]),
          headersFrame(1, [padding], { ...headWithoutEnd, endStream: true }),
        ]),
        more: continuationFrame(1, [padding]),
      },
      { kind: "accepted" },
    ],
    [
      "a body: its beginning and the status count",
      { first: headersFrame(1, [status(400)]), more: dataFrame(1, Buffer.alloc(1000, "x")) },
      { kind: "rejected", status: 400, detail: "x".repeat(200) },
    ],
  ])("endless %s", async (_what, what, outcome) => {
    const { service, send, over, sender } = await flooding(what);
    expect(await send()).toMatchObject(outcome);
    // Whatever became of the connection, the next push gets through.
    expect(await send()).toMatchObject({ kind: "accepted" });
    await sender.close();
    await over;
    expect(service.peers[0]?.socket.bytesWritten).toBeLessThan(mostBytes);
  });

  test("more header fields than anybody needs", async () => {
    const fields = Array.from({ length: 2000 }, (_, index) => [`x-${index}`, "x"] as const);
    const { send } = await startRaw({
      onRequest: (peer, stream, connection) => {
        if (connection > 0 || stream > 1) peer.answer(stream, 201);
        else peer.write(headersFrame(stream, [status(201), ...fields], { endStream: true }));
      },
    });
    expect(await send()).toMatchObject({ kind: "retry", reason: "stream-broken" });
    expect(await send()).toMatchObject({ kind: "accepted" });
  });

  test.each([
    ["two interim answers are", 2, [], "accepted"],
    ["a third interim answer is not", 3, [], "retry"],
    ["a head of 15 kB is", 0, Array.from({ length: 14 }, () => padding), "accepted"],
    ["a head of 17 kB is not", 0, Array.from({ length: 17 }, () => padding), "retry"],
  ] as const)("%s taken", async (_what, interims, fields, kind) => {
    const { send } = await startRaw({
      onRequest: (peer, stream) => {
        for (let sent = 0; sent < interims; sent += 1) {
          peer.write(headersFrame(stream, [status(103)]));
        }
        peer.write(headersFrame(stream, [status(201), ...fields], { endStream: true }));
      },
    });
    expect(await send()).toMatchObject({ kind });
  });

  test.each([
    ["PING frames whose answers nobody reads", thousand(pingFrame())],
    ["SETTINGS frames whose answers nobody reads", thousand(settingsFrame(100))],
  ])("endless %s: the connection is dropped", async (_what, frames) => {
    const { service, send } = await startRaw({
      onRequest: (peer, stream, connection) => {
        if (connection > 0) {
          peer.answer(stream, 201);
          return;
        }
        peer.socket.pause();
        void flood(peer.socket, frames);
      },
    });
    expect(await send()).toMatchObject({ kind: "retry", reason: "stream-broken" });
    expect(await send()).toMatchObject({ kind: "accepted" });
    expect(service.peers).toHaveLength(2);
    expect(service.peers[0]?.socket.bytesWritten).toBeLessThan(mostBytes);
  });

  test("endless empty DATA frames: the status counts, at the deadline at the latest", async () => {
    const { send, sender, over } = await flooding(
      { first: headersFrame(1, [status(410)]), more: thousand(dataFrame(1, Buffer.alloc(0))) },
      { deadlines: { requestMs: 1000 } },
    );
    expect(await send()).toEqual({ kind: "gone", status: 410 });
    await sender.close();
    await over;
  });
});

describe("over HTTP/1.1", () => {
  /** A push service that answers whatever comes on the first connection with `first`, and then with `more` for ever. */
  async function flooding(first: string, more: string) {
    const sockets: TLSSocket[] = [];
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const options = { ...certificates(), ALPNProtocols: ["http/1.1"] };
    const server = createServer(options, (socket) => {
      sockets.push(socket);
      socket.on("error", () => undefined);
      socket.once("data", () => {
        if (sockets.length > 1) {
          socket.end("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
          return;
        }
        socket.resume();
        socket.write(first);
        resolve(flood(socket, Buffer.from(more)));
      });
    });
    const sending: TestSending = sendingTo(await listen(server));
    return { ...sending, over, sockets };
  }

  const chunked = "Transfer-Encoding: chunked\r\n\r\n";
  test.each([
    [
      "header lines",
      "HTTP/1.1 201 Created\r\n",
      "X-Padding: x\r\n".repeat(100),
      { kind: "retry", reason: "stream-broken" },
    ],
    [
      "one header line",
      "HTTP/1.1 201 Created\r\nX-Padding: ",
      "x".repeat(1000),
      { kind: "retry", reason: "stream-broken" },
    ],
    ["status line", "HTTP/1.1 201 ", "x".repeat(1000), { kind: "retry", reason: "stream-broken" }],
    [
      "interim answers",
      "",
      "HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n",
      { kind: "retry", reason: "stream-broken" },
    ],
    [
      "100 Continue",
      "",
      "HTTP/1.1 100 Continue\r\n\r\n",
      { kind: "retry", reason: "stream-broken" },
    ],
    [
      "a body: its beginning and the status count",
      `HTTP/1.1 400 Bad\r\n${chunked}`,
      `3e8\r\n${"x".repeat(1000)}\r\n`,
      { kind: "rejected", status: 400, detail: "x".repeat(200) },
    ],
    [
      "chunk extension: the status counts",
      `HTTP/1.1 201 Created\r\n${chunked}1;`,
      "x".repeat(1000),
      { kind: "accepted" },
    ],
    [
      "trailers: the status counts",
      `HTTP/1.1 410 Gone\r\n${chunked}0\r\n`,
      "X-Padding: x\r\n".repeat(100),
      { kind: "gone" },
    ],
  ])("endless %s", async (_what, first, more, outcome) => {
    const { send, over, sockets } = await flooding(first, more);
    expect(await send()).toMatchObject(outcome);
    // The connection is dropped by itself, long before any deadline.
    await over;
    expect(sockets[0]?.bytesWritten).toBeLessThan(mostBytes);
    expect(await send()).toMatchObject({ kind: "accepted" });
  });
});
