import { argon2Sync, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createPasswords } from "./passwords.ts";

const password = "sete quedas de madeira";
const passwords = createPasswords({ randomBytes });

/** As another program, or an earlier version, would have written it. */
function phcWith({ memory = 19_456, passes = 2, saltBytes = 16, tagLength = 32 }) {
  const nonce = randomBytes(saltBytes);
  const parameters = { message: password, nonce, parallelism: 1, tagLength, memory, passes };
  const base64 = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");
  const tag = argon2Sync("argon2id", parameters);
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${base64(nonce)}$${base64(tag)}`;
}

describe("a password's hash", () => {
  test("is argon2id with OWASP's parameters, salted, and fits that password alone", async () => {
    const [one, other] = [await passwords.hash(password), await passwords.hash(password)];
    expect(one).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
    expect(one).not.toBe(other);
    expect(await passwords.verify(password, one)).toEqual({ fits: true, outdated: false });
    expect(await passwords.verify(`${password} `, one)).toEqual({ fits: false, outdated: false });
  });

  test("made elsewhere by the same parameters is understood", async () => {
    expect(await passwords.verify(password, phcWith({}))).toEqual({ fits: true, outdated: false });
  });

  test.for([{ memory: 8 }, { passes: 1 }, { saltBytes: 8 }, { tagLength: 16 }])(
    "by other parameters (%j) fits, and is to be made anew",
    async (parameters) => {
      expect(await passwords.verify(password, phcWith(parameters))).toEqual({
        fits: true,
        outdated: true,
      });
    },
  );

  test("is of the NFKC form: however the keyboard writes it", async () => {
    const hash = await passwords.hash("cora\u00e7\u00e3o ﬁel");
    expect(await passwords.verify("corac\u0327a\u0303o fiel", hash)).toMatchObject({ fits: true });
  });

  test("that cannot be read is an error that does not show it", async () => {
    const broken = "$argon2i$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$dGFn";
    await expect(passwords.verify(password, broken)).rejects.toThrow(/cannot be read/);
    await expect(passwords.verify(password, broken)).rejects.not.toThrow(/c2FsdHNhbHQ/);
  });

  test("of nobody fits no password, and is worked on with the parameters of today", async () => {
    expect(await passwords.verify(password, null)).toEqual({ fits: false, outdated: false });
  });

  test("of nobody fits not even where chance has made it a password's", async () => {
    const nonce = randomBytes(16);
    const parameters = { message: password, nonce, parallelism: 1, memory: 19_456, passes: 2 };
    const tag = argon2Sync("argon2id", { ...parameters, tagLength: 32 });
    const own = createPasswords({ randomBytes: (count) => (count === 16 ? nonce : tag) });
    expect(await own.verify(password, null)).toMatchObject({ fits: false });
  });
});
