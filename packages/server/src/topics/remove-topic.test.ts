import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { setUp } from "../store/contract/bench.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import { removeTopic } from "./remove-topic.ts";

test("a topic is removed in portions, with a pause after each full one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sineta-topics-"));
  const { store, projectId, add } = await setUp({
    open: () => openSqliteStore(join(folder, "test.db"), 0),
    remove: async () => undefined,
  });
  await store.topics.add(projectId, { name: "bread", policy: "open" }, 1);
  const topic = await store.topics.find(projectId, "bread");
  if (topic === null) throw new Error("the topic is not there");
  for (let count = 0; count < 5; count += 1) {
    await store.topics.changeMany({ projectId, topicId: topic.id }, "join", [await add()], 1);
  }
  const left: (number | undefined)[] = [];
  const pause = async () => left.push((await store.topics.list(projectId))[0]?.liveCount);
  await removeTopic(store.topics, topic, pause, { portion: 2 });
  expect(left).toEqual([3, 1]);
  expect(await store.topics.list(projectId)).toEqual([]);
  await store.close();
  rmSync(folder, { recursive: true });
});
