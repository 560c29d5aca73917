import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { publishedSchema } from "@sineta/protocol";
import { testBrowser } from "../packages/server/src/test/browser.ts";
import { siteClient } from "../packages/server/src/test/http-client.ts";
import { post, problemOf } from "./support/post.ts";
import { preloads } from "./support/preloads.ts";
import { scaled } from "./support/scale.ts";
import { endpointsAt } from "./support/seed.ts";
import { everyService, fcm, hello, isDone, setScene, type Scene } from "./support/scene.ts";
import { moveToSmallDisk, type SmallDisk } from "./support/small-disk.ts";
import { expectSound } from "./support/sound.ts";

vi.setConfig({ testTimeout: scaled(180_000, 3_600_000) });

const loaded = preloads();
let scene: Scene | undefined;
let disk: SmallDisk | undefined;
afterEach(async () => {
  await disk?.remove();
  await scene?.close();
  loaded.remove();
});

const registrations = scaled(2_400, 60_000);
const rounds = scaled(1, 5);
const patience = { timeout: 60_000, interval: 50 };

test("a disk that is full in the middle of a broadcast: what is new is refused, and what was accepted reaches everybody once there is room", async () => {
  const one = `${fcm}/one`;
  scene = await setScene([...endpointsAt(everyService, registrations - 1), one], {
    environment: loaded.environment,
  });
  const { server, sink, registered } = scene;
  disk = await moveToSmallDisk(server, scaled(24, 120));
  const site = await siteClient(server.url);
  const token = registered.at(-1)?.token ?? "";
  // Some are rows of their own, which take room.
  const busy = { status: 503, headers: { "retry-after": "1" } };
  sink.misbehave({ path: "/push/*", share: 0.05, fault: { kind: "answer", ...busy } });

  const id = await scene.publish();
  const acceptedMeanwhile: string[] = [];
  let registeredMeanwhile = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { requests: before } = await sink.until(
      ({ requests }) => requests >= (registrations * (round + 1)) / (rounds + 2),
    );
    disk.fill();

    // There may be room for a few yet: those count.
    let answer: Response;
    for (;;) {
      answer = await post(scene, "messages", { ...hello, target: { kind: "token", token } });
      if (answer.status !== 202) break;
      acceptedMeanwhile.push(publishedSchema.parse(await answer.json()).id);
    }
    expect(answer.status).toBe(507);
    expect(await problemOf(answer)).toMatchObject({ code: "storage-full" });

    for (;;) {
      answer = await fetch(`${site.project}/registrations`, site.request(testBrowser()));
      if (answer.status !== 201) break;
      registeredMeanwhile += 1;
    }
    expect(answer.status).toBe(507);

    const sent = await server.run("send", "--title", "Olá", "--body", "x", "--to", token);
    expect(sent).toMatchObject({ status: 1, stdout: "" });
    expect(sent.stderr).toMatch(/^sineta: The disk of the data folder is full.*\n$/);

    // What was under way is sent to the end of its page, and waits to be written; what is known can be read.
    await sink.until(({ requests }) => requests > before);
    const unwritten = () => loaded.stderr().split("outcomes could not be written").length - 1;
    await vi.waitFor(() => expect(unwritten()).toBeGreaterThan(round), patience);
    expect((await scene.status(id)).state).toBe("sending");
    expect((await fetch(new URL("/readyz", server.url))).status).toBe(503);
    expect((await fetch(new URL("/healthz", server.url))).status).toBe(200);
    disk.free();
  }

  const done = await scene.until(id, isDone);
  expect(done.counts).toEqual({
    accepted: registrations,
    gone: 0,
    retry: 0,
    rejected: 0,
    failed: 0,
  });
  for (const each of acceptedMeanwhile) {
    expect((await scene.until(each, isDone)).counts.accepted).toBe(1);
  }
  const { accepted, distinct } = sink.counts();
  expect({ accepted, distinct }).toEqual({
    accepted: registrations + acceptedMeanwhile.length,
    distinct: registrations,
  });
  expect(sink.accepted(fcm).get("/one")).toBe(1 + acceptedMeanwhile.length);

  // Whoever was refused is not there, and the next one is welcome.
  expect((await site.register()).status).toBe(201);
  const left = await post(scene, "messages", { ...hello, dryRun: true });
  expect(await left.json()).toMatchObject({
    registrations: registrations + registeredMeanwhile + 1,
  });
  expectSound(server.data);
});

test("a server that is started on a disk that is full names the disk", async () => {
  scene = await setScene(endpointsAt(everyService, 10));
  const { server } = scene;
  disk = await moveToSmallDisk(server, 24);
  await server.kill();
  // What a killed server leaves behind has room for the lock; after a stop there is none.
  rmSync(join(server.data, "serve.lock-journal"), { force: true });
  disk.fill();
  const { status, stderr } = await server.run("serve");
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^sineta: The disk of the data folder is full, so the command cannot do its work: free space .*\n$/,
  );
  expect(stderr).toContain(server.data);
  disk.free();
  await server.start();
  expect((await fetch(new URL("/readyz", server.url))).status).toBe(200);
});
