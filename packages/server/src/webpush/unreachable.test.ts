import { createServer as createTcpServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { describe, expect, test } from "vitest";
import { makeCertificates } from "./testing/certificates.ts";
import { listen, startPushService } from "./testing/push-service.ts";
import { accept, count, sendingScene } from "./testing/scene.ts";
import { playedHost, sendTo } from "./testing/sending.ts";

const { certificates, start, sendingTo, atEnd } = sendingScene();

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
    const server = createTlsServer({ ...certificates(), ALPNProtocols: ["h2"] }, (socket) => {
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
      [strangers, certificates()],
      [others, others],
    ] as const) {
      const service = await startPushService({ certificates: shown, onPush: accept });
      const { sender, send } = sendTo(service.port, trusted);
      atEnd(() => sender.close().then(service.close));
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
