import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { post, problemOf } from "./support/post.ts";
import { preloads } from "./support/preloads.ts";
import { scaled } from "./support/scale.ts";
import { endpointsAt } from "./support/seed.ts";
import { everyService, fcm, hello, isDone, setScene, type Scene } from "./support/scene.ts";

vi.setConfig({ testTimeout: scaled(120_000, 3_600_000) });

const hourMs = 60 * 60_000;
const allAccepted = (accepted: number) => ({ accepted, gone: 0, retry: 0, rejected: 0, failed: 0 });
const patience = { timeout: 30_000, interval: 20 };

let scene: Scene | undefined;
afterEach(() => scene?.close());

test("a push service whose clock is two hours off, ahead or behind, takes every push, and is asked again after as long as it meant", async () => {
  const registrations = scaled(400, 20_000);
  const waitSeconds = 3;
  let offMs = 0;
  scene = await setScene([...endpointsAt(everyService, registrations), `${fcm}/busy`], {
    check: "all",
    now: () => Date.now() + offMs,
  });
  const { sink } = scene;
  const theirDate = (aheadSeconds: number) =>
    new Date(Date.now() + offMs + aheadSeconds * 1000).toUTCString();

  for (offMs of [2 * hourMs, -2 * hourMs]) {
    sink.reset();
    const headers = { "retry-after": theirDate(waitSeconds), date: theirDate(0) };
    const fault = { kind: "answer", status: 503, headers } as const;
    const busy = sink.misbehave({ path: "/busy", fault, times: 1 });

    const id = await scene.publish();
    await sink.until(() => busy.hits() === 1);
    const askedMs = Date.now();
    await sink.until(() => sink.accepted(fcm).has("/busy"));
    const waitedMs = Date.now() - askedMs;
    // By our clock it would be at once, or in two hours.
    expect(waitedMs).toBeGreaterThanOrEqual(waitSeconds * 1000 - 50);
    expect(waitedMs).toBeLessThan(60_000);

    const { counts } = await scene.until(id, isDone);
    expect(counts).toEqual(allAccepted(registrations + 1));
    const { duplicates, statuses } = sink.counts();
    expect({ duplicates, statuses }).toEqual({
      duplicates: 0,
      statuses: { 201: registrations + 1, 503: 1 },
    });
  }
});

/** The server's clock, as it tells who publishes for a day that is over. */
async function serverClockMs(at: Scene): Promise<number> {
  const request = { ...hello, scheduleAt: "1970-01-01T00:00:00Z", dryRun: true };
  const { fields } = await problemOf(await post(at, "messages", request));
  return Date.parse(/now it is (\S+)/.exec(fields?.[0]?.message ?? "")?.[1] ?? "");
}

describe("a server whose clock is put two hours ahead in the middle of a broadcast, and back", () => {
  const loaded = preloads();
  afterAll(() => loaded.remove());
  const ttlSeconds = 6 * 60 * 60;

  async function putClock(at: Scene, shiftMs: number): Promise<void> {
    loaded.shiftClock(shiftMs);
    const isThere = async () => {
      const offMs = (await serverClockMs(at)) - Date.now();
      expect(Math.abs(offMs - shiftMs)).toBeLessThan(60_000);
    };
    await vi.waitFor(isThere, patience);
  }

  test("leases no page twice, and keeps its VAPID tokens and TTLs good", async () => {
    const registrations = scaled(2_400, 40_000);
    // A push service of its own, for it is to be cut off.
    const slowOrigin = "https://slow.push.services.mozilla.com";
    scene = await setScene([...endpointsAt(everyService, registrations), `${slowOrigin}/slow`], {
      origins: [...everyService, slowOrigin],
      check: "all",
      keep: 2 * registrations,
      environment: loaded.environment,
    });
    const { sink } = scene;
    // Its page stays leased, under either clock.
    const slow = sink.misbehave({ path: "/slow", fault: { kind: "hang", at: "request" } });

    const id = await scene.publish({ ttlSeconds });
    await sink.until(({ requests }) => requests >= registrations / 4);
    await putClock(scene, 2 * hourMs);
    const next = sink.counts().requests + registrations / 4;
    await sink.until(({ requests }) => requests >= next);
    await putClock(scene, 0);
    await sink.until(({ distinct }) => distinct === registrations);
    slow.stop();
    sink.misbehave({ origin: slowOrigin, fault: { kind: "refuse-connections" }, times: 1 });

    const { counts } = await scene.until(id, isDone);
    expect(counts).toEqual(allAccepted(registrations + 1));
    const { distinct, duplicates, statuses } = sink.counts();
    expect({ distinct, duplicates }).toEqual({ distinct: registrations + 1, duplicates: 0 });
    // Nothing was refused for its token; one push was left without an answer.
    expect(Object.keys(statuses)).toEqual(["0", "201"]);
    const ttls = sink.kept().map(({ headers }) => Number(headers["ttl"]));
    expect(Math.max(...ttls)).toBeLessThanOrEqual(ttlSeconds);
    expect(Math.max(...ttls)).toBeGreaterThan(ttlSeconds - 60 * 60);
    // As far as the server knew, two hours were over; nobody was too late for it.
    expect(Math.min(...ttls)).toBeLessThan(ttlSeconds - 60 * 60);
    expect(Math.min(...ttls)).toBeGreaterThan(ttlSeconds - 3 * 60 * 60);
  });

  test("tries again soon what was put off under the other clock", async () => {
    const registrations = scaled(200, 20_000);
    scene = await setScene(endpointsAt(everyService, registrations), {
      check: "all",
      environment: loaded.environment,
    });
    const { sink } = scene;
    const busy = sink.misbehave({
      path: "/push/*",
      share: 0.5,
      fault: { kind: "answer", status: 503, headers: { "retry-after": "1" } },
    });
    const id = await scene.publish({ ttlSeconds });
    await putClock(scene, 2 * hourMs);
    const later = await scene.publish({ ttlSeconds });
    await scene.until(later, ({ unsent, counts }) => unsent === 0 && counts.retry > 0);
    await putClock(scene, 0);
    busy.stop();
    for (const each of [id, later]) {
      expect((await scene.until(each, isDone)).counts).toEqual(allAccepted(registrations));
    }
    expect(sink.counts()).toMatchObject({ accepted: 2 * registrations, distinct: registrations });
  });
});
