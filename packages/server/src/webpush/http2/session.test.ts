import { once } from "node:events";
import { duplexPair, type Duplex } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { dataFrame, frame, headersFrame, settingsFrame, uint32 } from "../testing/raw-http2.ts";
import { errorCodes, flags, frameHeadBytes, frameTypes } from "./frames.ts";
import type { Http2Session, StreamEnd } from "./port.ts";
import { startSession } from "./session.ts";

type Frame = { type: number; flag: number; stream: number; payload: Buffer };

/** The other end of a session, which reads frames and writes whatever it is told to. */
function startPeer(socket: Duplex) {
  const frames: Frame[] = [];
  let waiting: { fits: (frame: Frame) => boolean; resolve: (frame: Frame) => void }[] = [];
  let unread = Buffer.alloc(0);
  let toSkip = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length;
  socket.on("error", () => undefined);
  socket.on("data", (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    const skipped = Math.min(toSkip, unread.length);
    toSkip -= skipped;
    unread = unread.subarray(skipped);
    while (unread.length >= frameHeadBytes) {
      const end = frameHeadBytes + unread.readUIntBE(0, 3);
      if (unread.length < end) return;
      const got: Frame = {
        type: unread.readUInt8(3),
        flag: unread.readUInt8(4),
        stream: unread.readUInt32BE(5),
        payload: Buffer.from(unread.subarray(frameHeadBytes, end)),
      };
      unread = unread.subarray(end);
      frames.push(got);
      for (const each of waiting.filter(({ fits }) => fits(got))) each.resolve(got);
      waiting = waiting.filter(({ fits }) => !fits(got));
    }
  });
  return {
    socket,
    frames,
    /** Resolves with the first frame that fits, also one that has come already. */
    frame: (fits: (frame: Frame) => boolean): Promise<Frame> => {
      const there = frames.find(fits);
      if (there !== undefined) return Promise.resolve(there);
      return new Promise((resolve) => {
        waiting.push({ fits, resolve });
      });
    },
    write: (...parts: readonly Uint8Array[]) => socket.write(Buffer.concat(parts)),
    bodyOf: (stream: number): string =>
      Buffer.concat(
        frames
          .filter((each) => each.type === frameTypes.data && each.stream === stream)
          .map(({ payload }) => payload),
      ).toString(),
  };
}

type Heard = {
  interims: number;
  status: number | null;
  body: string;
  isWhole: boolean;
  end: StreamEnd;
};

const undo: (() => void)[] = [];
afterEach(() => {
  for (const end of undo.splice(0)) end();
});

/** A session whose peer has said hello. */
async function scene({ greets = true, allowed = null as number | null } = {}) {
  const [near, far] = duplexPair();
  const peer = startPeer(far);
  const said: (number | null)[] = [];
  const goAways: { isError: boolean }[] = [];
  let drains = 0;
  const closed = Promise.withResolvers<void>();
  const greeted = Promise.withResolvers<void>();
  const session = startSession(near, {
    onSettings(streams) {
      said.push(streams);
      greeted.resolve();
    },
    onGoAway(isError) {
      goAways.push({ isError });
    },
    onDrain() {
      drains += 1;
    },
    onClose: closed.resolve,
  });
  undo.push(() => {
    session.destroy();
    far.destroy();
  });
  if (greets) {
    peer.write(settingsFrame(allowed));
    await greeted.promise;
  }
  return {
    session,
    peer,
    socket: near,
    said,
    goAways,
    drains: () => drains,
    closed: closed.promise,
    ask: (body: string | null = "hello", mostInterims = 2) => post(session, body, mostInterims),
  };
}

function post(session: Http2Session, body: string | null, mostInterims: number) {
  const heard: Omit<Heard, "end"> = { interims: 0, status: null, body: "", isWhole: false };
  const ended = Promise.withResolvers<Heard>();
  let ends = 0;
  const id = session.request(
    {
      authority: "push.example",
      path: "/p",
      headers: { ttl: "60" },
      body: body === null ? null : Buffer.from(body),
    },
    {
      onInterim: () => (heard.interims += 1) <= mostInterims,
      onHead: (status) => {
        heard.status = status;
      },
      onData: (chunk) => {
        heard.body += Buffer.from(chunk).toString();
      },
      onEnd: () => {
        heard.isWhole = true;
      },
      onClose: (end) => {
        ends += 1;
        if (ends > 1) throw new Error("a stream was closed twice");
        ended.resolve({ ...heard, end });
      },
    },
  );
  return { id, ended: ended.promise };
}

