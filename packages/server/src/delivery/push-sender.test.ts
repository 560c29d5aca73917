import { createHmac, randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonValue } from "@sineta/protocol";
import type { RingKey, VapidKeyRing } from "../projects/vapid-keys.ts";
import type { Recipient } from "../store/port.ts";
import { testMessage } from "../test/fake-push.ts";
import { makeCertificates } from "../webpush/testing/certificates.ts";
import { startPushService, type TestPushService } from "../webpush/testing/push-service.ts";
import { playedHost, sendTo } from "../webpush/testing/sending.ts";
import { makeSubscription } from "../webpush/testing/subscription.ts";
import { generateVapidKeys, importVapidKeys } from "../webpush/vapid.ts";
import type { SendPush } from "./page.ts";
import { createPushSender } from "./push-sender.ts";

const receiptSecret = randomBytes(32);
const oldKey = makeKey(1);
const newKey = makeKey(2);
const keys: VapidKeyRing = { current: newKey, all: [newKey, oldKey] };

let service: TestPushService;
let send: SendPush;
let nowMs: number;
const now = () => nowMs;
let close: () => Promise<void>;
beforeEach(async () => {
  nowMs = endsAtMs - 60_000;
  const certificates = await makeCertificates([playedHost]);
  service = await startPushService({
    certificates,
    onPush: ({ stream }) => {
      stream.respond({ ":status": 201 });
      stream.end();
    },
  });
  const { sender } = sendTo(service.port, certificates);
  send = createPushSender({ sender, project: { keys, receiptSecret }, now });
  close = async () => {
    await sender.close();
    await service.close();
  };
});
afterEach(() => close());

function makeKey(id: number): RingKey {
  const { publicKey, privateKey } = generateVapidKeys();
  return { id, publicKey, createdAtMs: 0, keys: importVapidKeys(publicKey, privateKey) };
}

const endsAtMs = Date.now() + 60_000;
const message = testMessage({
  notification: { title: "Olá", actions: [{ action: "1", title: "Ver", link: "/ver" }] },
});

test("where no receipt is wanted, no key goes along, and the browser reports nothing", async () => {
  const browser = makeSubscription();
  const unreported = testMessage({ ...message, withReceipts: false });
  await send(unreported, recipient(1, browser), endsAtMs);
  const body = service.received[0]?.body ?? Buffer.alloc(0);
  const { notification } = JSON.parse(browser.open(body).toString());
  expect(notification.data).toEqual({ sineta: { messageId: message.id, receiptKey: "" } });
});

function recipient(registrationId: number, over: Partial<Recipient>): Recipient {
  return {
    registrationId,
    token: `token ${registrationId}`,
    generation: 1,
    endpoint: `https://${playedHost}/fcm/send/${registrationId}`,
    p256dh: "",
    auth: "",
    vapidKeyId: newKey.id,
    pushOrigin: `https://${playedHost}`,
    origin: "https://site.example",
    refusedAtMs: null,
    ...over,
  };
}

test("each browser opens its origin's payload, with the receipt key of its own token", async () => {
  const browsers = [makeSubscription(), makeSubscription()];
  const recipients = browsers.map((browser, index) =>
    recipient(index, { ...browser, origin: `https://site-${index}.example` }),
  );
  for (const each of recipients) {
    expect(await send(message, each, endsAtMs)).toMatchObject({ kind: "accepted" });
  }
  const opened = browsers.map((browser, index) =>
    JSON.parse(browser.open(service.received[index]?.body ?? Buffer.alloc(0)).toString()),
  );
  expect(opened.map(({ notification }) => notification)).toEqual(
    recipients.map(({ token, origin }) => ({
      title: "Olá",
      navigate: `${origin}/`,
      tag: message.id,
      actions: [{ action: "1", title: "Ver", navigate: `${origin}/ver` }],
      data: {
        sineta: {
          messageId: message.id,
          receiptKey: createHmac("sha256", receiptSecret)
            .update(`${message.id}\n${token}`)
            .digest()
            .subarray(0, 16)
            .toString("base64url"),
        },
      },
    })),
  );
});

test("the VAPID key is the one that the browser subscribed with", async () => {
  for (const vapidKeyId of [oldKey.id, newKey.id]) {
    await send(message, recipient(vapidKeyId, { ...makeSubscription(), vapidKeyId }), endsAtMs);
  }
  const shown = service.received.map(
    ({ headers }) => /k=([\w-]+)/.exec(headers.authorization ?? "")?.[1],
  );
  expect(shown).toEqual([oldKey.publicKey, newKey.publicKey]);
  const foreign = recipient(3, { ...makeSubscription(), vapidKeyId: 99 });
  expect(await send(message, foreign, endsAtMs)).toMatchObject({ kind: "failed" });
  expect(service.received).toHaveLength(2);
});

test("the TTL that is left goes along, and nothing below 0; so does the collapse key", async () => {
  for (const left of [60_000, 59_001, 1, 0, -5_000]) {
    nowMs = endsAtMs - left;
    await send(message, recipient(1, makeSubscription()), endsAtMs);
  }
  expect(service.received.map(({ headers }) => headers["ttl"])).toEqual([
    "60",
    "60",
    "1",
    "0",
    "0",
  ]);
  expect(service.received[0]?.headers).not.toHaveProperty("topic");
  const collapsing = testMessage({ collapseKey: "score", urgency: "high" });
  await send(collapsing, recipient(1, makeSubscription()), endsAtMs);
  expect(service.received.at(-1)?.headers).toMatchObject({ topic: "score", urgency: "high" });
});

test("what cannot even be written down is an outcome, too", async () => {
  const data: Record<string, JsonValue> = {};
  data["itself"] = data;
  expect(
    await send(testMessage({ data }), recipient(1, makeSubscription()), endsAtMs),
  ).toMatchObject({
    kind: "failed",
    reason: "unexpected",
    detail: expect.stringContaining("circular structure"),
  });
  expect(service.received).toEqual([]);
});
