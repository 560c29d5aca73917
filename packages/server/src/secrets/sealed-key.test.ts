import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openSealedKey, sealKey } from "./sealed-key.ts";

const secret = Buffer.alloc(32, 1);
const label = "vapid key v1 public";
const key = Buffer.from("a private key of thirty-two byte");
const sealed = () => sealKey(secret, label, key, randomBytes);

describe("a sealed key", () => {
  test("opens with its secret and its label", () => {
    expect(openSealedKey(secret, label, sealed())).toEqual(key);
    expect(Buffer.from(sealed()).includes(key)).toBe(false);
  });

  test("of a database that the first version wrote opens", () => {
    const bytes =
      "AQkJCQkJCQkJCQkJCaUvV7ynRme1GnQhKtf96nG5sxaTRutNy0MvX2mMLouYYGA-c5qw11nA8aYnF4YlSA";
    expect(openSealedKey(secret, label, Buffer.from(bytes, "base64url"))).toEqual(key);
  });

  test("opens with nothing else", () => {
    expect(openSealedKey(Buffer.alloc(32, 2), label, sealed())).toBeNull();
    expect(openSealedKey(secret, "vapid key v1 another", sealed())).toBeNull();
    expect(openSealedKey(secret, label, Buffer.alloc(0))).toBeNull();
    expect(openSealedKey(secret, label, sealed().subarray(0, 20))).toBeNull();
  });

  test("does not open with any bit changed", () => {
    const bytes = sealed();
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Uint8Array.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(openSealedKey(secret, label, changed)).toBeNull();
    }
  });
});