const status = (code: number, more: readonly (readonly [string, string])[] = []) =>
  [[":status", String(code)], ...more] as const;
const answer = (stream: number, code = 201) =>
  headersFrame(stream, status(code), { endStream: true });
const initialWindow = (bytes: number) =>
  frame(frameTypes.settings, 0, 0, Buffer.from([0, 4]), uint32(bytes));
const windowUpdate = (stream: number, bytes: number) =>
  frame(frameTypes.windowUpdate, 0, stream, uint32(bytes));
const ofType =
  (type: number, stream?: number) =>
  (each: Frame): boolean =>
    each.type === type && (stream === undefined || each.stream === stream);
const goodEnd: StreamEnd = { isRefused: false, detail: "" };

test("begins with SETTINGS that let nothing be pushed, and acknowledges the peer's", async () => {
  const { peer, said } = await scene({ allowed: 7 });
  const own = await peer.frame(ofType(frameTypes.settings));
  expect(own.flag).toBe(0);
  expect(own.payload.toString("hex")).toBe("000200000000000600004000");
  await peer.frame((each) => each.type === frameTypes.settings && each.flag === flags.ack);
  expect(said).toEqual([7]);
});

describe("a request", () => {
  test("with a body is HEADERS and DATA, and its answer is heard in pieces", async () => {
    const { peer, ask } = await scene();
    const { id, ended } = ask("a body");
    const head = await peer.frame(ofType(frameTypes.headers, id));
    expect(head.flag).toBe(flags.endHeaders);
    const data = await peer.frame(ofType(frameTypes.data, id));
    expect([data.flag, data.payload.toString()]).toEqual([flags.endStream, "a body"]);
    peer.write(
      headersFrame(id, status(103)),
      headersFrame(id, status(400)),
      dataFrame(id, Buffer.from("no, ")),
      dataFrame(id, Buffer.from("thanks")),
      headersFrame(id, [["x-trailer", "yes"]], { endStream: true }),
    );
    const expected = { interims: 1, status: 400, body: "no, thanks", isWhole: true, end: goodEnd };
    expect(await ended).toEqual(expected);
  });

  test.for([[null], [""]] as const)("with %j for a body is HEADERS alone", async ([body]) => {
    const { peer, ask } = await scene();
    const { id, ended } = ask(body);
    const head = await peer.frame(ofType(frameTypes.headers, id));
    expect(head.flag).toBe(flags.endHeaders | flags.endStream);
    peer.write(answer(id));
    expect(await ended).toMatchObject({ status: 201, isWhole: true });
    expect(peer.frames.filter(ofType(frameTypes.data))).toEqual([]);
  });

  test("goes out behind the heads of those that are begun with it", async () => {
    const { peer, ask } = await scene();
    const ids = [ask().id, ask().id, ask().id];
    await peer.frame(ofType(frameTypes.data, ids[2]));
    const order = peer.frames.filter(({ stream }) => stream > 0).map(({ type }) => type);
    const { headers, data } = frameTypes;
    expect(order).toEqual([headers, headers, headers, data, data, data]);
  });

  test("that cannot be written has not begun: the next takes its id", async () => {
    const { peer, session, ask } = await scene();
    const listener = {
      onInterim: () => true,
      onHead: () => undefined,
      onData: () => undefined,
      onEnd: () => undefined,
      onClose: () => undefined,
    };
    const request = (path: string, ttl: string) =>
      session.request({ authority: "a", path, headers: { ttl }, body: null }, listener);
    expect(() => request("/", "6\n0")).toThrow(TypeError);
    expect(() => request("/".repeat(17_000), "60")).toThrow(RangeError);
    const { id, ended } = ask();
    expect(id).toBe(1);
    await peer.frame(ofType(frameTypes.headers, id));
    peer.write(answer(id));
    expect(await ended).toMatchObject({ status: 201 });
  });

  test("that the peer resets is over, and refused only if the peer says so", async () => {
    const { peer, ask } = await scene();
    const [one, two] = [ask(), ask()];
    await peer.frame(ofType(frameTypes.data, two.id));
    peer.write(
      frame(frameTypes.reset, 0, one.id, uint32(errorCodes.refused)),
      frame(frameTypes.reset, 0, two.id, uint32(errorCodes.cancel)),
    );
    expect((await one.ended).end.isRefused).toBe(true);
    expect((await two.ended).end).toEqual({ isRefused: false, detail: "reset with code 8" });
  });

  test("that is reset here is told to the peer, and what comes for it is nothing", async () => {
    const { peer, session, ask } = await scene();
    const { id, ended } = ask();
    session.reset(id);
    session.reset(id);
    expect(await ended).toEqual({
      interims: 0,
      status: null,
      body: "",
      isWhole: false,
      end: goodEnd,
    });
    const reset = await peer.frame(ofType(frameTypes.reset, id));
    expect(reset.payload.readUInt32BE()).toBe(errorCodes.cancel);
    peer.write(headersFrame(id, status(201)), dataFrame(id, Buffer.from("x")));
    const next = ask();
    peer.write(answer(next.id));
    expect(await next.ended).toMatchObject({ status: 201 });
    expect(peer.frames.filter(ofType(frameTypes.reset))).toHaveLength(1);
  });

  test("that is answered before its body could be sent is reset", async () => {
    const { peer, ask } = await scene();
    peer.write(initialWindow(3));
    await peer.frame((each) => each.type === frameTypes.settings && each.flag === flags.ack);
    const { id, ended } = ask("more than three");
    await peer.frame(ofType(frameTypes.data, id));
    peer.write(answer(id, 413));
    expect(await ended).toMatchObject({ status: 413, isWhole: true, end: goodEnd });
    await peer.frame(ofType(frameTypes.reset, id));
    expect(peer.bodyOf(id)).toBe("mor");
  });
});

