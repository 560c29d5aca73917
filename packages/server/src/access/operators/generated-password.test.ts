import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { commonPasswords } from "./common-passwords.ts";
import { generatePassword } from "./generated-password.ts";
import { refusalOfPassword } from "./password-rules.ts";

test("a generated password has 100 random bits, and may be set", async () => {
  const asked: number[] = [];
  const password = generatePassword((count) => {
    asked.push(count);
    return randomBytes(count);
  });
  expect(asked).toEqual([20]);
  expect(password).toMatch(/^([0-9a-hjkmnp-tv-z]{5}-){3}[0-9a-hjkmnp-tv-z]{5}$/);
  expect(refusalOfPassword(password, "baker@site.example", await commonPasswords())).toBeNull();
  // Each of the 32 values of five bits is a character of its own.
  const all = [0, 20].map((first) =>
    generatePassword((count) => Uint8Array.from({ length: count }, (_, index) => first + index)),
  );
  expect(new Set(all.join("").replaceAll("-", "")).size).toBe(32);
});
