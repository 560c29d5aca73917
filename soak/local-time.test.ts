import { afterAll, afterEach, expect, test, vi } from "vitest";
import { testBrowser } from "../packages/server/src/test/browser.ts";
import { siteClient } from "../packages/server/src/test/http-client.ts";
import { preloads } from "./support/preloads.ts";
import { scaled } from "./support/scale.ts";
import { seed } from "./support/seed.ts";
import { takenPaths } from "./support/taken-paths.ts";
import { everyService, fcm, isDone, setScene, type Scene } from "./support/scene.ts";

vi.setConfig({ testTimeout: scaled(120_000, 3_600_000) });

const loaded = preloads();
let scene: Scene | undefined;
afterEach(() => scene?.close());
afterAll(() => loaded.remove());

const hourMs = 60 * 60_000;
const perZone = scaled(4, 400);

/** From the first to have an hour to the last; undefined is a browser that does not say. */
const zones = [
  "Pacific/Kiritimati",
  "Pacific/Auckland",
  "Australia/Adelaide",
  "Asia/Tokyo",
  "Asia/Kathmandu",
  "Europe/Lisbon",
  "Nowhere/Land",
  undefined,
  "America/Sao_Paulo",
  "America/St_Johns",
  "America/Los_Angeles",
  "Pacific/Pago_Pago",
] as const;

/** What the clocks of a zone show, as `2026-12-01T09:00:00`. */
function localTimeIn(zone: string | undefined, nowMs: number): string {
  const known = zone !== undefined && zone !== "Nowhere/Land";
  // Swedes write it so.
  const clock = new Intl.DateTimeFormat("sv-SE", {
    dateStyle: "short",
    timeStyle: "medium",
    timeZone: known ? zone : "UTC",
  });
  return clock.format(nowMs).replace(" ", "T");
}

const pathOf = (zone: string | undefined, index: number) => `/${zone ?? "silent"}/${index}`;
const pathsOf = (of: readonly (string | undefined)[]) =>
  of.flatMap((zone) => Array.from({ length: perZone }, (_, index) => pathOf(zone, index)));

test("each reader gets it at their own hour, and who moves to another time zone gets it once", async () => {
  scene = await setScene([], { environment: loaded.environment });
  const { server, sink } = scene;
  for (const zone of zones) {
    const endpoints = Array.from({ length: perZone }, (_, index) => {
      const origin = everyService[index % everyService.length] ?? "";
      return `${origin}${pathOf(zone, index)}`;
    });
    await seed(server.data, endpoints, zone === undefined ? {} : { timeZone: zone });
  }
  const site = await siteClient(server.url);
  const traveller = async (path: string, timeZone: string) => {
    const browser = testBrowser();
    browser.subscription.endpoint = `${fcm}${path}`;
    const { token } = await site.register(browser, undefined, { timeZone });
    return {
      path,
      moveTo: (zone: string) => site.register(browser, token, { timeZone: zone }),
    };
  };
  // One that still waits, one that has it, and two that wait and go on waiting, for longer or not so long.
  const [early, served, earlier, later] = await Promise.all([
    traveller("/early", "America/Sao_Paulo"),
    traveller("/served", "Asia/Tokyo"),
    traveller("/earlier", "America/Los_Angeles"),
    traveller("/later", "America/Sao_Paulo"),
  ]);
  const audience = zones.length * perZone + 4;
  const expectGot = (paths: readonly string[]) =>
    expect(takenPaths(sink)).toEqual(new Map(paths.map((path) => [path, 1])));

  // Half an hour ago in UTC.
  const atMs = Date.now() - hourMs / 2;
  const scheduleAtLocal = localTimeIn(undefined, atMs);
  const isDue = (zone: string | undefined) => localTimeIn(zone, Date.now()) >= scheduleAtLocal;
  const due = zones.filter(isDue);
  expect(due.length).toBeGreaterThanOrEqual(6);
  expect(zones.length - due.length).toBeGreaterThanOrEqual(3);

  const id = await scene.publish({ scheduleAtLocal });
  const first = [...pathsOf(due), served.path];
  const waiting = await scene.until(id, ({ counts }) => counts.accepted === first.length);
  expectGot(first);
  expect(waiting).toMatchObject({
    state: "sending",
    scheduleAtLocal,
    audience: { registrations: audience, complete: true },
    unsent: audience - first.length,
  });
  const shown = (await server.run("messages", id)).stdout;
  expect(shown).toContain(`${scheduleAtLocal} where each reader is`);
  expect(shown).toMatch(new RegExp(`^ *audience +${audience}$`, "m"));
  expect(shown).toMatch(new RegExp(`^ *accepted +${first.length}$`, "m"));
  expect(shown).toMatch(new RegExp(`^ *unsent +${audience - first.length}$`, "m"));

  // East, where the hour is over: at once. West, where it is to come: not again.
  await early.moveTo("Asia/Tokyo");
  await served.moveTo("America/Los_Angeles");
  await earlier.moveTo("America/Sao_Paulo");
  await later.moveTo("America/Los_Angeles");
  await scene.until(id, ({ counts }) => counts.accepted === first.length + 1);
  expectGot([...first, early.path]);

  // As the hours go by, also over a server that is killed.
  await server.kill();
  await server.start();
  const moved = [early.path, served.path, earlier.path];
  for (const { hours, known } of [
    { hours: 4, known: moved },
    { hours: 9, known: [...moved, later.path] },
    { hours: 13, known: [...moved, later.path] },
  ]) {
    loaded.shiftClock(hours * hourMs);
    const nowMs = Date.now() + hours * hourMs;
    const over = zones.filter((zone) => localTimeIn(zone, nowMs) >= scheduleAtLocal);
    const all = [...pathsOf(over), ...known];
    await scene.until(id, ({ counts }) => counts.accepted === all.length);
    expectGot(all);
  }
  const done = await scene.until(id, isDone);
  expect(done).toMatchObject({
    audience: { registrations: audience, complete: true },
    counts: { accepted: audience, gone: 0, retry: 0, rejected: 0, failed: 0 },
    unsent: 0,
  });
});