test("one whose end is heard can no longer be reset", async () => {
  const { peer, session } = await scene();
  const heard: string[] = [];
  const id = session.request(
    { authority: "push.example", path: "/p", headers: {}, body: null },
    {
      onInterim: () => true,
      onHead: () => undefined,
      onData: () => session.reset(id),
      onEnd: () => heard.push("end"),
      onClose: ({ detail }) => heard.push(`closed ${detail}`),
    },
  );
  const last = frame(frameTypes.data, flags.endStream, id, Buffer.from("x"));
  peer.write(headersFrame(id, status(400)), last, frame(frameTypes.ping, 0, 0, Buffer.alloc(8)));
  await peer.frame(ofType(frameTypes.ping));
  expect(heard).toEqual(["end", "closed "]);
  expect(peer.frames.filter(ofType(frameTypes.reset))).toEqual([]);
});

test("a body of 32 kB is heard, and one that goes on is reset", async () => {
  const { peer, ask } = await scene();
  const [one, two] = [ask(), ask()];
  const half = Buffer.alloc(16_384, "x");
  for (const { id } of [one, two]) {
    peer.write(headersFrame(id, status(503)), dataFrame(id, half), dataFrame(id, half));
  }
  peer.write(frame(frameTypes.data, flags.endStream, one.id), dataFrame(two.id, Buffer.from("x")));
  expect(await one.ended).toMatchObject({ isWhole: true, end: goodEnd });
  expect(await two.ended).toMatchObject({ status: 503, isWhole: false });
  const reset = await peer.frame(ofType(frameTypes.reset));
  expect([reset.stream, reset.payload.readUInt32BE()]).toEqual([two.id, errorCodes.cancel]);
});

test("a request to a session that is over is refused, and was never sent", async () => {
  const { peer, session, ask } = await scene();
  session.end();
  expect(session.takesRequests()).toBe(false);
  const { ended } = ask();
  expect((await ended).end.isRefused).toBe(true);
  expect(peer.frames.filter(ofType(frameTypes.headers))).toEqual([]);
});

