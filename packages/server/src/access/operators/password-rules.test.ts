import { describe, expect, test } from "vitest";
import { commonPasswords } from "./common-passwords.ts";
import { refusalOfPassword } from "./password-rules.ts";

const email = "reader.silva@padaria-central.com.br";
const refusal = async (password: string, address = email) =>
  refusalOfPassword(password, address, await commonPasswords());

describe("a password may be set", () => {
  test.for([
    "sete quedas de madeira",
    "k3-vB!q9_x",
    "0000x0000y",
    // One character each, whatever it takes to write it.
    "🔔".repeat(10),
    "a1".repeat(100),
    // A common one in front of a word is none.
    "password do pardal",
    "reader tem um pardal",
    "senhorita 2024!",
  ])("%s", async (password) => {
    expect(await refusal(password)).toBeNull();
  });
});

describe("is refused", () => {
  test.for([
    ["password-short", ""],
    ["password-short", "k3-vB!q9_"],
    ["password-short", "🔔".repeat(9)],
    // Ten characters as typed, five of them once composed.
    ["password-short", "a\u0303".repeat(5)],
    ["password-long", "kv".repeat(101)],
    ["password-common", "1234567890"],
    ["password-common", "1234567890!"],
    ["password-common", "12345678901234"],
    ["password-common", "qwertyuiop"],
    ["password-common", "QwertyUIOP"],
    ["password-common", "ｑｗｅｒｔｙｕｉｏｐ"],
    ["password-common", "Password123456!"],
    ["password-common", "P@ssw0rd2026"],
    ["password-common", "password        "],
    ["password-common", "dragon!!!!!!!!"],
    ["password-like-email", "reader.silva@padaria-central.com.br"],
    ["password-like-email", "Reader.Silva2026"],
    ["password-like-email", "silva-reader-1"],
    ["password-like-email", "PadariaCentral!"],
    ["password-like-email", "padaria-central.com.br"],
  ] as const)("as %s: %s", async ([code, password]) => {
    expect(await refusal(password)).toBe(code);
  });

  test("as the list is long, and read once", async () => {
    expect((await commonPasswords()).size).toBeGreaterThan(45_000);
    expect(await commonPasswords()).toBe(await commonPasswords());
  });
});
