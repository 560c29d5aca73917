import { createDecipheriv } from "node:crypto";
import { assert, property, uint8Array } from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { nodeGcm, sealWithGcm } from "./gcm.ts";
import { opensslGcm } from "./openssl/gcm.ts";

const longest = 4096;

function fromOpenssl() {
  const gcm = opensslGcm(longest, nodeGcm);
  if (gcm === null) throw new Error("this Node does not show OpenSSL's functions");
  return gcm;
}

const hex = (text: string) => Buffer.from(text, "hex");
const bytes = (exactly: number) => uint8Array({ minLength: exactly, maxLength: exactly });

describe.each([
  ["node:crypto", nodeGcm],
  ["OpenSSL's functions", fromOpenssl()],
  ["the fastest", sealWithGcm],
])("by %s", (_name, gcm) => {
  test("seals case 3 of the specification of GCM", () => {
    const text = hex(
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
    );
    const into = Buffer.alloc(80);
    gcm(hex("feffe9928665731c6d6a8f9467308308"), hex("cafebabefacedbaddecaf888"), text, into);
    expect(into.toString("hex")).toBe(
      "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f59854d5c2af327cd64a62cf35abd2ba6fab4",
    );
  });

  test("node:crypto opens it, whatever its length, and what lies around it is left alone", () => {
    assert(
      property(bytes(16), bytes(12), uint8Array({ maxLength: longest }), (key, nonce, text) => {
        const whole = Buffer.alloc(text.length + 26, 7);
        gcm(key, nonce, text, whole.subarray(5, -5));
        const opener = createDecipheriv("aes-128-gcm", key, nonce);
        opener.setAuthTag(whole.subarray(text.length + 5, -5));
        const opened = opener.update(whole.subarray(5, text.length + 5));
        opener.final();
        expect(opened.equals(text)).toBe(true);
        expect([...whole.subarray(0, 5), ...whole.subarray(-5)]).toEqual(Array(10).fill(7));
      }),
    );
  });

  test("a key or nonce of another length is refused", () => {
    const into = Buffer.alloc(20);
    const text = Buffer.alloc(4);
    expect(() => gcm(Buffer.alloc(15), Buffer.alloc(12), text, into)).toThrow(/key/i);
    expect(() => gcm(Buffer.alloc(16), Buffer.alloc(0), text, into)).toThrow(/vector/i);
  });
});

test("OpenSSL's functions do the work, but for a text that they have no room for", () => {
  const otherwise = vi.fn(nodeGcm);
  const gcm = opensslGcm(32, otherwise);
  const [key, nonce] = [Buffer.alloc(16, 1), Buffer.alloc(12, 2)];
  otherwise.mockClear();
  gcm?.(key, nonce, Buffer.alloc(32), Buffer.alloc(48));
  expect(otherwise).not.toHaveBeenCalled();
  const into = Buffer.alloc(49);
  gcm?.(key, nonce, Buffer.alloc(33), into);
  expect(otherwise).toHaveBeenCalledOnce();
  expect(into.equals(Buffer.alloc(49))).toBe(false);
});
