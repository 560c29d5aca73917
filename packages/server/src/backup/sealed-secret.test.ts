import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { fingerprintOf } from "../secrets/fingerprint.ts";
import { isWithinBounds, openSecret, sealSecret } from "./sealed-secret.ts";

const secret = Buffer.alloc(32, 7);
const fingerprint = fingerprintOf(secret);
const passphrase = "pão de queijo às seis";
const work = { memory: 64, passes: 1, parallelism: 1 };
const seal = () => sealSecret({ secret, passphrase, randomBytes, work });

test("a secret opens with its passphrase, in either Unicode form, and with no other", async () => {
  const sealed = await seal();
  expect(await openSecret(sealed, { passphrase, fingerprint })).toEqual(secret);
  const decomposed = passphrase.normalize("NFD");
  expect(await openSecret(sealed, { passphrase: decomposed, fingerprint })).toEqual(secret);
  for (const other of ["", passphrase.toUpperCase(), `${passphrase} `]) {
    expect(await openSecret(sealed, { passphrase: other, fingerprint })).toBeNull();
  }
});

test("a secret does not open under another fingerprint, or with a changed byte", async () => {
  const sealed = await seal();
  expect(await openSecret(sealed, { passphrase, fingerprint: "00000000" })).toBeNull();
  const changed = Buffer.from(sealed.sealed);
  changed[20] = (changed[20] ?? 0) ^ 1;
  expect(await openSecret({ ...sealed, sealed: changed }, { passphrase, fingerprint })).toBeNull();
});

test("the work is that of RFC 9106, and work beyond bounds is not done", async () => {
  const sealed = await sealSecret({ secret, passphrase, randomBytes });
  expect(sealed).toMatchObject({ memory: 65_536, passes: 3, parallelism: 4 });
  expect(isWithinBounds(sealed)).toBe(true);
  for (const odd of [{ memory: 1 << 30 }, { memory: 0 }, { passes: 0 }, { passes: 1e6 }]) {
    expect(isWithinBounds({ ...sealed, ...odd })).toBe(false);
  }
  for (const odd of [{ parallelism: 0 }, { parallelism: 1000 }, { salt: Buffer.alloc(3) }]) {
    expect(isWithinBounds({ ...sealed, ...odd })).toBe(false);
  }
});
