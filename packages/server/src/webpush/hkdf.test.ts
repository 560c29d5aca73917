import { hkdfSync } from "node:crypto";
import { assert, integer, property, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import { expand, extract } from "./hkdf.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

describe("RFC 5869", () => {
  test("appendix A.1, as far as one block reaches", () => {
    const salt = Buffer.from("000102030405060708090a0b0c", "hex");
    const key = extract(salt, Buffer.alloc(22, 0x0b));
    expect(hex(key)).toBe("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5");
    expect(hex(expand(key, [Buffer.from("f0f1f2f3f4f5f6f7f8f9", "hex")], 32))).toBe(
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf",
    );
  });

  test("appendix A.3: nothing as salt and info", () => {
    const key = extract(Buffer.alloc(0), Buffer.alloc(22, 0x0b));
    expect(hex(key)).toBe("19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04");
    expect(hex(expand(key, [], 32))).toBe(
      "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d",
    );
  });
});

test("gives what Node's own HKDF gives", () => {
  assert(
    property(
      uint8Array({ maxLength: 64 }),
      uint8Array({ maxLength: 300 }),
      uint8Array({ maxLength: 300 }),
      integer({ min: 1, max: 32 }),
      (salt, inputKey, info, byteCount) => {
        const halves = [info.subarray(0, info.length / 2), info.subarray(info.length / 2)];
        expect(hex(expand(extract(salt, inputKey), halves, byteCount))).toBe(
          hex(new Uint8Array(hkdfSync("sha256", inputKey, salt, info, byteCount))),
        );
      },
    ),
  );
});

test("refuses a key that HMAC would have to shorten first", () => {
  expect(() => extract(Buffer.alloc(65), Buffer.alloc(1))).toThrow(RangeError);
});

test("refuses a message beyond its bound", () => {
  expect(extract(Buffer.alloc(16), Buffer.alloc(512))).toHaveLength(32);
  expect(() => extract(Buffer.alloc(16), Buffer.alloc(513))).toThrow(RangeError);
});
