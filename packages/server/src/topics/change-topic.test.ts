import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { setUp } from "../store/contract/bench.ts";
import { addTopic } from "../store/contract/members.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import { changeTopic } from "./change-topic.ts";

test("many tokens are done in portions, with a pause between them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sineta-topics-"));
  const bench = await setUp({
    open: () => openSqliteStore(join(folder, "test.db"), 0),
    remove: async () => undefined,
  });
  const { store, projectId, add } = bench;
  const { id } = await addTopic(bench, "bread");
  const [first, last] = [await add(), await add()];
  const tokens = [first, ...Array.from({ length: 2_100 }, (_, index) => `nobody ${index}`), last];
  const inIt: (number | undefined)[] = [];
  const look = async () => inIt.push((await store.topics.list(projectId))[0]?.liveCount);
  const paced = { nowMs: 1, pause: look };
  const { registrations, unknown } = await changeTopic(
    store.topics,
    { projectId, id },
    "join",
    [...tokens, first],
    paced,
  );
  expect(registrations).toBe(2);
  expect(unknown).toEqual(tokens.slice(1, -1));
  await look();
  expect(inIt).toEqual([1, 1, 2]);
  await store.close();
  rmSync(folder, { recursive: true });
});