describe("flow control", () => {
  test("a body goes out as there is room for it, of the stream and of the connection", async () => {
    const { peer, ask } = await scene();
    peer.write(initialWindow(4));
    await peer.frame((each) => each.type === frameTypes.settings && each.flag === flags.ack);
    const { id } = ask("0123456789");
    await peer.frame(ofType(frameTypes.data, id));
    expect(peer.bodyOf(id)).toBe("0123");
    peer.write(windowUpdate(id, 3));
    await peer.frame(({ payload }) => payload.toString() === "456");
    // More for all that are open.
    peer.write(initialWindow(5));
    await peer.frame(({ payload }) => payload.toString() === "7");
    // Less than nothing, and then back to where two bytes fit.
    peer.write(initialWindow(0), windowUpdate(id, 7));
    const last = await peer.frame(({ payload }) => payload.toString() === "89");
    expect(last.flag).toBe(flags.endStream);
  });

  test("the connection's window holds back whoever comes after it is used up", async () => {
    const { peer, ask } = await scene();
    const bodies = Array.from({ length: 20 }, () => ask("x".repeat(4096)));
    const sent = () => bodies.reduce((bytes, { id }) => bytes + peer.bodyOf(id).length, 0);
    await peer.frame(ofType(frameTypes.data, bodies[15]?.id));
    peer.write(frame(frameTypes.ping, 0, 0, Buffer.alloc(8)));
    await peer.frame((each) => each.type === frameTypes.ping);
    expect(sent()).toBe(65_535);
    peer.write(windowUpdate(0, 2 ** 20));
    await peer.frame((each) => each.stream === bodies[19]?.id && each.flag === flags.endStream);
    expect(sent()).toBe(20 * 4096);
  });

  test.for([
    ["by WINDOW_UPDATE ends the stream alone", windowUpdate(33, 2 ** 31 - 1), false],
    ["by SETTINGS ends the connection", initialWindow(2 ** 31 - 1), true],
  ] as const)("a window that becomes too large %s", async ([, bytes, isOver]) => {
    const { peer, ask, session } = await scene();
    // The last of them waits for room on the connection.
    const bodies = Array.from({ length: 17 }, () => ask("x".repeat(4096)));
    await peer.frame(ofType(frameTypes.data, bodies[15]?.id));
    peer.write(windowUpdate(33, 1), bytes);
    expect(await bodies[16]?.ended).toMatchObject({ status: null, isWhole: false });
    const said = await peer.frame(ofType(isOver ? frameTypes.goAway : frameTypes.reset));
    expect(said.payload.readUInt32BE(isOver ? 4 : 0)).toBe(errorCodes.flowControl);
    expect(session.takesRequests()).toBe(!isOver);
  });

  test("what SETTINGS make room for comes after their acknowledgement", async () => {
    const { peer, ask } = await scene();
    peer.write(initialWindow(1));
    await peer.frame((each) => each.type === frameTypes.settings && each.flag === flags.ack);
    const { id } = ask("hello");
    await peer.frame(ofType(frameTypes.data, id));
    const before = peer.frames.length;
    peer.write(initialWindow(100));
    await peer.frame(({ flag, type }) => type === frameTypes.data && flag === flags.endStream);
    expect(peer.frames.slice(before).map(({ type }) => type)).toEqual([
      frameTypes.settings,
      frameTypes.data,
    ]);
  });

  test("a peer that makes room for a few bytes at a time, of the stream and of the connection, is none to be left", async () => {
    const { peer, ask } = await scene();
    peer.write(initialWindow(16));
    await peer.frame((each) => each.type === frameTypes.settings && each.flag === flags.ack);
    for (let turn = 0; turn < 4; turn += 1) {
      const { id, ended } = ask("x".repeat(4096));
      const seen = new Set<Frame>();
      while (seen.size < 256) {
        seen.add(await peer.frame((each) => ofType(frameTypes.data, id)(each) && !seen.has(each)));
        peer.write(windowUpdate(0, 16), windowUpdate(id, 16));
      }
      peer.write(answer(id));
      expect(await ended).toMatchObject({ status: 201, end: goodEnd });
    }
  });

  test("a body larger than a frame goes out in several", async () => {
    const { peer, ask } = await scene();
    const { id } = ask("y".repeat(40_000));
    await peer.frame((each) => each.type === frameTypes.data && each.flag === flags.endStream);
    expect(peer.bodyOf(id)).toBe("y".repeat(40_000));
    expect(
      peer.frames.filter(ofType(frameTypes.data)).map(({ payload }) => payload.length),
    ).toEqual([16_384, 16_384, 7232]);
  });

  test("the peer is told of new room, also for what came padded or for nobody", async () => {
    const { peer, session, ask } = await scene();
    const [one, two] = [ask(), ask()];
    session.reset(two.id);
    const half = Buffer.concat([Buffer.from([99]), Buffer.alloc(10_000)]);
    const padded = frame(frameTypes.data, flags.padded, one.id, half);
    peer.write(headersFrame(one.id, status(400)), padded, padded);
    peer.write(dataFrame(two.id, Buffer.alloc(16_000)));
    const update = await peer.frame(ofType(frameTypes.windowUpdate));
    expect([update.stream, update.payload.readUInt32BE()]).toEqual([0, 2 * half.length + 16_000]);
  });
});

