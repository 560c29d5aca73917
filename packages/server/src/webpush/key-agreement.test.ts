import { spawnSync } from "node:child_process";
import { createECDH, diffieHellman, generateKeyPairSync } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { agreeOnSecret, nodeAgreement } from "./key-agreement.ts";
import { opensslAgreement } from "./openssl/agreement.ts";
import { curve, importPublicKey } from "./p256.ts";

const browser = generateKeyPairSync("ec", {
  ...curve,
  publicKeyEncoding: { format: "raw-public" },
});

function browsersSecret(publicKey: Uint8Array): Buffer {
  return diffieHellman({
    privateKey: browser.privateKey,
    publicKey: importPublicKey(publicKey),
  });
}

function fromOpenssl() {
  const agreement = opensslAgreement(nodeAgreement);
  if (agreement === null) throw new Error("this Node does not show OpenSSL's functions");
  return agreement;
}

describe.each([
  ["node:crypto", nodeAgreement],
  ["OpenSSL's functions", fromOpenssl()],
  ["the fastest", agreeOnSecret],
])("by %s", (_name, agree) => {
  test("the browser comes to the same secret, each time another one", () => {
    const secrets = Array.from({ length: 500 }, () => {
      const { publicKey, secret } = agree(browser.publicKey);
      expect(publicKey).toHaveLength(65);
      expect(browsersSecret(publicKey).equals(secret)).toBe(true);
      return Buffer.from(secret).toString("hex");
    });
    expect(new Set(secrets).size).toBe(500);
  });

  const offCurve = Buffer.from(browser.publicKey);
  offCurve[64] = offCurve.readUInt8(64) ^ 1;
  test.each([
    ["off the curve", offCurve],
    ["with coordinates beyond the field", Buffer.alloc(65, 0xff).fill(4, 0, 1)],
    ["the point (0, 0)", Buffer.alloc(65).fill(4, 0, 1)],
    ["of zeros", Buffer.alloc(65)],
    ["the point at infinity", Buffer.alloc(1)],
    ["of another curve", createECDH("secp384r1").generateKeys()],
    ["empty", Buffer.alloc(0)],
  ])("nothing is agreed with a key that is %s, and the next one is served", (_what, key) => {
    expect(() => agree(key)).toThrow(/key|invalid|curve/i);
    const { publicKey, secret } = agree(browser.publicKey);
    expect(browsersSecret(publicKey).equals(secret)).toBe(true);
  });
});

test("OpenSSL's functions do the work where they are there, and hand on nothing but what they refuse", () => {
  const otherwise = vi.fn(nodeAgreement);
  const agree = opensslAgreement(otherwise);
  agree?.(browser.publicKey);
  expect(otherwise).not.toHaveBeenCalled();
  expect(() => agree?.(Buffer.alloc(65))).toThrow(/invalid/i);
  expect(otherwise).toHaveBeenCalledOnce();
});

test("a refused point leaves no error behind, which TLS would take for its own", () => {
  const ffi = process.getBuiltinModule("node:ffi");
  const { functions } = ffi.dlopen(null, { ERR_peek_error: { arguments: [], return: "uint64" } });
  // What node:crypto does clears the errors that it finds.
  const refuse = () => {
    throw new Error("no point");
  };
  expect(() => opensslAgreement(refuse)?.(Buffer.alloc(65))).toThrow("no point");
  expect(functions.ERR_peek_error()).toBe(0n);
});

test("without node:ffi, node:crypto does it", () => {
  const script = `
    const { opensslAgreement } = await import(${JSON.stringify(import.meta.resolve("./openssl/agreement.ts"))});
    const { agreeOnSecret } = await import(${JSON.stringify(import.meta.resolve("./key-agreement.ts"))});
    const peer = Buffer.from("${browser.publicKey.toString("hex")}", "hex");
    console.log(opensslAgreement(agreeOnSecret), agreeOnSecret(peer).secret.length);`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--no-experimental-ffi", "--input-type=module", "--eval", script],
    { encoding: "utf8" },
  );
  expect({ stdout, stderr }).toEqual({ stdout: "null 32\n", stderr: "" });
});
