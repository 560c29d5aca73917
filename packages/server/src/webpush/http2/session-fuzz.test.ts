import { duplexPair } from "node:stream";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dataFrame, frame, headersFrame, settingsFrame, uint32 } from "../testing/raw-http2.ts";
import { frameTypes } from "./frames.ts";
import { startSession } from "./session.ts";

const numRuns = Number(process.env["SINETA_FUZZ_CASES"] ?? 500);
const requests = 5;

type Heard = {
  said: string[];
  /** Of each stream, how often it was closed. */
  ends: number[];
  isClosed: boolean;
};

/** Posts a few things to a peer that says these bytes, in these pieces, and hangs up. */
async function hear(pieces: readonly Uint8Array[]): Promise<Heard> {
  const [near, far] = duplexPair();
  far.on("error", () => undefined);
  far.resume();
  const heard: Heard = {
    said: [],
    ends: Array.from({ length: requests }, () => 0),
    isClosed: false,
  };
  const closed = Promise.withResolvers<void>();
  const session = startSession(near, {
    onSettings: (streams) => heard.said.push(`settings ${streams}`),
    onGoAway: () => heard.said.push("goaway"),
    onDrain: () => undefined,
    onClose: closed.resolve,
  });
  for (const [place] of heard.ends.entries()) {
    const say = (text: string) => heard.said.push(`${place} ${text}`);
    let isOver = false;
    const demandOpen = () => {
      if (isOver) throw new Error("a stream that was closed has said something");
    };
    session.request(
      { authority: "a", path: "/", headers: {}, body: Buffer.from("x".repeat(place * 2000)) },
      {
        onInterim: () => {
          demandOpen();
          return say("interim") > 0;
        },
        onHead: (status, headers) => {
          demandOpen();
          say(`${status} ${JSON.stringify(headers)}`);
        },
        onData: (chunk) => {
          demandOpen();
          // Pieces of a body may come in any pieces.
          for (const byte of chunk) say(String(byte));
        },
        onEnd: () => {
          demandOpen();
          say("end");
        },
        onClose: ({ isRefused }) => {
          isOver = true;
          say(isRefused ? "refused" : "closed");
          heard.ends[place] = (heard.ends[place] ?? 0) + 1;
        },
      },
    );
  }
  for (const piece of pieces) if (!far.destroyed) far.write(piece);
  far.end();
  await closed.promise;
  heard.isClosed = near.destroyed;
  far.destroy();
  return heard;
}

const streamIds = fc.constantFrom(0, 1, 1, 3, 3, 5, 7, 9, 2, 11, 2 ** 31 - 1);
const fields = fc.array(
  fc.tuple(
    fc.constantFrom(":status", "server", "retry-after", "connection", "Server", ""),
    fc.constantFrom("201", "103", "410", "99", "x", "a\nb", "y".repeat(200)),
  ),
  { maxLength: 4 },
);
const goodHead = fc
  .tuple(fc.constantFrom(1, 3, 5, 7, 9), fc.constantFrom("103", "201", "400", "503"), fc.boolean())
  .map(([stream, status, endStream]) => headersFrame(stream, [[":status", status]], { endStream }));
const frames = fc.oneof(
  goodHead,
  goodHead,
  fc.tuple(streamIds, fc.uint8Array({ maxLength: 50 })).map(([id, body]) => dataFrame(id, body)),
  fc
    .tuple(streamIds, fields, fc.boolean(), fc.boolean())
    .map(([id, list, endStream, endHeaders]) => headersFrame(id, list, { endStream, endHeaders })),
  fc.option(fc.nat(300)).map((streams) => settingsFrame(streams)),
  fc
    .tuple(fc.integer({ min: 0, max: 8 }), fc.nat())
    .map(([name, value]) =>
      frame(frameTypes.settings, 0, 0, Buffer.from([0, name]), uint32(value)),
    ),
  fc
    .tuple(streamIds, fc.oneof(fc.nat(10), fc.nat()))
    .map(([id, more]) => frame(frameTypes.windowUpdate, 0, id, uint32(more))),
  fc.tuple(streamIds, fc.nat(13)).map(([id, code]) => frame(frameTypes.reset, 0, id, uint32(code))),
  fc
    .tuple(streamIds, fc.constantFrom(0, 0, 11))
    .map(([id, code]) => frame(frameTypes.goAway, 0, 0, uint32(id), uint32(code))),
  // Whatever else.
  fc
    .tuple(fc.nat(11), fc.nat(255), streamIds, fc.uint8Array({ maxLength: 40 }))
    .map(([type, flag, id, payload]) => frame(type, flag, id, payload)),
);
const conversations = fc
  .array(frames, { maxLength: 25 })
  .map((list) => Buffer.concat([settingsFrame(100), ...list]));

test("whatever a peer says: every stream is closed once, says nothing after that, and the socket is closed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(conversations, fc.uint8Array({ maxLength: 200 })), async (bytes) => {
      const { ends, isClosed } = await hear([bytes]);
      expect(ends).toEqual(ends.map(() => 1));
      expect(isClosed).toBe(true);
    }),
    { numRuns },
  );
}, 600_000);

test("in whatever pieces it comes, it says the same", async () => {
  const cuts = fc.array(fc.nat(400), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(conversations, cuts, async (bytes, places) => {
      const ordered = [0, ...places.map((place) => Math.min(place, bytes.length))].toSorted(
        (one, other) => one - other,
      );
      const pieces = ordered.map((from, at) => bytes.subarray(from, ordered[at + 1]));
      expect((await hear(pieces)).said).toEqual((await hear([bytes])).said);
    }),
    { numRuns },
  );
}, 600_000);