describe("GOAWAY", () => {
  const goAway = (last: number, code: number) =>
    frame(frameTypes.goAway, 0, 0, uint32(last), uint32(code), Buffer.from("debug"));

  test("refuses what the peer has not looked at, and lets the rest end", async () => {
    const { peer, ask, goAways } = await scene();
    const [one, two] = [ask(), ask()];
    await peer.frame(ofType(frameTypes.data, two.id));
    peer.write(goAway(one.id, errorCodes.none));
    expect((await two.ended).end.isRefused).toBe(true);
    expect(goAways).toEqual([{ isError: false }]);
    peer.write(answer(one.id));
    expect(await one.ended).toMatchObject({ status: 201, end: goodEnd });
  });

  test("with an error lets answers to what was taken come, and ends when the last is there", async () => {
    const { peer, ask, closed, session, goAways } = await scene();
    const [one, two, three] = [ask(), ask(), ask()];
    await peer.frame(ofType(frameTypes.data, three.id));
    peer.write(goAway(two.id, errorCodes.calm));
    expect((await three.ended).end.isRefused).toBe(true);
    expect(session.takesRequests()).toBe(false);
    expect(goAways).toEqual([{ isError: true }]);
    peer.write(answer(one.id, 201));
    expect(await one.ended).toMatchObject({ status: 201, end: goodEnd });
    peer.write(answer(two.id, 410));
    expect(await two.ended).toMatchObject({ status: 410, end: goodEnd });
    // Not by the peer, which leaves its side open.
    await closed;
  });

  test("with an error names it where an answer never comes", async () => {
    const { peer, ask, closed, session } = await scene();
    const { id, ended } = ask();
    await peer.frame(ofType(frameTypes.data, id));
    peer.write(goAway(id, errorCodes.calm), frame(frameTypes.ping, 0, 0, Buffer.alloc(8)));
    await peer.frame(ofType(frameTypes.ping));
    session.destroy();
    expect((await ended).end).toEqual({
      isRefused: false,
      detail: "the push service said GOAWAY with code 11",
    });
    await closed;
  });

  test("with an error ends at once where no answer is to come", async () => {
    const { peer, ask, closed } = await scene();
    const { id, ended } = ask();
    await peer.frame(ofType(frameTypes.data, id));
    peer.write(goAway(0, errorCodes.calm));
    expect((await ended).end.isRefused).toBe(true);
    await closed;
  });
});

test("a PING is answered with what it says, and one of ours hears its answer", async () => {
  const { peer, session } = await scene();
  peer.write(frame(frameTypes.ping, 0, 0, Buffer.from("12345678")));
  const pong = await peer.frame(ofType(frameTypes.ping));
  expect([pong.flag, pong.payload.toString()]).toEqual([flags.ack, "12345678"]);
  const answered = new Promise<void>((resolve) => {
    session.ping(resolve);
  });
  const ping = await peer.frame((each) => each.type === frameTypes.ping && each.flag === 0);
  peer.write(frame(frameTypes.ping, flags.ack, 0, ping.payload));
  await answered;
});

test("the end says GOAWAY at once, and closes this side when the last answer is there", async () => {
  const { peer, session, closed, ask } = await scene();
  const over = once(peer.socket, "end");
  const { id, ended } = ask();
  session.end();
  session.end();
  const said = await peer.frame(ofType(frameTypes.goAway));
  expect(said.payload.readUInt32BE(4)).toBe(errorCodes.none);
  expect(peer.socket.readableEnded).toBe(false);
  peer.write(answer(id));
  expect(await ended).toMatchObject({ status: 201 });
  await over;
  peer.socket.end();
  await closed;
});

