/** A push service on loopback that answers when the test says so, and what is asked of a server that sends to it. */
import type { ServerHttp2Stream } from "node:http2";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { vi } from "vitest";
import type { TestCertificates } from "../webpush/testing/certificates.ts";
import { startPushService } from "../webpush/testing/push-service.ts";
import { playedHost } from "../webpush/testing/sending.ts";
import { testBrowser, type TestBrowser } from "./browser.ts";
import { siteClient } from "./http-client.ts";
import { patience } from "./patience.ts";

/** Pushes at once on each connection: fewer than the delivery has under way, and far fewer than a page has. */
const slowStreams = 20;

export type SlowPush = Awaited<ReturnType<typeof startSlowPush>>;

export async function startSlowPush(certificates: TestCertificates) {
  const begun: string[] = [];
  const hanging: ServerHttp2Stream[] = [];
  let answers = false;
  const accept = (stream: ServerHttp2Stream) => {
    if (!stream.destroyed) stream.respond({ ":status": 201 }, { endStream: true });
  };
  const service = await startPushService({
    certificates,
    settings: { maxConcurrentStreams: slowStreams },
    onHeaders: ({ headers }) => begun.push(headers[":path"] ?? ""),
    onPush: ({ stream }) => (answers ? accept(stream) : hanging.push(stream)),
  });
  return {
    routes: `${playedHost}=127.0.0.1:${service.port}`,
    /** Paths of the pushes, in the order in which they began. */
    begun,
    /** Resolves in the middle of a page: some pushes have begun, others wait for a stream, others for those. */
    async inTheMiddle() {
      await vi.waitUntil(() => hanging.length >= slowStreams, patience);
    },
    /** Answers what hangs, and whatever comes from now on. */
    answerAll() {
      answers = true;
      for (const stream of hanging.splice(0)) accept(stream);
    },
    /** Resolves when what was begun before has arrived: what a connection brings, it brings in order. */
    async arrived() {
      const open = service.sessions.filter((session) => !session.destroyed);
      await Promise.all(
        open.map((session) => new Promise<void>((resolve) => session.ping(() => resolve()))),
      );
    },
    close: () => service.close(),
  };
}

/** Says that the push service has accepted something before, so that it gets a whole page at once. */
export function prove(dataFolder: string): void {
  const database = new DatabaseSync(join(dataFolder, "sineta.db"), { timeout: 5_000 });
  database
    .prepare("insert into proven_origins select ?, id, 0 from vapid_keys")
    .run(`https://${playedHost}`);
  database.close();
}

/** Resolves when no page is being sent. */
export async function untilAtRest(dataFolder: string): Promise<void> {
  await vi.waitUntil(() => leases(dataFolder) === 0, patience);
}

function leases(dataFolder: string): number {
  const database = new DatabaseSync(join(dataFolder, "sineta.db"), { readOnly: true });
  const row = database
    .prepare("select count(*) as count from batches where lease_owner is not null")
    .get();
  database.close();
  return Number(row?.["count"]);
}

export type Registered = { browser: TestBrowser; token: string; path: string };

/** Registers so many browsers, one after the other. `path`: of its endpoint. */
export async function registerMany(site: string, count: number): Promise<Registered[]> {
  const client = await siteClient(site);
  const registered: Registered[] = [];
  for (let index = 0; index < count; index += 1) {
    const browser = testBrowser();
    const { token } = await client.register(browser);
    registered.push({ browser, token, path: new URL(browser.subscription.endpoint).pathname });
  }
  return registered;
}
