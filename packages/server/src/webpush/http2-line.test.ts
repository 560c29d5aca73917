import { connect, createServer, type TLSSocket } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { openHttp2Line } from "./http2-line.ts";
import { makeCertificates } from "./testing/certificates.ts";
import { listen } from "./testing/push-service.ts";
import { playedHost } from "./testing/sending.ts";

const undo: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(undo.splice(0).map((end) => end()));
});

test("a session that is over does not wait for ever for a peer that keeps its side open", async () => {
  const certificates = await makeCertificates([playedHost]);
  const options = { ...certificates, ALPNProtocols: ["h2"], allowHalfOpen: true };
  const server = createServer(options, (socket) => {
    socket.on("error", () => undefined);
    socket.resume();
    // An empty SETTINGS frame (RFC 9113, section 6.5), and nothing after it.
    socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
  });
  const { port, close } = await listen(server);
  undo.push(close);
  const socket = await new Promise<TLSSocket>((resolve) => {
    const { ca } = certificates;
    const connecting = connect({ port, ca, servername: playedHost, ALPNProtocols: ["h2"] }, () => {
      resolve(connecting);
    });
  });

  const opened = await openHttp2Line(
    socket,
    { authority: playedHost, onChange: () => undefined, pingMs: 1000, lingerMs: 50 },
    new AbortController().signal,
  );
  if (opened.kind === "broken") throw new Error(opened.detail);
  opened.line.end();
  await opened.line.closed;
  expect(socket.destroyed).toBe(true);
});
