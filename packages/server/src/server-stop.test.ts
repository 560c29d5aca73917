import { once } from "node:events";
import { rmSync } from "node:fs";
import type { Http2Session } from "node:http2";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { messageListSchema } from "@sineta/protocol";
import { readConfig } from "./config.ts";
import { createLog } from "./log.ts";
import { startServer, type RunningServer } from "./server.ts";
import { siteClient } from "./test/http-client.ts";
import { testPlaces } from "./test/places.ts";
import { startSineta } from "./test/process.ts";
import { prove } from "./test/slow-push.ts";
import { makeCertificates } from "./webpush/testing/certificates.ts";
import {
  startPushService,
  type ReceivedPush,
  type TestPushService,
} from "./webpush/testing/push-service.ts";
import { playedHost } from "./webpush/testing/sending.ts";

const trusted = getCACertificates();
let bench: ReturnType<typeof testPlaces>;
let service: TestPushService;
beforeEach(async () => {
  bench = testPlaces();
  const certificates = await makeCertificates([playedHost]);
  setDefaultCACertificates([...trusted, certificates.ca]);
  service = await startPushService({ certificates, settings: { maxConcurrentStreams: 1 } });
});
afterEach(async () => {
  await service.close();
  setDefaultCACertificates(trusted);
  rmSync(bench.folder, { recursive: true });
});

/** A server with a message to two browsers: one push is on its way, the other waits for a stream. */
async function sending(
  stopGraceMs: number,
): Promise<{ server: RunningServer; underWay: ReceivedPush }> {
  const { folder, places } = bench;
  const routes = `${playedHost}=127.0.0.1:${service.port}`;
  const environment = { SINETA_PORT: "0", SINETA_PUSH_ROUTES: routes };
  const { config } = readConfig({ flags: {}, environment, folder });
  const log = createLog("silent", { write: () => undefined });
  const server = await startServer(config, { log, places, stopGraceMs });
  const client = await siteClient(server.url);
  await client.register();
  await client.register();
  prove(bench.dataFolder);
  const words = ["send", "--title", "x", "--body", "x", "--no-wait"];
  await startSineta(words, { places, folder }).ended;
  return { server, underWay: await service.arrival(0) };
}

function sessionOf({ stream }: ReceivedPush): Http2Session {
  if (stream.session === undefined) throw new Error("its session has ended");
  return stream.session;
}

function exceptions(): unknown[] {
  const database = new DatabaseSync(join(bench.dataFolder, "sineta.db"));
  const rows = database.prepare("select kind, reason, attempts from message_exceptions").all();
  database.close();
  return rows;
}

/** No attempt: it is sent as soon as the server is there again. */
const unsent = { kind: "retry", reason: "sender-closed", attempts: 0 };

describe("a stop, while a push hangs at its push service", () => {
  let server: RunningServer;
  // Not part of the test's time, which is what it judges: starting a process alone may take seconds.
  beforeEach(async () => {
    ({ server } = await sending(500));
  });

  // Less than the sender's own five seconds beyond the grace.
  test("ends it", { timeout: 5_000 }, async () => {
    await server.stop();
    expect(exceptions()).toMatchObject([unsent, unsent]);
  });
});

test("a stop waits for what is on its way, and begins no other push of the page", async () => {
  const { server, underWay } = await sending(3_600_000);
  const goodbye = once(sessionOf(underWay), "goaway");
  const stopping = server.stop();
  // The thread that sends has been told by then.
  await goodbye;
  underWay.stream.respond({ ":status": 201 }, { endStream: true });
  await stopping;
  expect(exceptions()).toMatchObject([unsent]);
  expect(service.received).toHaveLength(1);
});

test("a stop ends streams of events without waiting for its grace", async () => {
  const { server, underWay } = await sending(3_600_000);
  const { places, folder } = bench;
  const made = await startSineta(["api-keys", "create"], { places, folder }).ended;
  const headers = { Authorization: `Bearer ${/sineta_\S{43}/.exec(made.stdout)?.[0]}` };
  const messages = new URL("/v1/projects/default/messages", server.url);
  const list = messageListSchema.parse(await (await fetch(messages, { headers })).json());
  const events = await fetch(`${messages.href}/${list.messages[0]?.id}/events`, { headers });
  expect(events.status).toBe(200);
  const stopping = server.stop();
  expect(await events.text()).toMatch(/^event: progress/);
  underWay.stream.respond({ ":status": 201 }, { endStream: true });
  await stopping;
});
