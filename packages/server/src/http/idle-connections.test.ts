import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { closeIdleConnections } from "./idle-connections.ts";

test("the server closes a connection when its client reads nothing", async () => {
  let nowMs = 0;
  let checks = 0;
  const now = () => {
    checks += 1;
    return nowMs;
  };
  const hasChecked = (times: number) => checks >= times;
  const server = createServer();
  closeIdleConnections(server, { event: "connection", idleMs: 1_000, checkMs: 5, now });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const client = connect(port, "127.0.0.1").pause();
  client.on("error", () => undefined);
  const [socket]: Socket[] = await once(server, "connection");
  if (socket === undefined) throw new Error("there is no connection");
  const closed = once(socket, "close");
  socket.on("error", () => undefined);
  // More than the operating system takes. Then a little again and again, as an event stream writes it.
  socket.write(Buffer.alloc(64 * 1024 * 1024));
  const until = async (count: number) => {
    const enough = checks + count;
    do {
      socket.write("still here");
      client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      await new Promise(setImmediate);
    } while (!hasChecked(enough));
  };
  await until(50);
  for (let count = 0; count < 5; count += 1) {
    nowMs += 300;
    if (!socket.destroyed) await until(2);
  }
  await closed;
  expect(nowMs).toBe(1_500);
  client.destroy();
});

test("starts no timer on a server that fails to listen", async () => {
  const taken = createServer();
  await once(taken.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void taken.close());
  const address = taken.address();
  const before = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const server = createServer();
  closeIdleConnections(server, { event: "connection", idleMs: 1, checkMs: 60_000, now: () => 0 });
  server.listen(typeof address === "object" ? address : null);
  await once(server, "error");
  const after = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  expect(after).toBeLessThanOrEqual(before);
});
