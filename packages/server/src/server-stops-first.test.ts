/** Whoever is told that a message is cancelled, or that a browser has left, is told so when no push of it begins any more. */
import { rmSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { messageStatusSchema, publishedSchema } from "@sineta/protocol";
import { readConfig } from "./config.ts";
import { createLog } from "./log.ts";
import { startServer, type RunningServer } from "./server.ts";
import { patience } from "./test/patience.ts";
import { testPlaces } from "./test/places.ts";
import { runCommand } from "./test/run-command.ts";
import {
  prove,
  registerMany,
  startSlowPush,
  untilAtRest,
  type Registered,
  type SlowPush,
} from "./test/slow-push.ts";
import { makeCertificates } from "./webpush/testing/certificates.ts";
import { playedHost } from "./webpush/testing/sending.ts";

const browserCount = 300;
const trusted = getCACertificates();
let bench: ReturnType<typeof testPlaces>;
let slow: SlowPush;
let server: RunningServer;
let apiKey: string;
let registered: Registered[];

beforeEach(async () => {
  bench = testPlaces();
  const certificates = await makeCertificates([playedHost]);
  setDefaultCACertificates([...trusted, certificates.ca]);
  slow = await startSlowPush(certificates);
  const environment = {
    SINETA_PORT: "0",
    SINETA_PUSH_ROUTES: slow.routes,
    SINETA_REGISTRATIONS_PER_MINUTE: "1000000",
  };
  const { config } = readConfig({ flags: {}, environment, folder: bench.folder });
  const log = createLog("silent", { write: () => undefined });
  server = await startServer(config, { log, places: bench.places });
  prove(bench.dataFolder);
  const made = await runCommand(["api-keys", "create", "--scopes", "send,read,manage"], bench);
  apiKey = /sineta_\S{43}/.exec(made.out)?.[0] ?? "";
  registered = await registerMany(server.url, browserCount);
});
afterEach(async () => {
  slow.answerAll();
  await server.stop();
  await slow.close();
  setDefaultCACertificates(trusted);
  rmSync(bench.folder, { recursive: true });
});

/** Asks as the holder of the API key, or as a browser that brings its secret. */
async function ask(path: string, init: RequestInit = {}, secret?: string): Promise<Response> {
  const who =
    secret === undefined
      ? { Authorization: `Bearer ${apiKey}` }
      : { Origin: new URL(server.url).origin, "Sineta-Client-Secret": secret };
  const headers = { "Content-Type": "application/json", ...who };
  const url = new URL(`/v1/projects/default/${path}`, server.url);
  const response = await fetch(url, { ...init, headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

const statusOf = async (id: string) =>
  messageStatusSchema.parse(await (await ask(`messages/${id}`)).json());

/** Publishes to all. @returns the message's id, in the middle of its only page */
async function sendingToAll(): Promise<string> {
  const body = JSON.stringify({ target: { kind: "all" }, notification: { title: "Olá" } });
  const response = await ask("messages", { method: "POST", body });
  await slow.inTheMiddle();
  return publishedSchema.parse(await response.json()).id;
}

test("after a cancel is answered no push begins", async () => {
  const id = await sendingToAll();
  await ask(`messages/${id}/cancel`, { method: "POST" });
  await slow.arrived();
  const begun = slow.begun.length;
  slow.answerAll();
  await untilAtRest(bench.dataFolder);
  await slow.arrived();
  expect(slow.begun).toHaveLength(begun);
  const { state, counts, unsent } = await statusOf(id);
  expect(state).toBe("cancelled");
  // What was in flight has arrived, and counts.
  expect(counts).toEqual({ accepted: begun, gone: 0, retry: 0, rejected: 0, failed: 0 });
  expect(unsent).toBe(browserCount - begun);
});

describe("in the middle of a page", () => {
  const post = { method: "POST" };
  const ways: [name: string, leave: (each: Registered) => Promise<unknown>][] = [
    [
      "leaves",
      ({ browser, token }) =>
        ask(`registrations/${token}`, { method: "DELETE" }, browser.clientSecret),
    ],
    [
      "is forgotten",
      ({ browser, token }) => ask(`registrations/${token}/forget`, post, browser.clientSecret),
    ],
    ["is removed by an operator", ({ token }) => ask(`registrations/${token}/remove`, post)],
  ];

  test.for(ways)(
    "no push begins to a browser that %s, once that is answered",
    async ([, leave]) => {
      const id = await sendingToAll();
      // One of which a push waits for a stream, and one of which none was handed on at all.
      const gone = [registered[90], registered[browserCount - 1]].flatMap((each) => each ?? []);
      for (const each of gone) await leave(each);
      slow.answerAll();
      await vi.waitUntil(async () => (await statusOf(id)).state === "done", patience);
      await slow.arrived();
      // Everybody else got it, once.
      const left = registered.filter((each) => !gone.includes(each));
      expect(slow.begun.toSorted()).toEqual(left.map(({ path }) => path).toSorted());
      const { counts, audience } = await statusOf(id);
      expect(counts).toEqual({ accepted: left.length, gone: 0, retry: 0, rejected: 0, failed: 0 });
      expect(audience.registrations).toBe(left.length);
    },
  );
});
