import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { misbehaviours, type Misbehaviour } from "./support/misbehaviours.ts";
import { residentBytes, type OpenBreaker } from "./support/operators-view.ts";
import { isSoak, scaled } from "./support/scale.ts";
import { endpointsAt } from "./support/seed.ts";
import { isDone, setScene, type Scene } from "./support/scene.ts";
import { startShow, type Show } from "./support/show.ts";

/**
 * In the short form more than the hundred that are sent to at once, so that there is somebody left when a breaker opens;
 * but no more where that takes a deadline, since whoever is sent to next has another one.
 */
const sizeOf = ({ takesDeadline }: Misbehaviour) => scaled(takesDeadline ? 100 : 130, 500);

const protocols = [
  { protocol: "HTTP/2", http1Only: false },
  { protocol: "HTTP/1.1", http1Only: true },
];

function playedOver(http1Only: boolean): readonly Misbehaviour[] {
  if (!http1Only) return misbehaviours;
  return misbehaviours.filter(({ over }) => over !== "http2" && (isSoak || over !== "any"));
}

/** The short form plays all of them at once, side by side; the long one gives each a server to itself. */
const shared = new Map<boolean, Show>();
let own: { close: () => Promise<void> } | undefined;

beforeAll(async () => {
  if (isSoak) return;
  await Promise.all(
    protocols.map(async ({ http1Only }) => {
      shared.set(http1Only, await startShow(playedOver(http1Only), { sizeOf, http1Only }));
    }),
  );
});
afterEach(() => own?.close());
afterAll(() => Promise.all([...shared.values()].map((show) => show.close())));

async function showOf(misbehaviour: Misbehaviour, http1Only: boolean): Promise<Show> {
  const found = shared.get(http1Only);
  if (found !== undefined) return found;
  const show = await startShow([misbehaviour], { sizeOf, http1Only });
  own = show;
  return show;
}

// First, because what follows has to wait for deadlines in the short form.
describe.for(protocols)("over $protocol", ({ http1Only }) => {
  const origin = "https://flood.push.example";
  const mostGrownBytes = 100_000_000;

  /** @returns the most that the server held in memory, asked for every few requests and at the end */
  async function mostDuring({ sink, ...scene }: Scene, ended: Promise<unknown>): Promise<number> {
    const end = ended.then(() => true);
    for (let most = 0; ;) {
      const { requests } = sink.counts();
      const more = sink.until((counts) => counts.requests >= requests + 20).then(() => false);
      const isOver = await Promise.race([end, more]);
      most = Math.max(most, await residentBytes(scene));
      if (isOver) return most;
    }
  }

  test("bodies and headers without end leave the server's memory as it is", async () => {
    const flooded = scaled(200, 1_000);
    const scene = await setScene(endpointsAt([origin], flooded), { origins: [origin], http1Only });
    own = scene;
    // What it takes for itself, to begin with.
    for (let round = 0; round < scaled(2, 10); round += 1) {
      await scene.until(await scene.publish(), isDone);
    }
    const before = await residentBytes(scene);
    for (const kind of ["endless-body", "endless-headers"] as const) {
      // So few that no breaker opens, as far as they are refused.
      const times = kind === "endless-body" ? flooded : 15;
      const rule = scene.sink.misbehave({ times, fault: { kind } });
      const id = await scene.publish();
      const most = await mostDuring(scene, scene.until(id, isDone));
      expect(rule.hits()).toBe(times);
      expect((await scene.status(id)).counts.accepted).toBe(flooded);
      expect(most - before).toBeLessThan(mostGrownBytes);
    }
  });
});

describe.for(protocols)("a push service over $protocol alone", ({ http1Only }) => {
  test.for(playedOver(http1Only))("$name", async (misbehaviour) => {
    const show = await showOf(misbehaviour, http1Only);
    const { origin, paused, wasHeld, done, sink, hits, live } = await show.of(misbehaviour);
    const { course, ends, twicePerHit = 0 } = misbehaviour;
    const registrations = sizeOf(misbehaviour);
    expect(hits).toBeGreaterThan(0);

    const gone = ends === "gone" ? hits : 0;
    const rejected = ends === "rejected" ? hits : 0;
    const accepted = registrations - gone - rejected;
    expect(done).toMatchObject({
      state: "done",
      audience: { registrations, complete: true },
      counts: { accepted, gone, rejected, retry: 0, failed: 0 },
      unsent: 0,
      held: [],
    });
    expect(sink.distinct).toBe(accepted);
    expect(sink.duplicates).toBeLessThanOrEqual(hits * twicePerHit);
    expect(live).toBe(registrations - gone);

    const open = "opens" in course ? [{ pushOrigin: origin, reason: course.opens }] : [];
    const here = (breakers: readonly OpenBreaker[] = []) =>
      breakers.flatMap(({ pushOrigin, reason }) =>
        pushOrigin === origin ? [{ pushOrigin, reason }] : [],
      );
    expect(here(paused?.status.held)).toEqual(open);
    expect(here(paused?.metrics)).toEqual(open);
    expect(here(paused?.commandLine ?? paused?.metrics)).toEqual(open);
    const mayBeHeld = "opens" in course || (course.kind === "passing" && course.mayHold === true);
    expect(wasHeld && !mayBeHeld).toBe(false);
  });
});
