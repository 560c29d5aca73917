import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCertificateAuthority } from "../packages/push-lab/src/certificates.ts";
import { startAskedProcess } from "./asked-process.ts";
import { sendSome, startSender, taskFor } from "./send/sender.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sineta-bench-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a process that is asked", () => {
  /** Doubles a number; ends with status 3 at any other order. */
  function start() {
    const script = join(folder, "child.mjs");
    writeFileSync(
      script,
      `process.on("message", (order) => {
        if (typeof order !== "number") process.exit(3);
        process.send(order * 2);
      });`,
    );
    return startAskedProcess<number | string, number>(script);
  }

  test("reports, and ends when it is told", async () => {
    const { ask, end } = start();
    expect([await ask(1), await ask(2)]).toEqual([2, 4]);
    await end("stop");
    await expect(ask(3)).rejects.toThrow("child.mjs ended with 3");
  });

  test("that ends at an order is an error then, and at each later order", async () => {
    const { ask, end } = start();
    await expect(ask("die")).rejects.toThrow("child.mjs ended with 3");
    await expect(ask(1)).rejects.toThrow("child.mjs ended with 3");
    await end("stop");
    await end();
  });

  test("is killed where it gets no last order", async () => {
    const { ask, end } = start();
    expect(await ask(1)).toBe(2);
    await end();
    await expect(ask(1)).rejects.toThrow("child.mjs ended with SIGTERM");
  });
});

describe("the floor of the senders", () => {
  let server: Http2SecureServer;
  let sink: Parameters<typeof startSender>[1];
  beforeEach(async () => {
    const authority = await createCertificateAuthority({ nowMs: Date.now(), random: randomBytes });
    const caFile = join(folder, "ca.pem");
    writeFileSync(caFile, authority.caCertificate);
    const cert = await authority.issue(["localhost"]);
    server = createSecureServer({ cert, key: authority.leafKey }).listen(0, "localhost");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const close = () => Promise.resolve();
    sink = { port, ca: authority.caCertificate, caFile, close };
  });
  afterEach(() => server.close());

  async function prepared() {
    const sender = startSender("floor", sink);
    await sender.tell({ kind: "prepare", task: taskFor(sink) });
    return sender;
  }

  test("ends when it is told", async () => {
    server.on("stream", (stream: ServerHttp2Stream) =>
      stream.respond({ ":status": 201 }, { endStream: true }),
    );
    const sender = await prepared();
    expect(await sendSome(sender, 200)).toMatchObject({ kind: "sent" });
    await sender.end();
  });

  test("is an error when the sink ends its session", async () => {
    server.on("stream", ({ session }) => session?.destroy());
    const sender = await prepared();
    await expect(sendSome(sender, 200)).rejects.toThrow("child.ts floor ended with 1");
    await sender.end();
  });

  test("is an error when the sink ends its connection without a word", async () => {
    const sockets: TLSSocket[] = [];
    server.on("secureConnection", (socket) => sockets.push(socket));
    server.on("stream", () => sockets[0]?.end());
    const sender = await prepared();
    await expect(sendSome(sender, 200)).rejects.toThrow("child.ts floor ended with 1");
    await sender.end();
  });
});
