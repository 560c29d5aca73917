import { afterEach, expect, test } from "vitest";
import { live } from "./support/live.ts";
import { scaled } from "./support/scale.ts";
import { endpointsAt } from "./support/seed.ts";
import { everyService, isDone, setScene, type Scene } from "./support/scene.ts";

let scene: Scene | undefined;
afterEach(() => scene?.close());

const registrations = scaled(2_000, 20_000);
/** Two pages at each push service, a hundred pushes of each at once; and its first two probes, where the machine is slow. */
const mostAsked = (2 * 100 + 2 * (8 + 16)) * everyService.length;

test("a VAPID key that every push service refuses: nobody is removed, the message is paused, and it ends once the key is right", async () => {
  scene = await setScene(endpointsAt(everyService, registrations));
  const { server, sink } = scene;
  sink.misbehave({ fault: { kind: "refuse-vapid" } });
  const id = await scene.publish();
  const paused = await scene.until(id, ({ state }) => state === "paused");
  expect(paused.counts).toMatchObject({ accepted: 0, gone: 0, rejected: 0, failed: 0 });
  expect(paused.held.map(({ pushOrigin }) => pushOrigin).toSorted()).toEqual(
    everyService.toSorted(),
  );
  expect(new Set(paused.held.map(({ reason }) => reason))).toEqual(new Set(["vapid-refused"]));
  expect(sink.counts().requests).toBeLessThanOrEqual(mostAsked);

  // The operator sees it, from outside and from the command line.
  const metrics = await (await fetch(new URL("/metrics", server.url))).text();
  expect(metrics.match(/^sineta_breaker_open\{.*reason="vapid-refused".*\} 1$/gm)).toHaveLength(4);
  expect((await server.run("status")).stdout).toContain("https://web.push.apple.com");
  expect((await server.run("messages", id)).stdout).toContain("paused");
  expect(await live(scene)).toMatchObject({ registrations });

  // Whoever runs it starts it anew, to no avail so far: one probe for each push service.
  await server.kill();
  const before = sink.counts().requests;
  await server.start();
  await sink.until(({ requests }) => requests >= before + everyService.length);
  expect((await scene.status(id)).state).toBe("paused");
  expect(sink.counts().accepted).toBe(0);

  sink.behave();
  const done = await scene.until(id, isDone);
  expect(done.counts).toEqual({
    accepted: registrations,
    gone: 0,
    retry: 0,
    rejected: 0,
    failed: 0,
  });
  expect(done.held).toEqual([]);
  expect(sink.counts()).toMatchObject({ distinct: registrations, duplicates: 0 });
  expect(await live(scene)).toMatchObject({ registrations });
});
