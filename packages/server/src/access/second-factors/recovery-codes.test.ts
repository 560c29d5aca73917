import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { hashRecoveryCode, makeRecoveryCodes } from "./recovery-codes.ts";

test("ten codes of 80 random bits, and their hashes in the same order", () => {
  let asked = 0;
  const { recoveryCodes, hashes } = makeRecoveryCodes((count) => {
    asked += count;
    return randomBytes(count);
  });
  // Five bits of each byte.
  expect(asked * 5).toBe(10 * 80);
  expect(recoveryCodes).toHaveLength(10);
  expect(hashes).toEqual(recoveryCodes.map(hashRecoveryCode));
  expect(new Set(hashes.map((hash) => Buffer.from(hash).toString("hex"))).size).toBe(10);
});

test.for([
  "01AB-CDEF-GHJK-MNPQ",
  "01abcdefghjkmnpq",
  " 01ab cdef\tghjk—mnpq".replace("—", "-"),
  "OIab-cdef-ghjk-mnpq",
  "oLab-cdef-ghjk-mnpq",
])("%j is the code that was shown", (typed) => {
  expect(hashRecoveryCode(typed)).toEqual(hashRecoveryCode("01ab-cdef-ghjk-mnpq"));
});

test.for(["01ab-cdef-ghjk-mnp", "01ab-cdef-ghjk-mnpr", "", "01ab.cdef.ghjk.mnpq"])(
  "%j is not",
  (typed) => {
    expect(hashRecoveryCode(typed)).not.toEqual(hashRecoveryCode("01ab-cdef-ghjk-mnpq"));
  },
);