test("a peer that leaves what is written unread is told of, and when it reads again", async () => {
  const { peer, session, ask, drains } = await scene();
  peer.socket.pause();
  peer.write(windowUpdate(0, 2 ** 20));
  await setImmediate();
  for (let sent = 0; sent < 80; sent += 1) ask("x".repeat(4096));
  for (let turn = 0; turn < 10 && !session.isClogged(); turn += 1) await setImmediate();
  expect(session.isClogged()).toBe(true);
  peer.socket.resume();
  for (let turn = 0; turn < 100 && session.isClogged(); turn += 1) await setImmediate();
  expect([session.isClogged(), drains()]).toEqual([false, 1]);
});

test("a peer that hangs up breaks what is under way", async () => {
  const { peer, ask, closed } = await scene();
  const { id, ended } = ask();
  await peer.frame(ofType(frameTypes.data, id));
  peer.socket.end();
  expect(await ended).toMatchObject({ status: null, end: { isRefused: false } });
  await closed;
});

describe("is ignored:", () => {
  test.for<[string, Buffer]>([
    ["a frame of an unknown type", frame(0x77, 0xff, 99, Buffer.alloc(10))],
    [
      "PRIORITY, also of a stream that never was",
      frame(frameTypes.priority, 0, 9, Buffer.alloc(5)),
    ],
    [
      "a setting that nobody knows",
      frame(frameTypes.settings, 0, 0, Buffer.from([9, 9]), uint32(1)),
    ],
    [
      "larger frames, which are not made use of",
      frame(frameTypes.settings, 0, 0, Buffer.from([0, 5]), uint32(20_000)),
    ],
    ["an answer to a PING that nobody sent", frame(frameTypes.ping, flags.ack, 0, Buffer.alloc(8))],
  ])("%s", async ([, bytes]) => {
    const { peer, ask } = await scene();
    const { id, ended } = ask();
    await peer.frame(ofType(frameTypes.data, id));
    peer.write(bytes, answer(id));
    expect(await ended).toMatchObject({ status: 201, isWhole: true });
  });
});

