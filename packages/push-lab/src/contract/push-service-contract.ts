import webpush from "web-push";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { type PushLab, startPushLab } from "../lab.ts";
import { type OutgoingPush, sendOverHttp2, signedPush } from "../test/application-server.ts";

/** A browser that speaks one push service's protocol, without the browser around it. */
export type ProtocolBrowser = {
  /** Subscribes with the test's VAPID key; gives the endpoint, a new one after `unsubscribe`. */
  readonly subscribe: () => Promise<string>;
  readonly unsubscribe: () => Promise<void>;
  readonly connect: () => Promise<void>;
  /** Resolves once the lab knows that it is away. */
  readonly leave: () => Promise<void>;
  readonly nextMessage: () => Promise<ReceivedPush>;
  /** Says that it has what it got so far. */
  readonly acknowledge: () => void;
};

/** A message as it came to the browser; without a body where the push had none. */
export type ReceivedPush = { readonly id: string; readonly body: Uint8Array | undefined };

export type PushServiceUnderTest = {
  readonly origin: string;
  /** A fresh profile, away. */
  readonly newBrowser: (lab: PushLab) => Promise<ProtocolBrowser>;
  /** What the service answers to credentials that do not entitle to the subscription. */
  readonly wrongVapidStatus: number;
  readonly longestTtlSeconds: number;
};

