import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Fault } from "@sineta/push-lab";
import {
  healthy,
  startNeighbourhood,
  type Neighbourhood,
  type Served,
} from "./support/neighbourhood.ts";
import { isSoak, scaled } from "./support/scale.ts";
import { endpointsAt } from "./support/seed.ts";
import { setScene } from "./support/scene.ts";

const registrations = scaled(100, 3_000);
const registrationsBeside = 400;
/** A hundred at once, twenty more until it is believed, and each once more that was refused unseen. */
const mostAsked = 2 * (100 + 20);
const repetitions = scaled(5, 11);
const leastShareOfRate = 0.95;

type Neighbour = {
  name: string;
  fault: Fault;
  /** Nothing of what it is given comes to an end for as long as a deadline. */
  silent?: boolean;
  /** It takes what it is given, in its way: nothing holds it back. */
  takes?: boolean;
};

const neighbours: Neighbour[] = [
  { name: "answers 503", fault: { kind: "answer", status: 503 } },
  { name: "answers 429", fault: { kind: "answer", status: 429 } },
  { name: "refuses the VAPID key", fault: { kind: "refuse-vapid" } },
  {
    name: "lets through so many",
    fault: { kind: "rate-limit", as: "fcm", limit: 20, windowSeconds: 3_600 },
  },
  { name: "does not answer", fault: { kind: "hang", at: "request" }, silent: true },
  { name: "does not end its answers", fault: { kind: "hang", at: "answer" }, silent: true },
  { name: "drips", fault: { kind: "drip", bytesPerSecond: 2 }, silent: true },
  { name: "sends bodies without end", fault: { kind: "endless-body" }, takes: true },
  { name: "sends headers without end", fault: { kind: "endless-headers" } },
  { name: "resets streams", fault: { kind: "reset", at: "request" } },
  { name: "resets streams within the answer", fault: { kind: "reset", at: "answer" }, takes: true },
  { name: "refuses streams", fault: { kind: "reset", at: "request", code: "REFUSED_STREAM" } },
  { name: "allows no stream", fault: { kind: "settings", maxConcurrentStreams: 0 }, takes: true },
  { name: "goes away after each request", fault: { kind: "goaway" }, takes: true },
  { name: "goes away before each request", fault: { kind: "goaway", lastStreamId: "previous" } },
  { name: "cuts connections", fault: { kind: "hang-up" } },
  { name: "refuses connections", fault: { kind: "refuse-connections" } },
];

const isMeasuredInShort = ({ fault }: Neighbour) => fault.kind === "hang" && fault.at === "request";

/** One for all in the short form, where each neighbour misbehaves once; in the long one each has its own. */
let shared: Neighbourhood | undefined;
let own: { close: () => Promise<void> } | undefined;
beforeAll(async () => {
  if (isSoak) return;
  shared = await startNeighbourhood({
    registrations,
    registrationsBeside,
    neighbours: neighbours.length + 2 * repetitions,
  });
});
afterEach(() => own?.close());
afterAll(() => shared?.close());

async function neighbourhood(): Promise<Neighbourhood> {
  if (shared !== undefined) return shared;
  const started = await startNeighbourhood({
    registrations,
    registrationsBeside,
    // One for each that misbehaves, and as many that do not.
    neighbours: 2 * repetitions,
  });
  own = started;
  return started;
}

/** What is not as it should have been when the last of the healthy ones was served; nothing, if all is well. */
function complaints(
  { silent = false, takes = false }: Neighbour,
  { sink, status, neighbour }: Served & { neighbour: string },
): string[] {
  const there = status.byPushService.find(({ pushService }) => pushService === "other");
  const asked = sink.origins[neighbour]?.requests ?? Number.NaN;
  const most = takes ? registrationsBeside : mostAsked;
  const ended = registrationsBeside - (there?.unsent ?? Number.NaN);
  return [
    ...healthy.flatMap((origin) => {
      const requests = sink.origins[origin]?.requests;
      return requests === registrations ? [] : [`${origin} got ${requests} requests`];
    }),
    ...(asked <= most ? [] : [`the neighbour got ${asked} requests, more than ${most}`]),
    ...(silent && ended !== 0 ? [`${ended} at the neighbour were waited for`] : []),
    ...(!takes && status.state === "done" ? ["the message was done already"] : []),
  ];
}

