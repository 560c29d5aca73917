import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { LabEvent } from "../events.ts";
import { type PushLab, startPushLab } from "../lab.ts";
import { checkIn, subscribe } from "../test/chromium-client.ts";

const host = "jmt17.google.com";
let lab: PushLab;
beforeAll(async () => {
  lab = await startPushLab();
});
afterAll(() => lab.close());

/** Says something to the proxy, and reads until it hangs up. */
async function answerTo(request: string): Promise<string> {
  const socket = connect(lab.proxy.port, "127.0.0.1");
  socket.write(request);
  return await text(socket);
}

async function openTunnel(to: PushLab = lab): Promise<Socket> {
  const socket = connect(to.proxy.port, "127.0.0.1");
  socket.write(`CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}:443\r\n\r\n`);
  const [answer] = await once(socket, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  return socket;
}

async function requestOver(socket: Duplex): Promise<string> {
  const { ca } = lab.reach(`https://${host}/`);
  const secure = connectTls({ socket, servername: host, ca });
  secure.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return await text(secure);
}

describe("a tunnel", () => {
  test("ends at the lab, in TLS that the lab's authority vouches for", async () => {
    expect(await requestOver(await openTunnel())).toMatch(/^HTTP\/1\.1 405 /);
  });

  test("is also found by a name in capitals", async () => {
    const socket = connect(lab.proxy.port, "127.0.0.1");
    socket.write(`CONNECT ${host.toUpperCase()}:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  test("loses nothing that was sent before it was open", async () => {
    const socket = connect(lab.proxy.port, "127.0.0.1");
    let asked = false;
    const impatient = new Duplex({
      read: () => {},
      write: (chunk: Uint8Array, _encoding, done) => {
        const request = asked ? "" : `CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
        asked = true;
        socket.write(Buffer.concat([Buffer.from(request), chunk]), done);
      },
    });
    socket.once("data", (answer: Buffer) => {
      impatient.push(answer.subarray(answer.indexOf("\r\n\r\n") + 4));
      socket.on("data", (chunk) => impatient.push(chunk));
      socket.once("end", () => impatient.push(null));
    });
    expect(await requestOver(impatient)).toMatch(/^HTTP\/1\.1 405 /);
  });

  test("takes its other end with it when the lab closes", async () => {
    const own = await startPushLab();
    const before = sockets();
    const tunnel = await openTunnel(own);
    const cut = once(tunnel, "close");
    // The sender's end, the proxy's two, and the push service's.
    expect(sockets()).toBe(before + 4);
    await Promise.all([own.close(), cut]);
    expect(sockets()).toBe(before);
  });

  test("takes its other end with it when the sender goes", async () => {
    const own = await startPushLab();
    const before = sockets();
    const tunnel = await openTunnel(own);
    tunnel.resetAndDestroy();
    await expect.poll(sockets).toBe(before);
    await own.close();
  });
});

/** How many connections this process has. */
const sockets = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length;

describe("refused with a sentence and an event is", () => {
  test.each([
    ["another host", "CONNECT example.com:443", "example.com:443", "is no push service of the lab"],
    ["another port", `CONNECT ${host}:80`, `${host}:80`, "is no push service of the lab"],
    ["loopback", "CONNECT 127.0.0.1:443", "127.0.0.1:443", "is no push service of the lab"],
    ["what looks alike", `CONNECT ${host}.evil.example:443`, `${host}.evil.example:443`, "is no"],
    ["plain http", `GET http://${host}/ping`, `http://${host}/ping`, "Only CONNECT is served here"],
    ["a visit", "GET /hello", "/hello", "This is a proxy, not a site."],
    ["a WebSocket", `GET ws://${host}/`, `ws://${host}/`, "Only CONNECT is served here"],
  ])("%s", async (_what, request, target, why) => {
    const refused: LabEvent[] = [];
    const stop = lab.onEvent((event) => refused.push(event));
    const answer = await answerTo(
      `${request} HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    stop();
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain(why);
    expect(answer).toContain(`connects to ${host}:443`);
    const reason: unknown = expect.stringContaining(why);
    expect(refused).toEqual([{ type: "proxy-refused", target, reason }]);
  });

  test("nothing of what the lab plays: a refusal ends no tunnel", async () => {
    const tunnel = await openTunnel();
    await answerTo("CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await requestOver(tunnel)).toMatch(/^HTTP\/1\.1 405 /);
  });
});

test("headers without end are not read", async () => {
  const answer = await answerTo(
    `CONNECT ${host}:443 HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(8192)}\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
});

test("an endpoint's address is told, for the lab's endpoints only", async () => {
  const endpoint = await subscribe(lab, await checkIn(lab));
  const { port } = lab.pushService;
  expect(lab.reach(endpoint)).toEqual({
    host: "127.0.0.1",
    port,
    servername: host,
    ca: expect.stringMatching(/^-----BEGIN CERTIFICATE-----/),
    curl: ["--cacert", lab.caPath, "--connect-to", `${host}:443:127.0.0.1:${port}`],
  });
  for (const other of ["https://push.example/1", `http://${host}/fcm/send/1`, "no address"])
    expect(() => lab.reach(other)).toThrow(
      expect.objectContaining({ code: "unknown-endpoint", message: expect.stringContaining(host) }),
    );
});