/** What every push service of the lab does alike, whichever browser it is for (RFC 8030, 8292). */
export function pushServiceContract(
  name: string,
  { origin, newBrowser, wrongVapidStatus, longestTtlSeconds }: PushServiceUnderTest,
): void {
  describe(`${name}'s push service`, () => {
    let nowMs: number;
    let lab: PushLab;
    let browser: ProtocolBrowser;
    let endpoint: string;

    beforeAll(async () => {
      lab = await startPushLab({ now: () => nowMs });
    });
    afterAll(() => lab.close());
    beforeEach(async () => {
      nowMs = Date.now();
      browser = await newBrowser(lab);
      endpoint = await browser.subscribe();
    });

    type Changes = Partial<Parameters<typeof signedPush>[0]>;

    /** Sends a push that is accepted, and gives its id. */
    const push = async (changes: Changes = {}): Promise<string> => {
      const { status, headers } = await send(changes);
      expect(status).toBe(201);
      return (headers["location"] ?? "").split("/").at(-1) ?? "";
    };
    const send = (changes: Changes = {}, change = (sent: OutgoingPush) => sent) =>
      sendOverHttp2(lab, change(signedPush({ endpoint, ...changes })));
    const statusOf = async (...sent: Parameters<typeof send>) => (await send(...sent)).status;
    const deliveryOf = (id: string) => lab.pushes().find((known) => known.id === id)?.delivery;
    const acknowledged = (id: string) => lab.until(() => deliveryOf(id) === "acknowledged");
    const nextIds = async (count: number): Promise<string[]> => {
      const ids: string[] = [];
      while (ids.length < count) ids.push((await browser.nextMessage()).id);
      return ids;
    };

    describe("accepts", () => {
      test("a push, gives its message a place, and delivers it as it came", async () => {
        await browser.connect();
        const body = Buffer.from([0, 255, 254, 128]);
        const answer = await send({ body });
        expect(answer.status).toBe(201);
        expect(answer.headers["location"]).toMatch(new RegExp(`^${origin}/.*/${idPattern}$`));
        const message = await browser.nextMessage();
        expect(answer.headers["location"]?.endsWith(`/${message.id}`)).toBe(true);
        expect(Buffer.from(message.body ?? [])).toEqual(body);
        browser.acknowledge();
        await acknowledged(message.id);
      });

      test("a push without a body", async () => {
        await browser.connect();
        const id = await push({ body: new Uint8Array(0) });
        expect(await browser.nextMessage()).toEqual({ id, body: undefined });
      });

      test("4096 bytes", async () => {
        await browser.connect();
        await push({ body: new Uint8Array(4096).fill(7) });
        expect((await browser.nextMessage()).body?.byteLength).toBe(4096);
      });

      test("a TTL that is too long, shortened", async () => {
        const answer = await send({ ttl: String(longestTtlSeconds + 1) });
        expect(answer).toMatchObject({
          status: 201,
          headers: { ttl: String(longestTtlSeconds) },
        });
        expect(lab.pushes().at(-1)?.ttlSeconds).toBe(longestTtlSeconds);
      });
    });

    describe("refuses", () => {
      test("one byte too many", async () => {
        expect(await statusOf({ body: new Uint8Array(4097) })).toBe(413);
      });

      test("a push without a TTL, or with one that is no number", async () => {
        expect(await statusOf({}, without("ttl"))).toBe(400);
        expect(await statusOf({ ttl: "soon" })).toBe(400);
        expect(await statusOf({ ttl: "-1" })).toBe(400);
      });

      test("a topic of 33 characters", async () => {
        expect(await statusOf({ topic: "a".repeat(33) })).toBe(400);
      });

      test("a push without credentials, or with malformed ones", async () => {
        expect(await statusOf({}, without("authorization"))).toBe(401);
        expect(await statusOf({}, withAuthorization("vapid"))).toBe(401);
        expect(await statusOf({}, withAuthorization("vapid t=a.b, k=c"))).toBe(401);
      });

      test("another VAPID key than the subscription's", async () => {
        expect(await statusOf({ keys: webpush.generateVAPIDKeys() })).toBe(wrongVapidStatus);
      });

      test("credentials for another push service, or of another time", async () => {
        const nowSeconds = Math.floor(nowMs / 1000);
        expect(await statusOf({ claims: { aud: "https://other.example" } })).toBe(wrongVapidStatus);
        expect(await statusOf({ claims: { exp: nowSeconds - 1 } })).toBe(wrongVapidStatus);
        expect(await statusOf({ claims: { exp: nowSeconds + 90_000 } })).toBe(wrongVapidStatus);
      });

      test("and delivers nothing of what it refused", async () => {
        await browser.connect();
        await send({ body: new Uint8Array(4097) });
        await send({ keys: webpush.generateVAPIDKeys() });
        const id = await push();
        expect(await nextIds(1)).toEqual([id]);
      });
    });

    describe("while the browser is away", () => {
      test("keeps what comes, in order", async () => {
        const ids = [await push(), await push(), await push()];
        expect(ids.map(deliveryOf)).toEqual(["queued", "queued", "queued"]);
        await browser.connect();
        expect(await nextIds(3)).toEqual(ids);
      });

      test("lets go of what expires", async () => {
        const short = await push({ ttl: "10" });
        const long = await push({ ttl: "11" });
        nowMs += 10_000;
        await browser.connect();
        expect(await nextIds(1)).toEqual([long]);
        expect(deliveryOf(short)).toBe("expired");
      });

      test("does not keep what is now or never", async () => {
        const never = await push({ ttl: "0" });
        const kept = await push();
        await browser.connect();
        const now = await push({ ttl: "0" });
        expect(await nextIds(2)).toEqual([kept, now]);
        expect(deliveryOf(never)).toBe("expired");
      });

      test("replaces what waits by what comes with the same topic", async () => {
        const old = await push({ topic: "score" });
        const other = await push({ topic: "weather" });
        const fresh = await push({ topic: "score" });
        await browser.connect();
        expect(await nextIds(2)).toEqual([other, fresh]);
        expect(deliveryOf(old)).toBe("replaced");
      });
    });

    describe("sends again", () => {
      test("what was not acknowledged, under the same id, until it is", async () => {
        await browser.connect();
        const had = await push();
        expect(await nextIds(1)).toEqual([had]);
        browser.acknowledge();
        await acknowledged(had);
        const lost = await push();
        expect(await nextIds(1)).toEqual([lost]);
        await browser.leave();
        expect(deliveryOf(lost)).toBe("queued");

        await browser.connect();
        expect(await nextIds(1)).toEqual([lost]);
        browser.acknowledge();
        await acknowledged(lost);
        await browser.leave();

        await browser.connect();
        const next = await push();
        expect(await nextIds(1)).toEqual([next]);
      });
    });

    test("gives each browser its own messages only", async () => {
      const other = await newBrowser(lab);
      const otherEndpoint = await other.subscribe();
      await browser.connect();
      await other.connect();
      const forOther = await push({ endpoint: otherEndpoint });
      const forThis = await push();
      expect(await nextIds(1)).toEqual([forThis]);
      expect((await other.nextMessage()).id).toBe(forOther);
    });

    describe("of a subscription that is not there", () => {
      test("says 404 where there never was one", async () => {
        expect(await statusOf({ endpoint: `${endpoint}x` })).toBe(404);
      });

      test("says 410 after the browser unsubscribed, and drops what waits", async () => {
        const id = await push();
        await browser.unsubscribe();
        expect(await statusOf()).toBe(410);
        expect(deliveryOf(id)).toBe("dropped");

        const again = await browser.subscribe();
        expect(again).not.toBe(endpoint);
        await browser.connect();
        const next = await push({ endpoint: again });
        expect(await nextIds(1)).toEqual([next]);
      });

      test.each([404, 410] as const)("says %i after the service ended it so", async (status) => {
        const id = await push();
        lab.endSubscription(endpoint, status);
        expect(await statusOf()).toBe(status);
        expect(deliveryOf(id)).toBe("dropped");
        expect(lab.subscriptions().at(-1)).toMatchObject({ endpoint, ended: { status } });
      });
    });
  });
}

/** 16 bytes in base64url. */
const idPattern = "[A-Za-z0-9_-]{22}";

const without =
  (header: string) =>
  (sent: OutgoingPush): OutgoingPush => ({
    ...sent,
    headers: Object.fromEntries(Object.entries(sent.headers).filter(([known]) => known !== header)),
  });

const withAuthorization =
  (authorization: string) =>
  (sent: OutgoingPush): OutgoingPush => ({ ...sent, headers: { ...sent.headers, authorization } });
