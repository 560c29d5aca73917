import { once } from "node:events";
import { ServerResponse, type IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { connect as connectTls } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { testCertificate, testCertificateKey } from "../test/certificate.ts";
import { listen } from "./listen.ts";
import { sliceBytes } from "./sliced-answer.ts";

const tls = { cert: testCertificate, key: testCertificateKey };

/** A server that answers each request with this body, and the answers that it has begun. */
async function start(body: () => Uint8Array<ArrayBuffer> | string) {
  const listener = await listen({ host: "127.0.0.1", port: 0, tls });
  onTestFinished(() => listener.close(0));
  const begun: ServerResponse[] = [];
  listener.serve((_request, { outgoing }) => {
    if (outgoing instanceof ServerResponse) begun.push(outgoing);
    return new Response(body(), { headers: { "Content-Type": "text/plain" } });
  });
  return { port: listener.port, begun };
}

/** One connection, which asks again and again. */
function client(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: testCertificate });
  onTestFinished(() => agent.destroy());
  return async (method: "GET" | "HEAD") => {
    const asked = request({ host: "127.0.0.1", port, method, agent }).end();
    const [incoming]: IncomingMessage[] = await once(asked, "response");
    if (incoming === undefined) throw new Error("there is no answer");
    const bytes = Buffer.concat(await incoming.toArray());
    return { length: incoming.headers["content-length"], bytes };
  };
}

describe("an answer arrives as it is, with its length", () => {
  const bytes = new Uint8Array(3 * sliceBytes + 1).map((_, index) => index % 251);
  const sizes = [0, 1, sliceBytes - 1, sliceBytes, sliceBytes + 1, 2 * sliceBytes, bytes.length];
  test.for(sizes)("of %i bytes", async (size) => {
    const sent = bytes.slice(0, size);
    const { port } = await start(() => sent);
    const ask = client(port);
    // The second one begins where the first has ended.
    for (let count = 0; count < 2; count += 1) {
      const answer = await ask("GET");
      expect(answer.length).toBe(String(size));
      expect(answer.bytes.equals(sent)).toBe(true);
    }
  });

  test("of text with multi-byte characters across slices", async () => {
    const text = `x${"é€🔔".repeat(sliceBytes / 4)}`;
    const { port } = await start(() => text);
    const answer = await client(port)("GET");
    expect(answer.length).toBe(String(Buffer.byteLength(text)));
    expect(answer.bytes.toString()).toBe(text);
  });

  test("to HEAD, as its length alone", async () => {
    const { port } = await start(() => bytes);
    const answer = await client(port)("HEAD");
    expect(answer).toEqual({ length: String(bytes.length), bytes: Buffer.alloc(0) });
  });
});

test("TLS is handed a slice more of an unread answer than the operating system takes", async () => {
  const body = new Uint8Array(64 * 1024 * 1024);
  const { port, begun } = await start(() => body);
  const silent = connectTls({ port, host: "127.0.0.1", ca: testCertificate });
  onTestFinished(() => void silent.destroy());
  await once(silent, "secureConnect");
  silent.pause();
  silent.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  const handed = () => begun[0]?.socket?.bytesWritten ?? 0;
  await expect.poll(handed).toBeGreaterThan(sliceBytes);
  let last = 0;
  // Until the operating system takes nothing more.
  await expect.poll(() => last === (last = handed()), { interval: 200 }).toBe(true);
  expect(begun[0]?.socket?.writableLength).toBeLessThanOrEqual(sliceBytes);
  expect(handed()).toBeLessThan(body.length / 2);
});
