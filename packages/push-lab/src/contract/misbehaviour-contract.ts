import { describe, expect, test } from "vitest";

import { openHttp1, openHttp2 } from "../test/watching-client.ts";
import { type MisbehavingService, misbehavingService } from "./misbehaving-service.ts";

/** What every push service of the lab does over either protocol when it is told to misbehave, on the wire. */
export function misbehaviourContract(name: string, start: () => Promise<MisbehavingService>): void {
  describe.each([
    ["HTTP/2", openHttp2],
    ["HTTP/1.1", openHttp1],
  ])(`${name} over %s misbehaves:`, (protocol, open) => {
    const isHttp2 = protocol === "HTTP/2";
    const { send, client, service, reconnect, meet, expectWell } = misbehavingService(start, open);

    test("answers whatever it is told to", async () => {
      const headers = { "Retry-After": "7", "x-own": "1", connection: "close" };
      const { taken } = meet({
        fault: { kind: "answer", status: 503, headers, body: "later" },
        times: 1,
      });
      expect(await send().over).toMatchObject({
        status: 503,
        headers: { "retry-after": "7", "x-own": "1" },
        body: "later",
        isWhole: true,
      });
      expect(taken()).toBe(0);
      await expectWell();
    });

    test("answers without a body where the status has none", async () => {
      meet({ fault: { kind: "answer", status: 204, body: "lost" }, times: 1 });
      expect(await send().over).toMatchObject({ status: 204, body: "", isWhole: true });
    });

    test.each([false, true])("never answers; taken: %s", async (isTaken) => {
      const { untilHandled, taken } = meet({
        fault: { kind: "hang", at: "request", taken: isTaken },
        times: 1,
      });
      const hung = send();
      await untilHandled(1);
      expect(taken()).toBe(isTaken ? 1 : 0);
      await expectWell();
      await client().ping();
      expect(hung.seen).toMatchObject({ status: undefined, isOver: false });
    });

    test("begins an answer and never ends it", async () => {
      const { taken } = meet({ fault: { kind: "hang", at: "answer" }, times: 1 });
      const hung = send();
      expect(await hung.until(({ status }) => status !== undefined)).toMatchObject({ status: 201 });
      await expectWell();
      expect(hung.seen).toMatchObject({ isWhole: false, isOver: false });
      expect(taken()).toBe(2);
    });

    test("drips", async () => {
      const { taken, handled } = meet({
        fault: { kind: "drip", status: 202, bytesPerSecond: 200 },
        times: 1,
      });
      const dripping = send();
      const first = await dripping.until(({ body }) => body !== "");
      expect(first.body.length).toBeLessThan(5);
      const later = await dripping.until(({ body }) => body.length > 20);
      expect(later).toMatchObject({ status: 202, isOver: false });
      expect([taken(), handled()]).toEqual([0, 1]);
      dripping.cancel();
      await expectWell();
    });

    test("sends a body without end, as fast as it is read", async () => {
      meet({ fault: { kind: "endless-body" }, times: 1 });
      const endless = send();
      await endless.until(({ body }) => body.length > 2_000_000);
      expect(endless.seen).toMatchObject({ status: 201, isWhole: false, isOver: false });
      endless.cancel();
      await expectWell();
    });

    test("sends headers without end", async () => {
      const { taken } = meet({ fault: { kind: "endless-headers" }, times: 1 });
      const endless = send();
      // HTTP/2: each longer than a frame may be (RFC 9113, section 4.2), and so with a CONTINUATION.
      await endless.until(
        ({ interim, longestHeader, wireBytes }) =>
          (interim > 40 && longestHeader > 16_384) || wireBytes > 800_000,
      );
      expect(endless.seen).toMatchObject({ status: undefined, isOver: false });
      expect(taken()).toBe(0);
      endless.cancel();
      await expectWell();
    });

    test.each([
      ["REFUSED_STREAM", 7],
      [11, 11],
      [undefined, 2],
    ] as const)("resets a stream before the answer, code %s", async (code, number) => {
      const { taken } = meet({
        fault: { kind: "reset", at: "request", ...(code !== undefined && { code }) },
        times: 1,
      });
      const { status, code: seenCode } = await send().over;
      expect(status).toBeUndefined();
      expect(seenCode).toBe(isHttp2 ? number : undefined);
      expect(taken()).toBe(0);
      await expectWell();
    });

    test("resets a stream within the answer", async () => {
      const { taken } = meet({ fault: { kind: "reset", at: "answer", code: "CANCEL" }, times: 1 });
      const { status, isWhole, code } = await send().over;
      expect({ status, isWhole }).toEqual({ status: 201, isWhole: false });
      expect(code).toBe(isHttp2 ? 8 : undefined);
      expect(taken()).toBe(1);
      await expectWell();
    });

    test("hangs up", async () => {
      const { taken } = meet({ fault: { kind: "hang-up" } });
      expect(await send().over).toMatchObject({ status: undefined });
      await client().gone;
      expect(taken()).toBe(0);
    });

    test("takes a push and hangs up, so that its sender cannot know", async () => {
      const { taken } = meet({ fault: { kind: "hang-up", taken: true }, times: 1 });
      expect(await send().over).toMatchObject({ status: undefined });
      expect(taken()).toBe(1);
    });

    test("refuses connections, cuts those that are there, and takes them again", async () => {
      reconnect();
      await expectWell();
      const { gone } = client();
      const rule = service().misbehave({ fault: { kind: "refuse-connections" } });
      await gone;
      expect(rule.hits()).toBe(1);
      for (const origin of [undefined, service().place.origin]) {
        if (origin !== undefined) {
          service().behave();
          service().misbehave({ origin, fault: { kind: "refuse-connections" } });
        }
        reconnect();
        expect(await send().over).toMatchObject({ status: undefined });
        expect(await client().gone).toBe("ECONNRESET");
      }
      expect(rule.hits()).toBe(2);
      service().behave();
      reconnect();
      await expectWell();
    });

    test("refuses the VAPID key as it always does", async () => {
      const { taken } = meet({ fault: { kind: "refuse-vapid" }, times: 1 });
      expect([400, 401, 403]).toContain((await send().over).status);
      expect(taken()).toBe(0);
    });

    test("limits the rate", async () => {
      const { taken } = meet({
        fault: { kind: "rate-limit", as: "fcm", limit: 2, windowSeconds: 3600 },
      });
      const seen = [];
      for (let sent = 0; sent < 4; sent += 1) seen.push((await send().over).status);
      expect(seen).toEqual([201, 201, 429, 429]);
      expect(taken()).toBe(2);
    });

    test("only where a push could be accepted", async () => {
      const { hits } = meet({ fault: { kind: "hang", at: "request" } });
      const good = service().push();
      const bad = { ...good, headers: { ...good.headers, ttl: "soon" } };
      expect(await client().send(bad).over).toMatchObject({ status: 400 });
      expect(hits()).toBe(0);
    });

    test("until it is closed, which waits for nobody", async () => {
      const other = await start();
      const toOther = open(other.place);
      other.misbehave({
        script: [
          { kind: "hang", at: "request" },
          { kind: "hang", at: "answer" },
          { kind: "drip", bytesPerSecond: 10 },
          { kind: "endless-body" },
          { kind: "endless-headers" },
        ],
      });
      const pushes = Array.from({ length: 5 }, () => toOther.send(other.push()));
      await other.untilHandled(5);
      await other.close();
      const seen = await Promise.all(pushes.map(({ over }) => over));
      expect(seen.map(({ isWhole }) => isWhole)).toEqual(pushes.map(() => false));
      toOther.close();
      reconnect();
    });
  });
}
