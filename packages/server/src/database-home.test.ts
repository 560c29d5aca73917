/** Data folders that were copied or moved with the system's own tools, and the servers that start on them. */
import { execFileSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { birthTimeOf } from "./database-home.ts";
import { openDataFolder } from "./data-folder.ts";
import { createLog } from "./log.ts";
import { startServer } from "./server.ts";
import type { DeliveryHold } from "./store/port.ts";
import { fakePush } from "./test/fake-push.ts";
import { newMessage } from "./store/contract/new-message.ts";
import { testPlaces } from "./test/places.ts";

let bench: ReturnType<typeof testPlaces>;
beforeEach(async () => {
  bench = testPlaces();
  await holdAfterStart(bench.dataFolder);
});
afterEach(() => rmSync(bench.folder, { recursive: true }));

/** Starts a server on the folder and stops it. @returns the hold that is there then */
async function holdAfterStart(dataFolder: string): Promise<DeliveryHold | null> {
  const environment = { SINETA_PORT: "0", SINETA_DATA: dataFolder };
  const { config } = readConfig({ flags: {}, environment, folder: bench.folder });
  const log = createLog("silent", { write: () => undefined });
  const server = await startServer(config, {
    log,
    places: bench.places,
    sendPush: fakePush().send,
  });
  await server.stop();
  return readHold(dataFolder);
}

async function readHold(dataFolder: string): Promise<DeliveryHold | null> {
  const store = await openDataFolder(dataFolder, Date.now());
  const hold = await store.hold.find();
  await store.close();
  return hold;
}

const copy = (to: string) => execFileSync("cp", ["-a", bench.dataFolder, to]);

test("a copy by cp -a is held, also after a restart, and the original is not", async () => {
  const copied = join(bench.folder, "copy");
  copy(copied);
  const hold = await holdAfterStart(copied);
  expect(hold?.reason).toBe("cloned");
  expect(await holdAfterStart(copied)).toEqual(hold);
  expect(await holdAfterStart(bench.dataFolder)).toBeNull();
});

test("a copy in the place of the original, renamed as rsync does it, is held", async () => {
  const database = join(bench.dataFolder, "sineta.db");
  execFileSync("cp", ["-a", database, `${database}.part`]);
  renameSync(`${database}.part`, database);
  expect((await holdAfterStart(bench.dataFolder))?.reason).toBe("cloned");
});

test("an old copy that was put back in the place of the database is held", async () => {
  const database = join(bench.dataFolder, "sineta.db");
  const saved = join(bench.folder, "saved.db");
  execFileSync("cp", ["-a", database, saved]);
  rmSync(database);
  execFileSync("cp", ["-a", saved, database]);
  expect((await holdAfterStart(bench.dataFolder))?.reason).toBe("cloned");
});

test("a command is the first to notice a copy, and the server then keeps that hold", async () => {
  const copied = join(bench.folder, "copy");
  copy(copied);
  const hold = await readHold(copied);
  expect(hold?.reason).toBe("cloned");
  expect(await holdAfterStart(copied)).toEqual(hold);
});

test("a folder that was moved within its file system is not held", async () => {
  const moved = join(bench.folder, "moved");
  execFileSync("mv", [bench.dataFolder, moved]);
  expect(existsSync(bench.dataFolder)).toBe(false);
  expect(await holdAfterStart(moved)).toBeNull();
});

test("a folder that another path leads to, as a container's volume, is not held", async () => {
  const linked = join(bench.folder, "volume");
  execFileSync("ln", ["-s", bench.dataFolder, linked]);
  expect(await holdAfterStart(linked)).toBeNull();
});

test("a copy that was made of a held server is held as a copy, and cancels by default", async () => {
  const store = await openDataFolder(bench.dataFolder, Date.now());
  const asker = { actor: { kind: "command-line", name: "ana" }, address: null } as const;
  await store.hold.begin({ reason: "asked", sinceMs: Date.now() }, asker);
  const { id: projectId } = await store.projects.ensure("default", 1);
  const message = newMessage(projectId, { scheduledAtMs: Date.now() - 1_000 });
  await store.messages.publish(message, Date.now() - 1_000);
  await store.close();
  const copied = join(bench.folder, "copy");
  copy(copied);
  const hold = await holdAfterStart(copied);
  if (hold === null) throw new Error("the copy is not held");
  expect(hold.reason).toBe("cloned");
  const copyStore = await openDataFolder(copied, Date.now());
  const options = { projectId: null, asOfMs: Date.now(), limit: 10, sendDue: false, send: [] };
  expect((await copyStore.hold.list(options)).counts).toMatchObject({ cancel: 1 });
  await copyStore.close();
  expect((await readHold(bench.dataFolder))?.reason).toBe("asked");
});

test("a file system that keeps no birth time is told", () => {
  expect(birthTimeOf("/proc/self/status")).toBeNull();
});
