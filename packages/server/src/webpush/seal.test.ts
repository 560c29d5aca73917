import { diffieHellman, randomBytes } from "node:crypto";
import { limits } from "@sineta/protocol";
import { assert, property, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import { expand, extract } from "./hkdf.ts";
import { importPrivateKey, importPublicKey } from "./p256.ts";
import { decodePushKeys, parsePushKeys, seal, type PushKeys } from "./seal.ts";
import { makeSubscription } from "./testing/subscription.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "base64url");

/** RFC 8291, section 5 and appendix A. */
const example = {
  plaintext: "When I grow up, I want to be a watermelon",
  serverPublic: bytes(
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
  ),
  serverPrivate: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  browserPrivate: bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"),
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
  ecdhSecret: "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs",
  keyInfo:
    "V2ViUHVzaDogaW5mbwAEJXGyvs3942BVGq8e0PTNNmwRzr5VX4m8t7GGpTM5FzFo7OLr4BhZe9MEebhuPI-OztV3ylkYfpJGmQ22ggCLDgT-M_SrDepxkU21WCP3O1SUj0EwbZIHMtu5pZpTKGSCIA5Zent7wmC6HCJ5mFgJkuk5cwAvMBKiiujwa7t45ewP",
  inputKey: "S4lYMb_L0FxCeq0WhDx813KgSYqU26kOyzWUdsXYyrg",
  body: "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

function keysOf({ p256dh, auth }: { p256dh: string; auth: string }): PushKeys {
  const parsed = parsePushKeys(p256dh, auth);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.keys;
}

describe("RFC 8291", () => {
  test("section 5: the whole body, byte for byte", () => {
    const body = seal(Buffer.from(example.plaintext), keysOf(example), {
      agree: (peer) => ({
        publicKey: example.serverPublic,
        secret: diffieHellman({
          privateKey: importPrivateKey(example.serverPrivate),
          publicKey: importPublicKey(peer),
        }),
      }),
      salt: () => example.salt,
    });
    expect(Buffer.from(body).toString("base64url")).toBe(example.body);
  });

  test("appendix A: the shared secret and the input key on the way there", () => {
    const shared = diffieHellman({
      privateKey: importPrivateKey(example.browserPrivate),
      publicKey: importPublicKey(example.serverPublic),
    });
    expect(shared.toString("base64url")).toBe(example.ecdhSecret);
    const inputKey = expand(extract(bytes(example.auth), shared), [bytes(example.keyInfo)], 32);
    expect(Buffer.from(inputKey).toString("base64url")).toBe(example.inputKey);
  });
});

describe("seal", () => {
  test("http_ece opens whatever was sealed, of any length that is allowed", () => {
    const subscription = makeSubscription();
    const keys = keysOf(subscription);
    assert(
      property(uint8Array({ minLength: 0, maxLength: limits.plaintextBytes }), (plaintext) => {
        const body = seal(plaintext, keys);
        expect(body).toHaveLength(plaintext.length + 103);
        expect(subscription.open(body).equals(plaintext)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test("the longest plaintext makes a body of 4,096 bytes, one byte more is refused", () => {
    const subscription = makeSubscription();
    const longest = randomBytes(3993);
    const body = seal(longest, keysOf(subscription));
    expect(body).toHaveLength(4096);
    expect(subscription.open(body).equals(longest)).toBe(true);
    expect(seal(Buffer.alloc(0), keysOf(subscription))).toHaveLength(103);
    expect(() => seal(randomBytes(3994), keysOf(subscription))).toThrow(RangeError);
  });

  test("no two messages share a key pair or a salt", () => {
    const keys = keysOf(makeSubscription());
    // More than one batch of salts.
    const bodies = Array.from({ length: 600 }, () => Buffer.from(seal(Buffer.alloc(0), keys)));
    expect(new Set(bodies.map((body) => body.toString("hex", 0, 16))).size).toBe(600);
    expect(new Set(bodies.map((body) => body.toString("hex", 21, 86))).size).toBe(600);
  });

  test("a point off the curve is never used", () => {
    const keys = keysOf(makeSubscription());
    const point = Buffer.from(keys.p256dh);
    point.writeUInt8(point.readUInt8(64) ^ 1, 64);
    expect(() => seal(Buffer.alloc(1), { ...keys, p256dh: point })).toThrow(/invalid/i);
  });
});

describe("parsePushKeys", () => {
  const { p256dh, auth } = makeSubscription();
  const offCurve = bytes(p256dh);
  offCurve.writeUInt8(offCurve.readUInt8(64) ^ 1, 64);
  const order = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 0xff)]);
  const compressed = Buffer.concat([Buffer.of(2), bytes(p256dh).subarray(1, 33)]);
  const hybrid = bytes(p256dh);
  // X9.62's hybrid form: the same point, with the parity of y said once more.
  hybrid[0] = 6 + (hybrid.readUInt8(64) & 1);
  const text = (...parts: Uint8Array[]) => Buffer.concat(parts).toString("base64url");
  const notBase64url = "it is not base64url";
  const notOnCurve = "its point is not on the curve P-256";

  test("gives the bytes", () => {
    expect(parsePushKeys(p256dh, auth)).toEqual({
      ok: true,
      keys: { p256dh: bytes(p256dh), auth: bytes(auth) },
    });
  });

  test.each([
    ["empty", "", "it has 0 bytes: expected 65"],
    ["padded", `${p256dh}=`, notBase64url],
    ["in the other alphabet", `${p256dh.slice(0, -2)}+/`, notBase64url],
    ["with a space", `${p256dh} `, notBase64url],
    ["with stray bits", p256dh.slice(0, -1) + nextCharacter(p256dh.at(-1) ?? ""), notBase64url],
    ["one byte short", text(bytes(p256dh).subarray(0, 64)), "it has 64 bytes: expected 65"],
    ["one byte long", text(bytes(p256dh), Buffer.of(0)), "it has 66 bytes: expected 65"],
    ["compressed", text(compressed), "it has 33 bytes: expected 65"],
    ["hybrid", text(hybrid), "it is not an uncompressed point: its first byte is not 0x04"],
    ["off the curve", text(offCurve), notOnCurve],
    ["with coordinates beyond the field", text(order), notOnCurve],
    ["the point (0, 0)", text(Buffer.of(4), Buffer.alloc(64)), notOnCurve],
  ])("refuses a p256dh that is %s", (_what, given, reason) => {
    expect(parsePushKeys(given, auth)).toEqual({ ok: false, key: "p256dh", reason });
  });

  test.each([
    ["empty", "", "it has 0 bytes: expected 16"],
    ["padded", `${auth}==`, notBase64url],
    ["of 15 bytes", text(randomBytes(15)), "it has 15 bytes: expected 16"],
    ["of 17 bytes", text(randomBytes(17)), "it has 17 bytes: expected 16"],
    ["with stray bits", auth.slice(0, -1) + nextCharacter(auth.at(-1) ?? ""), notBase64url],
  ])("refuses an auth that is %s", (_what, given, reason) => {
    expect(parsePushKeys(p256dh, given)).toEqual({ ok: false, key: "auth", reason });
  });

  test("decodePushKeys says the same but does not look at the curve", () => {
    expect(decodePushKeys(p256dh, auth).ok).toBe(true);
    expect(decodePushKeys(offCurve.toString("base64url"), auth).ok).toBe(true);
    for (const given of [`${p256dh}=`, text(hybrid), "AAAA"]) {
      expect(decodePushKeys(given, auth)).toMatchObject({ ok: false, key: "p256dh" });
    }
    expect(decodePushKeys(p256dh, `${auth}=`)).toMatchObject({ ok: false, key: "auth" });
  });
});

/** The next character of the alphabet differs in the lowest bit first, which no whole byte uses. */
function nextCharacter(character: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return alphabet[alphabet.indexOf(character) + 1] ?? "";
}
