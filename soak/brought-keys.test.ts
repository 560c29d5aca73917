import { afterEach, expect, test } from "vitest";
import { live } from "./support/live.ts";
import { scaled } from "./support/scale.ts";
import { endpointsAt } from "./support/seed.ts";
import { fcm, setScene, type Scene } from "./support/scene.ts";

let scene: Scene | undefined;
afterEach(() => scene?.close());

/** How often a breaker has opened. */
async function openings({ server }: Scene): Promise<number> {
  const metrics = await (await fetch(new URL("/metrics", server.url))).text();
  const opened = metrics.matchAll(/^sineta_breaker_changes_total\{.*change="opened".*\} (\d+)$/gm);
  return [...opened].reduce((sum, [, count]) => sum + Number(count), 0);
}

test("registrations of another key, which somebody has brought before all others, hold up nobody for long, and only once", async () => {
  const brought = Array.from({ length: scaled(110, 500) }, (_, index) => `${fcm}/brought/${index}`);
  const own = endpointsAt([fcm], 40);
  scene = await setScene([...brought, ...own]);
  const { sink } = scene;
  sink.misbehave({ path: "/brought/*", fault: { kind: "refuse-vapid" } });
  const ownTaken = (status: { counts: { accepted: number } }) => status.counts.accepted === 40;

  // Three of them are enough for a key that has never been accepted; probes pass the others.
  await scene.until(await scene.publish(), ownTaken);
  // From now on they are known: nothing is held back for them.
  const opened = await openings(scene);
  expect(opened).toBeGreaterThan(0);
  await scene.until(await scene.publish(), ownTaken);
  expect(await openings(scene)).toBe(opened);
  expect(sink.counts()).toMatchObject({ accepted: 80, distinct: 40 });
  expect(await live(scene)).toMatchObject({ registrations: brought.length + 40 });
});
