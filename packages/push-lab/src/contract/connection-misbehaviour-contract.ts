import { describe, expect, test } from "vitest";

import { openHttp1, openHttp2 } from "../test/watching-client.ts";
import { type MisbehavingService, misbehavingService } from "./misbehaving-service.ts";

/** What is wrong with a whole connection, which each protocol tells in its own way. */
export function connectionMisbehaviourContract(
  name: string,
  start: () => Promise<MisbehavingService>,
): void {
  describe(`${name} misbehaves with connections of HTTP/2:`, () => {
    const { send, client, meet, expectWell } = misbehavingService(start, openHttp2);

    test("hangs up, with all that is on the connection", async () => {
      const { taken } = meet({ script: [{ kind: "hang", at: "request" }, { kind: "hang-up" }] });
      const seen = await Promise.all([send().over, send().over]);
      expect(seen.map(({ status }) => status)).toEqual([undefined, undefined]);
      expect(taken()).toBe(0);
    });

    test("allows fewer streams from then on, and more again", async () => {
      meet({
        script: [
          { kind: "settings", maxConcurrentStreams: 1 },
          { kind: "settings", maxConcurrentStreams: 50 },
        ],
      });
      await expectWell();
      await client().ping();
      expect(client().allowedStreams).toEqual([100, 1]);
      await expectWell();
      await client().ping();
      expect(client().allowedStreams).toEqual([100, 1, 50]);
    });

    test.each([
      ["this", 0, 5, 3],
      ["previous", "ENHANCE_YOUR_CALM", 3, 2],
      [1, 0, 1, 2],
    ] as const)(
      "goes away mid-burst: last stream %s, code %s",
      async (lastStreamId, code, lastSeen, accepted) => {
        const { taken, hits } = meet({
          fault: { kind: "goaway", code, lastStreamId },
          after: 2,
        });
        const sent = Array.from({ length: 6 }, send);
        await client().gone;
        expect(client().goAways[0]).toEqual({ code: code === 0 ? 0 : 11, lastStreamId: lastSeen });
        const statuses = (await Promise.all(sent.map(({ over }) => over))).map(
          ({ status }) => status,
        );
        // An error code makes this client end the whole connection.
        const answered = code === 0 && lastStreamId !== 1 ? accepted : 0;
        expect(statuses.slice(0, answered)).toEqual(Array.from({ length: answered }, () => 201));
        expect(statuses.slice(accepted)).toEqual(
          Array.from({ length: 6 - accepted }, () => undefined),
        );
        // Those after the one that went are not looked at.
        expect(taken()).toBe(accepted);
        expect(hits()).toBe(1);
      },
    );

    test("goes away before the first stream of a connection", async () => {
      const { taken } = meet({ fault: { kind: "goaway", lastStreamId: "previous" }, times: 1 });
      expect(await send().over).toMatchObject({ status: undefined, code: 7 });
      expect(taken()).toBe(0);
      await client().gone;
    });
  });

  describe(`${name} misbehaves with connections of HTTP/1.1:`, () => {
    const { send, meet } = misbehavingService(start, openHttp1);

    test("goes away: the answer is the connection's last, or there is none", async () => {
      const { taken } = meet({
        script: [{ kind: "goaway" }, { kind: "goaway", lastStreamId: "previous" }],
      });
      expect(await send().over).toMatchObject({ status: 201, headers: { connection: "close" } });
      expect(await send().over).toMatchObject({ status: undefined });
      expect(taken()).toBe(1);
    });

    test("SETTINGS mean nothing", async () => {
      const { taken } = meet({ fault: { kind: "settings", maxConcurrentStreams: 1 } });
      expect(await send().over).toMatchObject({ status: 201, isWhole: true });
      expect(taken()).toBe(1);
    });
  });
}
