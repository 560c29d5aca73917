/**
 * Writes to a database until no more can be written: full-disk-child.ts <path>. Prints as JSON what that said, and
 * what the store's check said before and after. To be run with a limit on the size of files, or on a full disk.
 */
import { openSqliteStore } from "../store/sqlite/open.ts";
import { isStorageFull } from "../store/storage-full.ts";

const [path = ""] = process.argv.slice(2);
const store = await openSqliteStore(path, 0);
const { id: projectId } = await store.projects.ensure("default", 0);

/** Does it until it fails, a thousand times at most; what that said, and whether it is told as a full disk. */
async function failureOf(action: (index: number) => Promise<unknown>) {
  for (let index = 0; index < 1_000; index += 1) {
    try {
      await action(index);
    } catch (error) {
      return {
        said: error instanceof Error ? error.message : String(error),
        full: isStorageFull(error),
      };
    }
  }
  return null;
}

await store.check();
const write = await failureOf((index) =>
  store.messages.publish(
    {
      id: String(index),
      projectId,
      target: { kind: "all" },
      notification: { title: "x".repeat(200), body: "x".repeat(800) },
      data: null,
      ttlSeconds: 60,
      urgency: "normal",
      collapseKey: null,
      scheduledAtMs: 0,
      localTime: null,
      replaces: null,
    },
    0,
  ),
);
// It writes less than that: there may be room for it yet, a few times.
const check = await failureOf(() => store.check());
// What is there can still be read.
const messages = (await store.messages.list(projectId, 1_000)).length;
console.log(JSON.stringify({ write, check, messages }));
await store.close();
