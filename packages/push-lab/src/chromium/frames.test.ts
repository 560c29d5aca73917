import { describe, expect, test } from "vitest";

import { createFrameReader, encodeFrame, type Frame, mcsVersion } from "./frames.ts";
import { MalformedInput } from "../malformed-input.ts";

const frames: Frame[] = [
  { tag: 2, body: Uint8Array.of(1, 2, 3) },
  { tag: 0, body: new Uint8Array(0) },
  { tag: 7, body: new Uint8Array(127).fill(7) },
  { tag: 8, body: new Uint8Array(128).fill(8) },
  { tag: 15, body: new Uint8Array(20_000).fill(15) },
];
const stream = Buffer.concat([Uint8Array.of(mcsVersion), ...frames.map(encodeFrame)]);

test("a frame is its tag, its length as a varint, and its body", () => {
  expect([...encodeFrame({ tag: 8, body: Uint8Array.of(9) })]).toEqual([8, 1, 9]);
  expect([...encodeFrame({ tag: 0, body: new Uint8Array(0) })]).toEqual([0, 0]);
  expect([...encodeFrame({ tag: 3, body: new Uint8Array(300) })].slice(0, 3)).toEqual([3, 0xac, 2]);
});

describe("frames are read", () => {
  test("several in one chunk", () => {
    expect(createFrameReader()(stream)).toEqual(frames);
  });

  test.each([1, 2, 3, 5, 7, 129, 4096])("from chunks of %i bytes", (size) => {
    const read = createFrameReader();
    const got: Frame[] = [];
    for (let at = 0; at < stream.length; at += size)
      got.push(...read(stream.subarray(at, at + size)));
    expect(got).toEqual(frames);
  });

  test.each([0, 1, 200])(
    "of %i bytes as soon as the last one is there, and not before",
    (bytes) => {
      const frame = { tag: 4, body: new Uint8Array(bytes).fill(4) };
      const whole = Buffer.concat([Uint8Array.of(mcsVersion), encodeFrame(frame)]);
      const read = createFrameReader();
      expect(read(whole.subarray(0, -1))).toEqual([]);
      expect(read(whole.subarray(-1))).toEqual([frame]);
    },
  );

  test("into memory of their own, whatever becomes of the chunk", () => {
    const chunk = Buffer.from(stream);
    const got = createFrameReader()(chunk);
    chunk.fill(0);
    expect(got).toEqual(frames);
  });

  test("up to the longest that is allowed", () => {
    const frame = { tag: 8, body: new Uint8Array(500) };
    const bytes = Buffer.concat([Uint8Array.of(mcsVersion), encodeFrame(frame)]);
    expect(createFrameReader(500)(bytes)).toEqual([frame]);
    expect(() => createFrameReader(499)(bytes)).toThrow(MalformedInput);
  });
});

describe("a stream is refused", () => {
  test.each([
    ["of another version", [38]],
    ["of another protocol", [...Buffer.from("GET / HTTP/1.1\r\n")]],
    ["with an unknown tag", [mcsVersion, 16, 0]],
    ["with a length beyond bounds, before its body comes", [mcsVersion, 8, 0xff, 0xff, 0xff, 0x7f]],
    ["with a length that never ends", [mcsVersion, 8, 0x80, 0x80, 0x80, 0x80, 0x80]],
    ["with a length of 2^35", [mcsVersion, 8, 0x80, 0x80, 0x80, 0x80, 0x80, 1]],
  ])("%s", (_case, bytes) => {
    expect(() => createFrameReader()(Uint8Array.from(bytes))).toThrow(MalformedInput);
  });
});
