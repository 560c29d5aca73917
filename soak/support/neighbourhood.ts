import { openDataFolder } from "../../packages/server/src/data-folder.ts";
import { defaultProjectName } from "../../packages/server/src/projects/project.ts";
import type { MessageStatus } from "@sineta/protocol";
import type { Fault, SinkCounts } from "@sineta/push-lab";
import { post } from "./post.ts";
import { endpointsAt } from "./seed.ts";
import { apple, fcm, mozilla, setScene } from "./scene.ts";

export const healthy = [fcm, mozilla, apple];

/** How things stood when the last of the healthy ones had been served. */
export type Served = {
  /** Since the message was published. */
  milliseconds: number;
  sink: SinkCounts;
  status: MessageStatus;
};

/** Three healthy push services, and others beside them of which one at a time is sent to, too. */
export type Neighbourhood = {
  /** To all of the healthy ones. */
  alone(): Promise<Served>;
  /** To the next of the others as well, which misbehaves so, to whatever it is asked; null: which is healthy, too. */
  beside(fault: Fault | null): Promise<Served & { neighbour: string }>;
  close(): Promise<void>;
};

export type NeighbourhoodSize = {
  /** At each of the healthy ones. */
  registrations: number;
  /** How many neighbours there are: nobody is sent to twice. */
  neighbours: number;
  /** At each of them. */
  registrationsBeside: number;
};

export async function startNeighbourhood({
  registrations,
  neighbours,
  registrationsBeside,
}: NeighbourhoodSize): Promise<Neighbourhood> {
  const others = Array.from({ length: neighbours }, (_, index) => `https://n${index}.push.example`);
  const scene = await setScene(
    [
      // In front, so that whoever goes by the order of registration meets them first.
      ...others.flatMap((origin) => endpointsAt([origin], registrationsBeside)),
      ...endpointsAt(healthy, registrations * healthy.length),
    ],
    { origins: [...healthy, ...others] },
  );
  const { server, sink } = scene;
  const nobody = "nobody";
  await addTopics(server.data, [nobody, "healthy", ...others.map(topicOf)]);
  const members = Map.groupBy(scene.registered, ({ endpoint }) => {
    const { origin } = new URL(endpoint);
    return healthy.includes(origin) ? "healthy" : topicOf(origin);
  });
  for (const [topic, list] of members) {
    for (let from = 0; from < list.length; from += 1_000) {
      const tokens = list.slice(from, from + 1_000).map(({ token }) => token);
      const joined = await post(scene, `topics/${topic}/join`, { tokens });
      if (!joined.ok) throw new Error(await joined.text());
    }
  }

  /** Whoever is beside them, the condition is as long. */
  async function broadcast(topic: string): Promise<Served & { id: string }> {
    sink.reset();
    const startMs = performance.now();
    const condition = `'healthy' in topics || '${topic}' in topics`;
    const id = await scene.publish({ target: { kind: "condition", condition } });
    const counts = await sink.until(() =>
      healthy.every((origin) => sink.accepted(origin).size === registrations),
    );
    const milliseconds = performance.now() - startMs;
    return { id, milliseconds, sink: counts, status: await scene.status(id) };
  }

  const left = others.values();
  return {
    async alone() {
      const { id, ...served } = await broadcast(nobody);
      await scene.until(id, ({ state }) => state === "done");
      return served;
    },
    async beside(fault) {
      const { value: neighbour } = left.next();
      if (neighbour === undefined) throw new Error("there is no neighbour left");
      const rule = fault === null ? null : sink.misbehave({ origin: neighbour, fault });
      const { id, ...served } = await broadcast(topicOf(neighbour));
      // What is under way there ends at once.
      await post(scene, `messages/${id}/cancel`);
      rule?.stop();
      sink.misbehave({ origin: neighbour, fault: { kind: "refuse-connections" } }).stop();
      return { ...served, neighbour };
    },
    async close() {
      await server.kill();
      await scene.close();
    },
  };
}

function topicOf(origin: string): string {
  return new URL(origin).hostname;
}

async function addTopics(dataFolder: string, names: readonly string[]): Promise<void> {
  const nowMs = Date.now();
  const store = await openDataFolder(dataFolder, nowMs);
  try {
    const { id } = await store.projects.ensure(defaultProjectName, nowMs);
    for (const name of names) await store.topics.add(id, { name, policy: "open" }, nowMs);
  } finally {
    await store.close();
  }
}
