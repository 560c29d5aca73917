/** Push services on loopback: real TLS, HTTP/2 and HTTP/1.1, and no answers of several kinds. */
import { createServer as createHttpsServer } from "node:https";
import { createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { makeCertificates, type TestCertificates } from "../webpush/testing/certificates.ts";
import { startFullBacklog } from "../webpush/testing/full-backlog.ts";
import { listen, startPushService } from "../webpush/testing/push-service.ts";
import { checkPushServices, type PushServiceParts } from "./check-push-services.ts";

const fcm = "fcm.googleapis.com";
const mozilla = "updates.push.services.mozilla.com";
const apple = "web.push.apple.com";

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of undo.splice(0)) await end();
});

async function servePush(certificates: TestCertificates, date?: string): Promise<number> {
  const headers = { ":status": 404, ...(date === undefined ? {} : { date }) };
  const service = await startPushService({
    certificates,
    onPush: ({ stream }) => stream.respond(headers, { endStream: true }),
  });
  undo.push(service.close);
  return service.port;
}

async function serveOverHttp1(certificates: TestCertificates): Promise<number> {
  const server = createHttpsServer(certificates, (_request, response) => response.end("hello"));
  const { port, close } = await listen(server);
  undo.push(close);
  return port;
}

const route = (host: string, addressPort: number) => ({
  host,
  port: 443,
  address: "127.0.0.1",
  addressPort,
});

function check(
  { ca }: Pick<TestCertificates, "ca">,
  routes: ReturnType<typeof route>[],
  more: Partial<PushServiceParts> = {},
) {
  return checkPushServices({
    origins: [],
    held: [],
    policy: { hosts: [], routes },
    connect: { ca, lookup: (_host, _options, give) => give(new Error("no such name"), "") },
    signal: AbortSignal.timeout(2_000),
    now: Date.now,
    ...more,
  });
}

test("names each push service that answers, and tells its clock", async () => {
  const certificates = await makeCertificates([fcm, mozilla, apple]);
  const http1 = await serveOverHttp1(certificates);
  const http2 = await servePush(certificates, "Tue, 01 Dec 2026 12:00:00 GMT");
  const found = await check(certificates, [
    route(fcm, http2),
    route(mozilla, http1),
    route(apple, http2),
  ]);
  expect(found.findings).toMatchObject([
    { code: "push-service-reached", state: "ok", subject: fcm },
    { code: "push-service-reached", subject: mozilla },
    { code: "push-service-reached", subject: apple },
  ]);
  expect(found.clocks.map(({ host }) => host)).toEqual([fcm, mozilla, apple]);
  expect(found.clocks[0]?.atMs).toBe(Date.parse("2026-12-01T12:00:00Z"));
  expect(Math.abs((found.clocks[1]?.atMs ?? 0) - Date.now())).toBeLessThan(60_000);
});

test("tells a name that is unknown, a port that is closed, and a certificate that is another's", async () => {
  const certificates = await makeCertificates([fcm]);
  const other = await servePush(await makeCertificates([apple]));
  const closed = await servePush(certificates);
  await undo.pop()?.();
  const found = await check(certificates, [route(mozilla, closed), route(apple, other)]);
  expect(found).toMatchObject({
    findings: [
      { code: "push-service-name-unknown", state: "to-do", subject: fcm, seen: "no such name" },
      {
        code: "push-service-silent",
        state: "to-do",
        subject: mozilla,
        seen: expect.stringContaining("ECONNREFUSED"),
      },
      { code: "push-service-untrusted", state: "to-do", subject: apple },
    ],
    clocks: [],
  });
});

test("a connection that ends at once is no wrong certificate", async () => {
  const certificates = await makeCertificates([fcm]);
  const { port, close } = await listen(createServer((socket) => socket.destroy()));
  undo.push(close);
  const { findings } = await check(certificates, [route(fcm, port)]);
  expect(findings.at(0)).toMatchObject({ code: "push-service-silent", subject: fcm });
});

test("tells a push service that lets the doctor wait", async () => {
  const certificates = await makeCertificates([fcm]);
  const backlog = await startFullBacklog();
  undo.push(backlog.close);
  const { findings } = await check(certificates, [route(fcm, backlog.port)], {
    signal: AbortSignal.timeout(200),
  });
  expect(findings).toContainEqual(
    expect.objectContaining({
      code: "push-service-silent",
      subject: fcm,
      seen: "connect-timed-out",
    }),
  );
});

test("tells a name that leads into the own network", async () => {
  const { findings } = await check({ ca: "" }, [], {
    connect: {
      lookup: (_host, _options, give) => give(null, [{ address: "10.0.0.1", family: 4 }]),
    },
  });
  expect(findings).toContainEqual(
    expect.objectContaining({
      code: "push-service-elsewhere",
      subject: fcm,
      seen: expect.stringContaining("10.0.0.1"),
    }),
  );
});

test("looks at the hosts that most registrations are on, and names those that are held back", async () => {
  const own = "push.shop.example";
  const certificates = await makeCertificates([own]);
  const port = await servePush(certificates);
  const windows = (index: number) => `https://wns2-${index}.notify.windows.com`;
  const { findings } = await check(certificates, [route(own, port)], {
    policy: { hosts: [{ host: own }], routes: [route(own, port)] },
    origins: [
      ...Array.from({ length: 9 }, (_, index) => ({
        pushOrigin: windows(index),
        count: 10 - index,
      })),
      { pushOrigin: `https://${own}`, count: 50 },
      { pushOrigin: `https://${fcm}`, count: 900 },
    ],
    held: [{ pushOrigin: `https://${fcm}`, reason: "vapid-refused" }],
  });
  const looked = findings.map(({ subject }) => subject);
  const kept = Array.from({ length: 7 }, (_, index) => new URL(windows(index)).host);
  expect(looked).toEqual([fcm, mozilla, apple, own, ...kept, `https://${fcm}`]);
  expect(findings.find(({ subject }) => subject === own)).toMatchObject({
    code: "push-service-reached",
  });
  expect(findings.at(-1)).toMatchObject({ code: "push-service-held", seen: "vapid-refused" });
});
