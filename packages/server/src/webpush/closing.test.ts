import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpsServer } from "node:https";
import { createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { listen, startPushService, type Listening } from "./testing/push-service.ts";
import { accept, closed, count, sendingScene } from "./testing/scene.ts";

const { certificates, start, sendingTo, atEnd } = sendingScene();
const run = promisify(execFile);

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

  test.each(["h2", "http/1.1", "nothing"] as const)(
    "leaves nothing that keeps a process alive, where %s is spoken",
    async (spoken) => {
      const folder = await mkdtemp(join(tmpdir(), "sineta-"));
      atEnd(() => rm(folder, { recursive: true }));
      const caFile = join(folder, "ca.pem");
      await writeFile(caFile, certificates().ca);
      const { port, close } = await startSpeaking(spoken);
      if (spoken === "nothing") await close();
      else atEnd(close);
      const script = fileURLToPath(new URL("./testing/send-and-close.ts", import.meta.url));
      // Ends when the process does: an open socket or timer would hold it beyond this test's time.
      const { stdout } = await run(process.execPath, [script, String(port), caFile]);
      const kind = spoken === "nothing" ? "retry" : "accepted";
      expect(stdout).toBe(Array.from({ length: 20 }, () => kind).join(" "));
    },
    20_000,
  );
});

async function startSpeaking(spoken: "h2" | "http/1.1" | "nothing"): Promise<Listening> {
  if (spoken === "h2") return startPushService({ certificates: certificates(), onPush: accept });
  const server = createHttpsServer(certificates(), (request, response) => {
    request.resume().once("end", () => response.writeHead(201).end());
  });
  return listen(server);
}
