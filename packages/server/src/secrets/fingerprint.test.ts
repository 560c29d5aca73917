import { expect, test } from "vitest";
import { fingerprintOf } from "./fingerprint.ts";

test("a fingerprint tells one secret from another, and stays the same in every version", () => {
  expect(fingerprintOf(Buffer.alloc(32, 7))).toBe("6b235d9a");
  expect(fingerprintOf(Buffer.alloc(32, 8))).not.toBe("6b235d9a");
});
