/** A server in a process of its own, and push services on real sockets: what it sends while delivery is held, and after the resume. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDataFolder } from "./data-folder.ts";
import type { Store } from "./store/port.ts";
import { siteClient } from "./test/http-client.ts";
import { newMessage } from "./store/contract/new-message.ts";
import { patience } from "./test/patience.ts";
import { testPlaces } from "./test/places.ts";
import { readyLine, startSineta, type TestProcess } from "./test/process.ts";
import { registerMany, startSlowPush, type SlowPush } from "./test/slow-push.ts";
import { makeCertificates } from "./webpush/testing/certificates.ts";
import { playedHost } from "./webpush/testing/sending.ts";

const hourMs = 3_600_000;
const browsers = 3;
const asker = { actor: { kind: "command-line", name: "ana" }, address: null } as const;

let bench: ReturnType<typeof testPlaces>;
let push: SlowPush;
let server: TestProcess;
let site: string;
let store: Store;
let projectId: number;

beforeEach(async () => {
  bench = testPlaces();
  const certificates = await makeCertificates([playedHost]);
  push = await startSlowPush(certificates);
  push.answerAll();
  writeFileSync(join(bench.folder, "ca.pem"), certificates.ca);
  await start();
  await registerMany(site, browsers);
  store = await openDataFolder(bench.dataFolder, Date.now());
  ({ id: projectId } = await store.projects.ensure("default", Date.now()));
});
afterEach(async () => {
  await store.close();
  server.kill("SIGKILL");
  await server.ended;
  await push.close();
  rmSync(bench.folder, { recursive: true });
});

async function start(): Promise<void> {
  const environment = {
    SINETA_PORT: "0",
    SINETA_PUSH_ROUTES: push.routes,
    NODE_EXTRA_CA_CERTS: join(bench.folder, "ca.pem"),
  };
  server = startSineta(["serve"], { ...bench, environment });
  [, site = ""] = await server.line(readyLine);
}

async function publish(createdAtMs: number, scheduledAtMs: number): Promise<string> {
  const message = newMessage(projectId, { scheduledAtMs });
  await store.messages.publish(message, createdAtMs);
  return message.id;
}

const stateOf = async (id: string) => (await store.messages.find(projectId, id))?.state;
const untilDone = (id: string) =>
  vi.waitUntil(async () => (await stateOf(id)) === "done", patience);
const sineta = (...words: string[]) => startSineta(words, bench).ended;

test("a restored server serves and sends nothing, until a resume in another process", async () => {
  server.kill("SIGTERM");
  await server.ended;
  const backedUpMs = Date.now() - hourMs;
  const old = await publish(backedUpMs - hourMs, backedUpMs - hourMs);
  const later = await publish(backedUpMs - hourMs, Date.now() + hourMs);
  await store.hold.begin({ reason: "restored", sinceMs: backedUpMs }, asker);
  await start();
  expect((await fetch(new URL("/readyz", site))).status).toBe(200);
  const client = await siteClient(site);
  await client.register();
  const fresh = await publish(Date.now(), Date.now());
  const held = await sineta("status", "--json");
  expect(held.status).toBe(1);
  expect(JSON.parse(held.stdout)).toMatchObject({ running: true, held: { reason: "restored" } });
  expect(push.begun).toEqual([]);

  const resumed = await sineta("resume", "--yes");
  expect(resumed).toMatchObject({ status: 0, stderr: "" });
  await untilDone(fresh);
  expect([await stateOf(old), await stateOf(later)]).toEqual(["cancelled", "scheduled"]);
  expect(push.begun).toHaveLength(browsers + 1);
  server.kill("SIGTERM");
  const { stderr } = await server.ended;
  expect(stderr).toContain("delivery is held: the data comes from a back-up");
  expect(stderr).toContain("delivery has resumed");
});

test("a running server obeys sineta hold and sineta resume, without a restart", async () => {
  const before = await publish(Date.now(), Date.now());
  await untilDone(before);
  const held = await sineta("hold");
  expect(held).toMatchObject({
    status: 0,
    stderr: "The server ends the pages that it has begun, and begins no other.\n",
  });
  const meanwhile = await publish(Date.now(), Date.now());
  expect((await sineta("status")).stdout).toMatch(/^delivery +held since \S+ \(asked\)/);
  expect(push.begun).toHaveLength(browsers);
  expect(await stateOf(meanwhile)).toBe("scheduled");
  await sineta("resume", "--yes");
  await untilDone(meanwhile);
  expect(push.begun).toHaveLength(2 * browsers);
});
