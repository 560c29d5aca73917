import { randomBytes } from "node:crypto";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, beforeEach, vi, type Mock } from "vitest";
import { createLog } from "../../../log.ts";
import type { ActiveProject } from "../../../projects/project.ts";
import type { Recipient } from "../../../store/port.ts";
import { makeCertificates, type TestCertificates } from "../../../webpush/testing/certificates.ts";
import type { Listening, ReceivedPush } from "../../../webpush/testing/push-service.ts";
import { playedHost } from "../../../webpush/testing/sending.ts";
import { makeSubscription } from "../../../webpush/testing/subscription.ts";
import { generateVapidKeys, importVapidKeys } from "../../../webpush/vapid.ts";
import { startPushThreads, type PushThreads } from "../push-threads.ts";

const trusted = getCACertificates();
const { publicKey, privateKey } = generateVapidKeys();
const key = { id: 1, publicKey, createdAtMs: 0, keys: importVapidKeys(publicKey, privateKey) };

export const project = { keys: { current: key, all: [key] }, receiptSecret: randomBytes(32) };
export const browser = makeSubscription();

export type ThreadsOptions = {
  most?: number;
  project?: Pick<ActiveProject, "keys" | "receiptSecret">;
};

export type ThreadsScene = {
  /** Lines of the log. */
  readonly errors: Mock<(line: string) => void>;
  /** @param start gives a push service; it is closed after the test */
  readonly serve: <Service extends Listening>(
    start: (certificates: TestCertificates) => Promise<Service>,
  ) => Promise<Service>;
  /** Threads whose pushes go to that push service. */
  readonly start: (service: Listening, more?: ThreadsOptions) => PushThreads;
};

/** For the tests of a file: threads that trust the push services played here, all closed after each test. */
export function threadsScene(): ThreadsScene {
  const undo: (() => Promise<unknown>)[] = [];
  const errors = vi.fn<(line: string) => void>();
  let made: TestCertificates | null = null;

  beforeEach(async () => {
    made = await makeCertificates([playedHost]);
    setDefaultCACertificates([...trusted, made.ca]);
  });
  afterEach(async () => {
    // Threads before what they send to.
    for (const end of undo.splice(0).toReversed()) await end();
    setDefaultCACertificates(trusted);
    errors.mockReset();
  });

  return {
    errors,
    async serve(start) {
      if (made === null) throw new Error("only while a test runs");
      const service = await start(made);
      undo.push(service.close);
      return service;
    },
    start({ port }, more = {}) {
      const threads = startPushThreads({
        policy: {
          hosts: [],
          routes: [{ host: playedHost, port: 443, address: "127.0.0.1", addressPort: port }],
        },
        subject: "mailto:ops@example.com",
        closeMs: 10_000,
        project,
        log: createLog("error", { write: errors }),
        ...more,
      });
      undo.push(threads.close);
      return threads;
    },
  };
}

export function recipient(registrationId: number): Recipient {
  const { p256dh, auth } = browser;
  return {
    p256dh,
    auth,
    registrationId,
    token: `token ${registrationId}`,
    generation: 1,
    endpoint: `https://${playedHost}/fcm/send/${registrationId}`,
    vapidKeyId: key.id,
    pushOrigin: `https://${playedHost}`,
    origin: "https://site.example",
    refusedAtMs: null,
  };
}

/** The registration that a push is for: the number at the end of its endpoint. */
export function numberOf({ headers }: Pick<ReceivedPush, "headers">): number {
  return Number(String(headers[":path"]).split("/").at(-1));
}
