import { once } from "node:events";
import type { TLSSocket } from "node:tls";
import { afterEach, beforeAll } from "vitest";
import type { Outcome } from "../outcome.ts";
import { makeCertificates, type TestCertificates } from "./certificates.ts";
import {
  startPushService,
  type Listening,
  type ReceivedPush,
  type TestPushService,
} from "./push-service.ts";
import { startRawPushService, type RawPushService } from "./raw-http2.ts";
import { playedHost, sendTo, type TestSending } from "./sending.ts";

export type SendingOptions = Parameters<typeof sendTo>[2];
type ServiceOptions = Omit<Parameters<typeof startPushService>[0], "certificates">;
type RawOptions = Omit<Parameters<typeof startRawPushService>[0], "certificates">;

export type SendingScene = {
  readonly certificates: () => TestCertificates;
  /** A push service by node:http2, and a sender to it. */
  readonly start: (
    service: ServiceOptions,
    options?: SendingOptions,
  ) => Promise<{ service: TestPushService } & TestSending>;
  /** A push service that speaks HTTP/2 frame by frame, and a sender to it. */
  readonly startRaw: (
    service: RawOptions,
    options?: SendingOptions,
  ) => Promise<{ service: RawPushService } & TestSending>;
  /** A sender to whatever listens there. */
  readonly sendingTo: (service: Listening, options?: SendingOptions) => TestSending;
  /** To be awaited when the test is over. */
  readonly atEnd: (end: () => Promise<unknown>) => void;
};

/** For the tests of a file: push services and senders, which are closed after each test. */
export function sendingScene(): SendingScene {
  const undo: (() => Promise<unknown>)[] = [];
  let made: TestCertificates | null = null;

  beforeAll(async () => {
    made = await makeCertificates([playedHost]);
  });
  afterEach(async () => {
    await Promise.all(undo.splice(0).map((end) => end()));
  });

  function certificates(): TestCertificates {
    if (made === null) throw new Error("only while a test runs");
    return made;
  }

  function sendingTo(service: Listening, options: SendingOptions = {}): TestSending {
    const sending = sendTo(service.port, certificates(), options);
    undo.push(() => sending.sender.close().then(service.close));
    return sending;
  }

  return {
    certificates,
    async start(service, options) {
      const started = await startPushService({ certificates: certificates(), ...service });
      return { service: started, ...sendingTo(started, options) };
    },
    async startRaw(service, options) {
      const started = await startRawPushService({ certificates: certificates(), ...service });
      return { service: started, ...sendingTo(started, options) };
    },
    sendingTo,
    atEnd: (end) => {
      undo.push(end);
    },
  };
}

export function accept({ stream }: Pick<ReceivedPush, "stream">): void {
  stream.respond({ ":status": 201 }, { endStream: true });
}

/** How many there are of each kind and reason. */
export function count(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) {
    const name = "reason" in outcome ? `${outcome.kind} ${outcome.reason}` : outcome.kind;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Resolves when a socket, session or stream is closed. */
export function closed(ended: {
  readonly destroyed: boolean;
  once(event: "close", listener: () => void): unknown;
}): Promise<void> {
  if (ended.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    ended.once("close", resolve);
  });
}

/** Writes the same over and over, as fast as the other side takes it, until it hangs up. */
export async function flood(socket: TLSSocket, bytes: Uint8Array): Promise<void> {
  const hungUp = closed(socket);
  while (!socket.destroyed) {
    if (socket.write(bytes)) continue;
    // A connection that is reset is one that was hung up.
    await Promise.race([once(socket, "drain").catch(() => undefined), hungUp]);
  }
}
