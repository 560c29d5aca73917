import { createECDH, ECDH, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { curve, importPublicKey, isPublicKey } from "./p256.ts";

/** Big-endian, as a point has them. */
const p = Buffer.from("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", "hex");
const coordinate = (hex: string): Buffer => Buffer.from(hex.padStart(64, "0"), "hex");
const pointOf = (x: Buffer, y: Buffer): Buffer => Buffer.concat([Buffer.of(4), x, y]);
const randomPoint = (): Buffer => createECDH(curve.namedCurve).generateKeys();

/** p + value, for what is small. */
function abovePrime(value: number): Buffer {
  return coordinate((BigInt(`0x${p.toString("hex")}`) + BigInt(value)).toString(16));
}

/** As node:crypto sees it. */
function isImported(point: Uint8Array): boolean {
  try {
    importPublicKey(point);
    return true;
  } catch {
    return false;
  }
}

/** The point with x = 0, whose coordinates can be written as 0 or as p. */
const atZero = (() => {
  const compressed = Buffer.concat([Buffer.of(2), Buffer.alloc(32)]);
  const point = ECDH.convertKey(compressed, curve.namedCurve, undefined, undefined, "uncompressed");
  return Buffer.from(point).subarray(33);
})();
/** The x of a point with y = 5. */
const xOfFive = coordinate("d7325d7646cd60d80a92738ceb345f844cffaf35841022cab176f692de8de1d7");

describe("isPublicKey says what node:crypto says", () => {
  test("of points of the curve", () => {
    for (let count = 0; count < 500; count += 1) {
      const point = randomPoint();
      expect(isPublicKey(point)).toBe(true);
      expect(isImported(point)).toBe(true);
      // The other point with this x: with y, and with p - y.
      const negated = ECDH.convertKey(
        Buffer.concat([Buffer.of(2 + (1 - (point.readUInt8(64) & 1))), point.subarray(1, 33)]),
        curve.namedCurve,
        undefined,
        undefined,
        "uncompressed",
      );
      expect(isPublicKey(Buffer.from(negated))).toBe(true);
    }
  });

  test("of points with any one bit flipped", () => {
    const point = randomPoint();
    for (let bit = 0; bit < point.length * 8; bit += 1) {
      const flipped = Buffer.from(point);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(isPublicKey(flipped)).toBe(false);
      // Its first byte says how the rest is written, and node:crypto knows other ways.
      expect(isImported(flipped) && bit >= 8).toBe(false);
    }
  });

  test("of random bytes", () => {
    for (let count = 0; count < 500; count += 1) {
      const point = pointOf(randomBytes(32), randomBytes(32));
      expect(isPublicKey(point)).toBe(isImported(point));
    }
  });

  test.for([
    ["x = 0", pointOf(coordinate("0"), atZero), true],
    ["x = p, which is 0 again", pointOf(abovePrime(0), atZero), false],
    ["y = 5", pointOf(xOfFive, coordinate("5")), true],
    ["y = p + 5, which is 5 again", pointOf(xOfFive, abovePrime(5)), false],
    ["x = p - 1", pointOf(abovePrime(-1), atZero), false],
    ["all zero", pointOf(coordinate("0"), coordinate("0")), false],
    ["all ones", pointOf(Buffer.alloc(32, 0xff), Buffer.alloc(32, 0xff)), false],
  ] as const)("of the point with %s", ([, point, expected]) => {
    expect(isPublicKey(point)).toBe(expected);
    expect(isImported(point)).toBe(expected);
  });
});

test.for([
  ["nothing", () => Buffer.alloc(0)],
  ["infinity", () => Buffer.of(0)],
  ["infinity, filled up", () => Buffer.alloc(65)],
  ["compressed", (key: Buffer) => Buffer.concat([Buffer.of(2), key.subarray(1, 33)])],
  ["compressed, filled up", (key: Buffer) => Buffer.concat([Buffer.of(3), key.subarray(1)])],
  ["hybrid", (key: Buffer) => Buffer.concat([Buffer.of(6), key.subarray(1)])],
  ["one byte short", (key: Buffer) => key.subarray(0, 64)],
  ["one byte long", (key: Buffer) => Buffer.concat([key, Buffer.of(0)])],
] as const)("isPublicKey takes uncompressed points alone: not %s", ([, change]) => {
  expect(isPublicKey(change(randomPoint()))).toBe(false);
});

test("isPublicKey reads a point inside of a larger buffer", () => {
  const larger = Buffer.concat([randomBytes(3), randomPoint(), randomBytes(5)]);
  expect(isPublicKey(new Uint8Array(larger.buffer, larger.byteOffset + 3, 65))).toBe(true);
});