describe("breaks the connection:", () => {
  const { protocol, frameSize, flowControl, compression, calm } = errorCodes;
  test.for<[string, number, Buffer]>([
    ["a frame that is too large", frameSize, Buffer.from([0, 0x40, 1, 0, 0, 0, 0, 0, 1])],
    ["DATA without a stream", protocol, dataFrame(0, Buffer.alloc(1))],
    ["DATA of a stream that never was", protocol, dataFrame(3, Buffer.alloc(1))],
    ["DATA of a stream of the peer's", protocol, dataFrame(2, Buffer.alloc(1))],
    ["DATA with more padding than frame", protocol, frame(0, flags.padded, 1, Buffer.from([5, 0]))],
    [
      "DATA with as much padding as frame",
      protocol,
      frame(0, flags.padded, 1, Buffer.from([2, 0])),
    ],
    ["padded DATA of no length", protocol, frame(0, flags.padded, 1)],
    ["HEADERS without a stream", protocol, headersFrame(0, status(201))],
    ["HEADERS of a stream that never was", protocol, headersFrame(5, status(201))],
    [
      "HEADERS with more padding than frame",
      protocol,
      frame(1, flags.padded | flags.endHeaders, 1, Buffer.from([9])),
    ],
    [
      "HEADERS with half a priority",
      frameSize,
      frame(1, flags.priority | flags.endHeaders, 1, Buffer.alloc(3)),
    ],
    [
      "a block that cannot be decoded",
      compression,
      frame(1, flags.endHeaders, 1, Buffer.from([0x80])),
    ],
    [
      "a block that another frame interrupts",
      protocol,
      Buffer.concat([
        headersFrame(1, status(201), { endHeaders: false }),
        dataFrame(1, Buffer.alloc(1)),
      ]),
    ],
    [
      "a block that goes on in another stream",
      protocol,
      Buffer.concat([
        headersFrame(1, status(201), { endHeaders: false }),
        frame(9, flags.endHeaders, 3),
      ]),
    ],
    ["CONTINUATION of nothing", protocol, frame(9, flags.endHeaders, 1)],
    [
      "a block of many frames",
      calm,
      Buffer.concat([
        headersFrame(1, status(201), { endHeaders: false }),
        ...Array.from({ length: 8 }, () => frame(9, 0, 1)),
      ]),
    ],
    ["RST_STREAM of another length", frameSize, frame(3, 0, 1, Buffer.alloc(3))],
    ["RST_STREAM without a stream", protocol, frame(3, 0, 0, uint32(0))],
    ["RST_STREAM of a stream that never was", protocol, frame(3, 0, 7, uint32(0))],
    ["SETTINGS of a stream", protocol, frame(4, 0, 1)],
    ["SETTINGS of another length", frameSize, frame(4, 0, 0, Buffer.alloc(5))],
    ["an acknowledgement that says something", frameSize, frame(4, flags.ack, 0, Buffer.alloc(6))],
    [
      "a server that wants to be pushed to",
      protocol,
      frame(4, 0, 0, Buffer.from([0, 2]), uint32(1)),
    ],
    ["a window that is too large, in SETTINGS", flowControl, initialWindow(2 ** 31)],
    ["frames that are too small", protocol, frame(4, 0, 0, Buffer.from([0, 5]), uint32(16_383))],
    ["PUSH_PROMISE", protocol, frame(5, flags.endHeaders, 1, uint32(2))],
    ["PING of a stream", protocol, frame(6, 0, 1, Buffer.alloc(8))],
    ["PING of another length", frameSize, frame(6, 0, 0, Buffer.alloc(7))],
    ["GOAWAY of a stream", protocol, frame(7, 0, 1, Buffer.alloc(8))],
    ["GOAWAY that is cut off", frameSize, frame(7, 0, 0, Buffer.alloc(7))],
    ["WINDOW_UPDATE of another length", frameSize, frame(8, 0, 1, Buffer.alloc(3))],
    ["WINDOW_UPDATE of nothing", protocol, windowUpdate(0, 0)],
    ["WINDOW_UPDATE of a stream that never was", protocol, windowUpdate(3, 1)],
    ["a window of the connection that is too large", flowControl, windowUpdate(0, 2 ** 31 - 1)],
    ["PRIORITY of another length", frameSize, frame(2, 0, 1, Buffer.alloc(4))],
    [
      "more frames than any answer takes",
      calm,
      Buffer.concat(Array.from({ length: 13 }, () => frame(0x77, 0, 0, Buffer.alloc(16_000)))),
    ],
    [
      "more SETTINGS than anybody has",
      calm,
      Buffer.concat(Array.from({ length: 200 }, () => settingsFrame(100))),
    ],
    [
      "more room than anybody makes, for all together",
      calm,
      Buffer.concat(Array.from({ length: 3000 }, () => windowUpdate(0, 1))),
    ],
    [
      "more room than anybody makes, for one",
      calm,
      Buffer.concat(Array.from({ length: 3000 }, () => windowUpdate(1, 1))),
    ],
  ])("%s", async ([, code, bytes]) => {
    const { peer, ask, closed, session } = await scene();
    const { id, ended } = ask();
    await peer.frame(ofType(frameTypes.data, id));
    peer.write(bytes);
    const said = await peer.frame(ofType(frameTypes.goAway));
    expect(said.payload.readUInt32BE(4)).toBe(code);
    const { status: got, isWhole, end } = await ended;
    expect([got, isWhole, end.isRefused]).toEqual([null, false, false]);
    expect(end.detail).not.toBe("");
    await closed;
    expect(session.takesRequests()).toBe(false);
  });

  test("more GOAWAYs than anybody says", async () => {
    const { peer, ask, closed } = await scene();
    const { id, ended } = ask();
    await peer.frame(ofType(frameTypes.data, id));
    const said = frame(frameTypes.goAway, 0, 0, uint32(id), uint32(errorCodes.none));
    peer.write(...Array.from({ length: 200 }, () => said));
    const { end } = await ended;
    expect(end).toMatchObject({ isRefused: false, detail: expect.stringContaining("more than") });
    await closed;
  });

  test("heads for nobody that go on and on", async () => {
    const { peer, ask, session } = await scene();
    const [one, two] = [ask(), ask()];
    await peer.frame(ofType(frameTypes.data, two.id));
    session.reset(one.id);
    const fields = Buffer.alloc(16_000, 0x88);
    for (let sent = 0; sent < 12; sent += 1) {
      peer.write(
        headersFrame(one.id, [], { endHeaders: false }),
        frame(frameTypes.continuation, 0, one.id, fields),
        frame(frameTypes.continuation, flags.endHeaders, one.id, fields),
      );
    }
    const said = await peer.frame(ofType(frameTypes.goAway));
    expect(said.payload.readUInt32BE(4)).toBe(calm);
    expect(await two.ended).toMatchObject({ status: null, end: { isRefused: false } });
  });

  test.for<[string, Buffer]>([
    ["an answer", headersFrame(1, status(201))],
    ["a PING", frame(6, 0, 0, Buffer.alloc(8))],
    ["an acknowledgement of SETTINGS", frame(4, flags.ack, 0)],
    ["HTTP/1.1", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")],
  ])("%s before the peer's SETTINGS", async ([, bytes]) => {
    const { peer, closed, said } = await scene({ greets: false });
    peer.write(bytes);
    await peer.frame(ofType(frameTypes.goAway));
    await closed;
    expect(said).toEqual([]);
  });
});

describe("breaks the stream and nothing else:", () => {
  const none = (...fields: readonly (readonly [string, string])[]) =>
    headersFrame(1, fields, { endStream: true });
  test.for<[string, Buffer]>([
    ["a body before the head", dataFrame(1, Buffer.from("x"))],
    ["a head without a status", none(["server", "x"])],
    ["a status of letters", none([":status", "abc"])],
    ["a status of two digits", none([":status", "20"])],
    ["two statuses", none([":status", "201"], [":status", "400"])],
    ["a status after a field", none(["server", "x"], [":status", "201"])],
    ["a head as of a request", none([":status", "201"], [":path", "/"])],
    ["an interim answer that ends the stream", none([":status", "103"])],
    ["switching protocols", headersFrame(1, status(101))],
    ["a name with a capital", none([":status", "201"], ["Server", "x"])],
    ["what is HTTP/1.1's alone", none([":status", "201"], ["connection", "keep-alive"])],
    ["a head that is too large", none([":status", "201"], ["x", "y".repeat(16_320)])],
    [
      "a third interim answer",
      Buffer.concat([103, 103, 103].map((code) => headersFrame(1, status(code)))),
    ],
    ["a WINDOW_UPDATE of nothing", windowUpdate(1, 0)],
  ])("%s", async ([, bytes]) => {
    const { peer, ask } = await scene();
    const one = ask();
    const two = ask();
    await peer.frame(ofType(frameTypes.data, two.id));
    peer.write(bytes);
    const { status: got, isWhole, end } = await one.ended;
    expect([got, isWhole, end.isRefused]).toEqual([null, false, false]);
    expect(end.detail).not.toBe("");
    await peer.frame(ofType(frameTypes.reset, one.id));
    peer.write(answer(two.id));
    expect(await two.ended).toMatchObject({ status: 201, isWhole: true });
  });

  test("what cannot be read of a head is left out, since the status counts all the same", async () => {
    const { peer, session } = await scene();
    const headers = new Promise((resolve) => {
      session.request(
        { authority: "push.example", path: "/p", headers: {}, body: null },
        {
          onInterim: () => true,
          onHead: (_status, got) => resolve({ ...got }),
          onData: () => undefined,
          onEnd: () => undefined,
          onClose: () => undefined,
        },
      );
    });
    const odd = [
      ["a b", "x"],
      ["", "x"],
      ["x-feed", "x\ny"],
      ["x-nul", "\0"],
      ["x:y", "z"],
    ] as const;
    const twice = [
      ["retry-after", "5"],
      ["retry-after", "9"],
    ] as const;
    peer.write(headersFrame(1, status(201, [...odd, ...twice]), { endStream: true }));
    expect(await headers).toEqual({ "retry-after": "5" });
  });

  test.for<[string, Buffer]>([
    ["trailers that do not end it", headersFrame(1, [["x-trailer", "y"]])],
    ["trailers with a status", headersFrame(1, status(201), { endStream: true })],
  ])("after the head, which counts: %s", async ([, bytes]) => {
    const { peer, ask } = await scene();
    const { id, ended } = ask();
    await peer.frame(ofType(frameTypes.data, id));
    peer.write(headersFrame(1, status(201)), bytes);
    expect(await ended).toMatchObject({ status: 201, isWhole: false, end: { isRefused: false } });
  });
});