/** Repetitions with the misbehaviour and without, in turns, of which sometimes the one and sometimes the other is first. */
async function measure(
  at: Neighbourhood,
  neighbour: Neighbour,
): Promise<{ shareOfRate: number; wrong: string[] }> {
  const times: { alone: number[]; beside: number[] } = { alone: [], beside: [] };
  const wrong: string[] = [];
  // Who takes all it is given makes that much more work, also if it does so well: what counts is how it takes it.
  const alone = async () => {
    const served = neighbour.takes === true ? await at.beside(null) : await at.alone();
    times.alone.push(served.milliseconds);
  };
  const beside = async () => {
    const served = await at.beside(neighbour.fault);
    times.beside.push(served.milliseconds);
    wrong.push(...complaints(neighbour, served));
  };
  await at.alone();
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const [first, second] = repetition % 2 === 0 ? [alone, beside] : [beside, alone];
    await first();
    await second();
  }
  // Each against the one measured next to it: what the machine does beside it comes and goes.
  const shareOfRate = median(
    times.alone.map((milliseconds, index) => milliseconds / (times.beside[index] ?? Number.NaN)),
  );
  const shown = (list: number[]) => list.map((each) => Math.round(each)).join(" ");
  console.log(
    `healthy ones beside one that ${neighbour.name}: ${(shareOfRate * 100).toFixed(1)} % of their rate ` +
      `(ms without ${shown(times.alone)}, beside it ${shown(times.beside)})`,
  );
  return { shareOfRate, wrong };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

describe("three healthy push services beside one", () => {
  test.for(neighbours)("that $name are served meanwhile", async (neighbour) => {
    const at = await neighbourhood();
    expect(complaints(neighbour, await at.beside(neighbour.fault))).toEqual([]);
  });

  test.for(scaled(neighbours.filter(isMeasuredInShort), neighbours))(
    "that $name are served as fast as without it",
    async (neighbour) => {
      const { shareOfRate, wrong } = await measure(await neighbourhood(), neighbour);
      // So few, on a machine that does other things as well, are measured to be looked at.
      const tooSlow = isSoak && shareOfRate < leastShareOfRate;
      expect([...wrong, ...(tooSlow ? [`only ${shareOfRate} of their rate`] : [])]).toEqual([]);
    },
  );
});

describe("a crowd of 200 hosts that do not answer, in front of three push services that do", () => {
  const crowd = Array.from(
    { length: 200 },
    (_, index) => `https://a${String(index).padStart(3, "0")}.notify.windows.com`,
  );
  const toAll = crowd.length + healthy.length * registrations;

  test("is waited for by nobody else", async () => {
    const endpoints = [
      ...crowd.map((origin) => `${origin}/crowd`),
      ...endpointsAt(healthy, healthy.length * registrations),
    ];
    const scene = await setScene(endpoints, { origins: [...healthy, ...crowd] });
    own = { close: () => scene.server.kill().then(() => scene.close()) };
    scene.sink.misbehave({ path: "/crowd", fault: { kind: "hang", at: "request" } });
    const id = await scene.publish();
    await scene.sink.until(() =>
      healthy.every((origin) => scene.sink.accepted(origin).size === registrations),
    );
    const status = await scene.status(id);
    expect(status.audience).toEqual({ registrations: toAll, complete: true });
    const there = status.byPushService.find(({ pushService }) => pushService === "windows");
    // Not even the first of them has come to its deadline.
    expect(there).toMatchObject({ registrations: crowd.length, unsent: crowd.length });
  });
});
