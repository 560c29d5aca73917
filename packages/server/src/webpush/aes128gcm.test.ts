import { createDecipheriv } from "node:crypto";
import { describe, expect, test } from "vitest";
import { deriveContentKeys, encodeOneRecord } from "./aes128gcm.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "base64url");

describe("RFC 8188", () => {
  test("section 3.1: one record, byte for byte", () => {
    const body = encodeOneRecord(Buffer.from("I am the walrus"), {
      inputKey: bytes("yqdlZ-tYemfogSmv7Ws5PQ"),
      salt: bytes("I1BsxtFttlv3u_Oo94xnmw"),
      keyId: Buffer.alloc(0),
    });
    expect(Buffer.from(body).toString("base64url")).toBe(
      "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg",
    );
  });

  test("section 3.1: the key and the nonce on the way there", () => {
    const { key, nonce } = deriveContentKeys(
      bytes("yqdlZ-tYemfogSmv7Ws5PQ"),
      bytes("I1BsxtFttlv3u_Oo94xnmw"),
    );
    expect(Buffer.from(key).toString("base64url")).toBe("_wniytB-ofscZDh4tbSjHw");
    expect(Buffer.from(nonce).toString("base64url")).toBe("Bcs8gkIRKLI8GeI8");
  });

  test("section 3.2: what is derived opens the first of two padded records", () => {
    // We never write more than one record; the derivation is what this example shares with us.
    const body = bytes(
      "uNCkWiNYzKTnBN9ji3-qWAAAABkCYTHOG8chz_gnvgOqdGYovxyjuqRyJFjEDyoF1Fvkj6hQPdPHI51OEUKEpgz3SsLWIqS_uA",
    );
    const { key, nonce } = deriveContentKeys(bytes("BO3ZVPxUlnLORbVGMpbT1Q"), body.subarray(0, 16));
    const record = body.subarray(16 + 4 + 1 + 2).subarray(0, 25);
    const decipher = createDecipheriv("aes-128-gcm", key, nonce);
    decipher.setAuthTag(record.subarray(-16));
    const opened = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    expect(opened.toString("latin1")).toBe("I am th\u0001\u0000");
  });

  test("refuses what does not fit its one record", () => {
    const parts = { inputKey: Buffer.alloc(16), salt: Buffer.alloc(16), keyId: Buffer.alloc(0) };
    expect(encodeOneRecord(Buffer.alloc(4079), parts)).toHaveLength(21 + 4096);
    expect(() => encodeOneRecord(Buffer.alloc(4080), parts)).toThrow(RangeError);
  });
});
