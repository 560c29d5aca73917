import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openPrivateKey, sealPrivateKey } from "./sealed-key.ts";

const secret = Buffer.alloc(32, 1);
const privateKey = Buffer.from("a private key of thirty-two byte");
const sealed = () => sealPrivateKey(secret, "public", privateKey, randomBytes);

describe("a sealed private key", () => {
  test("opens with its secret and its public key", () => {
    expect(openPrivateKey(secret, "public", sealed())).toEqual(privateKey);
    expect(Buffer.from(sealed()).includes(privateKey)).toBe(false);
  });

  test("opens with nothing else", () => {
    expect(openPrivateKey(Buffer.alloc(32, 2), "public", sealed())).toBeNull();
    expect(openPrivateKey(secret, "another", sealed())).toBeNull();
    expect(openPrivateKey(secret, "public", Buffer.alloc(0))).toBeNull();
    expect(openPrivateKey(secret, "public", sealed().subarray(0, 20))).toBeNull();
  });

  test("does not open with any bit changed", () => {
    const bytes = sealed();
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Uint8Array.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(openPrivateKey(secret, "public", changed)).toBeNull();
    }
  });
});
