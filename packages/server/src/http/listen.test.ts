import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import { expect, test } from "vitest";
import { testCertificate, testCertificateKey } from "../test/certificate.ts";
import { listen, listenError } from "./listen.ts";

test("a connection that never says a word of TLS does not outlast the deadline", async () => {
  const tls = { cert: testCertificate, key: testCertificateKey };
  const listener = await listen({ host: "127.0.0.1", port: 0, tls });
  const silent = connectTcp(listener.port, "127.0.0.1");
  const silentClosed = once(silent, "close");
  silent.on("error", () => undefined);
  await once(silent, "connect");
  // Connections are accepted in their order: once this one is greeted, the silent one is held too.
  const speaking = connectTls({ port: listener.port, host: "127.0.0.1", ca: testCertificate });
  speaking.on("error", () => undefined);
  await once(speaking, "secureConnect");
  await listener.close(0);
  await silentClosed;
  expect(silent.destroyed).toBe(true);
});

test.for([
  ["/v1/../metrics", 400],
  ["/v1%2fx/../metrics", 400],
  ["/v1/%2E%2e/metrics", 400],
  ["/v1/.%2e", 400],
  ["/v1/./x", 400],
  ["/v1/..\\metrics", 400],
  ["http://site.example/v1/../metrics", 400],
  ["/v1/x/..#y", 400],
  ["/v1/...", 200],
  ["/.well-known/x", 200],
  ["/v1%2f..%2fmetrics", 200],
  ["/v1?path=/../x", 200],
] as const)("a request for %s is answered with %i", async ([path, status]) => {
  const listener = await listen({ host: "127.0.0.1", port: 0, tls: null });
  listener.serve(() => new Response("answered"));
  const asked = request({ host: "127.0.0.1", port: listener.port, path, agent: false }).end();
  const [answer]: IncomingMessage[] = await once(asked, "response");
  answer?.resume();
  await listener.close(0);
  expect(answer?.statusCode).toBe(status);
});

test.for([
  [443, /^Port 443 is not open to this user: give .+ CAP_NET_BIND_SERVICE, or .+ from 1024 on\.$/],
  [8443, /^Port 8443 is not open to this user: set SINETA_PORT to another port\.$/],
] as const)("a port %i that the system refuses has a remedy that fits it", ([port, message]) => {
  const error = Object.assign(new Error("listen EACCES"), { code: "EACCES" });
  expect(listenError(error, { host: "0.0.0.0", port })).toMatchObject({
    code: "address-unavailable",
    message: expect.stringMatching(message),
  });
});
