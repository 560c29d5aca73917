import { expect, test } from "vitest";
import { showTotpSecret, totpStep } from "./totp.ts";

/** RFC 6238, appendix B, SHA-1; the last six of its eight digits. */
const secret = Buffer.from("12345678901234567890");
test.for<[seconds: number, code: string]>([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("at %d s the code is %s", ([seconds, code]) => {
  const step = Math.floor(seconds / 30);
  expect(totpStep(secret, code, seconds * 1000)).toBe(step);
  expect(totpStep(secret, code, (step - 1) * 30_000)).toBe(step);
  expect(totpStep(secret, code, (step + 2) * 30_000 - 1)).toBe(step);
  expect(totpStep(secret, code, (step + 2) * 30_000)).toBeNull();
  expect(totpStep(secret, code, (step - 1) * 30_000 - 1)).toBeNull();
});

test.for(["", "28708", "2870822", "00287082", "28708a", "２８７０８２", "-87082", "287082\n"])(
  "%j is no code",
  (code) => {
    expect(totpStep(secret, code, 59_000)).toBeNull();
  },
);

test("is shown as a person types it, whatever buffer it is a part of", () => {
  const part = Buffer.concat([Buffer.alloc(8, 1), secret, Buffer.alloc(8, 1)]).subarray(8, 28);
  expect(showTotpSecret(part, { issuer: "Sineta", account: "baker@site.example" }).secret).toBe(
    "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
  );
  expect(totpStep(part, "287082", 59_000)).toBe(1);
});
