import { createHmac } from "node:crypto";
import { array, assert, property, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import { opensslHmac } from "../webpush/openssl/hmac.ts";
import { hmac as nodeHmac } from "./hmac.ts";

function fromOpenssl() {
  const hmac = opensslHmac(nodeHmac);
  if (hmac === null) throw new Error("this Node does not show OpenSSL's functions");
  return hmac;
}

describe.each([
  ["node:crypto", nodeHmac],
  ["OpenSSL's functions", fromOpenssl()],
])("HMAC by %s", (_name, hmac) => {
  test("is that of RFC 4231, section 4.3", () => {
    const [key, data] = [Buffer.from("Jefe"), Buffer.from("what do ya want for nothing?")];
    expect(hmac(key, [data]).toString("hex")).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
  });

  test("is what createHmac gives, whatever the lengths, and stays so when the next is made", () => {
    const parts = array(uint8Array({ maxLength: 128 }), { maxLength: 4 });
    let before: { got: Buffer; expected: Buffer } | undefined;
    assert(
      property(uint8Array({ maxLength: 64 }), parts, (key, message) => {
        const expected = createHmac("sha256", key).update(Buffer.concat(message)).digest();
        const got = hmac(key, message);
        expect(got.equals(expected)).toBe(true);
        expect(before?.got.equals(before.expected)).not.toBe(false);
        before = { got, expected };
      }),
      { numRuns: 500 },
    );
  });

  test("gives as many bytes of it as are asked for", () => {
    const [key, message] = [Buffer.alloc(32, 1), [Buffer.alloc(100, 2)]];
    const whole = hmac(key, message).toString("hex");
    for (const byteCount of [32, 16, 12, 1]) {
      expect(hmac(key, message, byteCount).toString("hex")).toBe(whole.slice(0, 2 * byteCount));
    }
  });

  test("is refused for a key or message that there is no room for, and the next is right", () => {
    const key = Buffer.alloc(64, 1);
    const longest = [Buffer.alloc(512, 2)];
    expect(() => hmac(Buffer.alloc(65), longest)).toThrow(RangeError);
    expect(() => hmac(key, [...longest, Buffer.alloc(1)])).toThrow(RangeError);
    const expected = createHmac("sha256", key).update(Buffer.alloc(512, 2)).digest();
    expect(hmac(key, longest).equals(expected)).toBe(true);
  });
});

test("OpenSSL's functions are left alone if they give anything else", () => {
  expect(opensslHmac(() => Buffer.alloc(32))).toBeNull();
});
