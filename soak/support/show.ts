import { setTimeout as delay } from "node:timers/promises";
import { dryRunSchema, type MessageProgress } from "@sineta/protocol";
import type { OriginCounts, Rule } from "@sineta/push-lab";
import type { Misbehaviour } from "./misbehaviours.ts";
import { breakersInMetrics, breakersOnCommandLine, type OpenBreaker } from "./operators-view.ts";
import { post } from "./post.ts";
import { endpointsAt, prove } from "./seed.ts";
import { hello, isDone, setScene, type Scene } from "./scene.ts";

/** What was seen of one misbehaviour, from the message's publication to its end. */
export type Seen = {
  origin: string;
  /** Its message when it was paused, and what its operator saw then; null if nothing was to hold it up. */
  paused: Paused | null;
  /** Whether a breaker held the message at any time. */
  wasHeld: boolean;
  done: MessageProgress;
  /** What the push service counted. */
  sink: OriginCounts;
  /** Requests, or connections, that met it. */
  hits: number;
  /** Registrations that are live at the end. */
  live: number;
};

export type Paused = {
  status: MessageProgress;
  metrics: OpenBreaker[];
  /** Of several that are held for one reason only the first is looked at on the command line: each look is a process. */
  commandLine: OpenBreaker[] | null;
};

export type Show = {
  /** What was seen of it, as soon as it is over. */
  of(misbehaviour: Misbehaviour): Promise<Seen>;
  close(): Promise<void>;
};

/** Far more than a deadline, a probe and some retries one after the other: whoever waits longer waits for ever. */
const patienceMs = 150_000;

/** How many browsers are registered at the push service. */
export type SizeOf = (misbehaviour: Misbehaviour) => number;

/**
 * Sends to push services that misbehave, each in its own way at an origin of its own, side by side: a message to each,
 * so that what becomes of it is seen apart.
 * @param sizeOf at most as many as a message may name
 */
export async function startShow(
  misbehaviours: readonly Misbehaviour[],
  { sizeOf, http1Only }: { sizeOf: SizeOf; http1Only: boolean },
): Promise<Show> {
  const origins = misbehaviours.map(originOf);
  const startMs = Date.now();
  const isCrowded = misbehaviours.length > 1;
  const scene = await setScene(
    misbehaviours.flatMap((each, index) => endpointsAt([origins[index] ?? ""], sizeOf(each))),
    // In a crowd nobody is sent to fast enough for a rate limit: there the clock of the push services stands still.
    { origins, http1Only, ...(isCrowded ? { now: () => startMs } : {}) },
  );
  prove(
    scene.server.data,
    origins.filter((_, index) => misbehaviours[index]?.known === true),
  );
  const stage: Stage = { scene, isCrowded, lookedAt: new Set() };
  const seen = new Map<Misbehaviour, Promise<Seen>>();
  for (const [index, each] of misbehaviours.entries()) {
    const part = play(stage, each, origins[index] ?? "");
    // Whoever asks for it hears of it.
    part.catch(() => undefined);
    seen.set(each, part);
  }
  return {
    async of(misbehaviour) {
      const part = seen.get(misbehaviour);
      if (part === undefined) throw new Error(`${misbehaviour.name} is not in the show`);
      return part;
    },
    async close() {
      // It may still wait for somebody who does not answer.
      await scene.server.kill();
      await scene.close();
    },
  };
}

function originOf({ domain }: Misbehaviour, index: number): string {
  return `https://s${index}${domain ?? ".push.example"}`;
}

type Stage = {
  scene: Scene;
  isCrowded: boolean;
  /** Reasons that were looked at on the command line. */
  lookedAt: Set<string>;
};

async function play(
  { scene, isCrowded, lookedAt }: Stage,
  { rule, course }: Misbehaviour,
  origin: string,
): Promise<Seen> {
  const own = scene.registered.filter(({ endpoint }) => endpoint.startsWith(`${origin}/`));
  const target = { kind: "tokens", tokens: own.map(({ token }) => token) } as const;
  const standing = scene.sink.misbehave({ ...rule, origin });
  const id = await scene.publish({ target });

  let wasHeld = false;
  const until = (fits: (status: MessageProgress) => boolean) =>
    patiently(scene, id, (status) => {
      wasHeld ||= status.held.length > 0;
      return fits(status);
    });
  let paused: Paused | null = null;
  if ("opens" in course) {
    const status = await until(({ state }) => state === "paused");
    const metrics = await breakersInMetrics(scene);
    const isFirst = !lookedAt.has(course.opens);
    lookedAt.add(course.opens);
    const commandLine = isFirst ? await breakersOnCommandLine(scene) : null;
    paused = { status, metrics, commandLine };
  } else if (course.kind === "single") {
    await until(({ counts }) => counts.retry === own.length);
  }
  const endsByItself = course.kind === "passing" || (course.kind === "spell" && !isCrowded);
  if (!endsByItself) standing.stop();

  const done = await until(isDone);
  const sink = scene.sink.counts().origins[origin];
  if (sink === undefined) throw new Error(`the sink does not play ${origin}`);
  const dry = await post(scene, "messages", { ...hello, target, dryRun: true });
  const { registrations: live } = dryRunSchema.parse(await dry.json());
  const hits = standing.hits() - goodSteps(rule);
  return { origin, paused, wasHeld, done, sink, hits, live };
}

/** How many steps of a script are none. */
function goodSteps({ script = [] }: Rule): number {
  return script.filter((step) => step === "ok").length;
}

async function patiently(
  scene: Scene,
  id: string,
  fits: (status: MessageProgress) => boolean,
): Promise<MessageProgress> {
  const over = new AbortController();
  const patience = delay(patienceMs, undefined, over).then(async () => {
    const { state, counts, unsent, reasons, held } = await scene.status(id);
    throw new Error(`it does not end: ${JSON.stringify({ state, counts, unsent, reasons, held })}`);
  });
  try {
    return await Promise.race([scene.until(id, fits), patience]);
  } finally {
    over.abort();
    patience.catch(() => undefined);
  }
}
