import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { live } from "./support/live.ts";
import { scaled } from "./support/scale.ts";
import { endpointsAt } from "./support/seed.ts";
import { everyService, fcm, isDone, mozilla, setScene, type Scene } from "./support/scene.ts";

let scene: Scene | undefined;
afterEach(() => scene?.close());

/** What the server has in flight at most: two pages of 500 at each push service. */
const mostInFlight = 2 * 500 * everyService.length;

function sound(dataFolder: string): void {
  const database = new DatabaseSync(join(dataFolder, "sineta.db"));
  expect(database.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
  expect(database.prepare("pragma foreign_key_check").all()).toEqual([]);
  database.close();
}

describe("a server killed with SIGKILL in the middle of a broadcast to 20,000", () => {
  const registrations = 20_000;
  const kills = scaled(5, 12);

  test.for(Array.from({ length: scaled(1, 12) }, (_, round) => round))(
    "reaches everybody, twice only what was in flight, and counts what the push services saw (round %i)",
    async () => {
      const known = registrations * 0.96;
      const gone = registrations * 0.02;
      const large = registrations - known - gone;
      const endpoints = [
        ...endpointsAt(everyService, known),
        ...Array.from({ length: gone }, (_, index) => `${fcm}/gone/${index}`),
        ...Array.from({ length: large }, (_, index) => `${mozilla}/large/${index}`),
      ];
      scene = await setScene(endpoints);
      const { server, sink } = scene;
      sink.misbehave({ path: "/gone/*", fault: { kind: "answer", status: 410 } });
      sink.misbehave({ path: "/large/*", fault: { kind: "answer", status: 413 } });
      sink.misbehave({
        path: "/push/*",
        share: 0.03,
        fault: { kind: "answer", status: 503, headers: { "retry-after": "1" } },
      });

      const id = await scene.publish();
      for (let kill = 0; kill < kills; kill += 1) {
        const { requests } = sink.counts();
        // Somewhere in what is left, not always at its beginning.
        const next = requests + Math.ceil(Math.random() * (registrations / kills));
        await Promise.race([
          sink.until((counts) => counts.requests >= next),
          scene.until(id, isDone).catch(() => undefined),
        ]);
        await server.kill();
        sound(server.data);
        await server.start();
      }
      const { counts, unsent, audience, state } = await scene.until(id, isDone);
      const seen = sink.counts();
      expect({ state, audience, unsent }).toEqual({
        state: "done",
        audience: { registrations, complete: true },
        unsent: 0,
      });
      expect(counts).toEqual({ accepted: known, gone, retry: 0, rejected: large, failed: 0 });
      expect(seen.distinct).toBe(known);
      expect(seen.duplicates).toBeLessThanOrEqual(kills * mostInFlight);
      expect(await live(scene)).toMatchObject({ registrations: known + large });
      sound(server.data);
    },
  );
});
