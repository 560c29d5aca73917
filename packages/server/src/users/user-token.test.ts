import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { userKeyOf } from "./user-key.ts";
import { verifyUserToken } from "./user-token.ts";

const nowSeconds = 1_800_000_000;
const day = 24 * 60 * 60;
const userKey = userKeyOf(Buffer.alloc(32, 7));
const claims = { sub: "baker", exp: nowSeconds + 600 };

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token with any header, signed by any means; HS256 with the project's key unless told otherwise. */
function token(
  payload: unknown,
  header: object = { alg: "HS256", typ: "JWT" },
  signed: (text: string) => Buffer = (text) => createHmac("sha256", userKey).update(text).digest(),
): string {
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${signed(text).toString("base64url")}`;
}

const verify = (userToken: string) => verifyUserToken(userToken, userKey, nowSeconds * 1000);
const invalid = { ok: false, code: "user-token-invalid", why: expect.any(String) };
const expired = { ok: false, code: "user-token-expired" };

describe("a user token", () => {
  test("signed with the text of the user key gives its claims, and no others", async () => {
    const given = { ...claims, topics: ["staff", "vip"], role: "admin", iat: nowSeconds };
    expect(await verify(token(given))).toEqual({
      ok: true,
      claims: { ...claims, topics: ["staff", "vip"] },
    });
    expect(await verify(token(claims))).toEqual({ ok: true, claims });
  });

  test.for<[string, object]>([
    ["no type", { alg: "HS256" }],
    ["a type in lower case", { alg: "HS256", typ: "jwt" }],
    ["a key id", { alg: "HS256", typ: "JWT", kid: "1" }],
  ])("is accepted with %s", async ([, header]) => {
    expect(await verify(token(claims, header))).toEqual({ ok: true, claims });
  });

  const hmac = (algorithm: string, key: string | Buffer) => (text: string) =>
    createHmac(algorithm, key).update(text).digest();
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const ec = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const ecSigned = (text: string) =>
    sign("sha256", Buffer.from(text), { key: ec.privateKey, dsaEncoding: "ieee-p1363" });
  const header = { alg: "HS256", typ: "JWT" };

  test.for<[string, string]>([
    ["alg none, no signature", token(claims, { alg: "none" }, () => Buffer.alloc(0))],
    ["alg none, right signature", token(claims, { alg: "none" })],
    ["alg NONE", token(claims, { alg: "NONE" }, () => Buffer.alloc(0))],
    ["no alg", token(claims, { typ: "JWT" })],
    ["alg in lower case", token(claims, { alg: "hs256" })],
    ["HS384", token(claims, { alg: "HS384" }, hmac("sha384", userKey))],
    ["HS512", token(claims, { alg: "HS512" }, hmac("sha512", userKey))],
    [
      "RS256",
      token(claims, { alg: "RS256" }, (text) => sign("sha256", Buffer.from(text), rsa.privateKey)),
    ],
    ["RS256 with the user key", token(claims, { alg: "RS256" })],
    ["ES256", token(claims, { alg: "ES256" }, ecSigned)],
    [
      "ES256 with a key of its own",
      token(claims, { alg: "ES256", jwk: ec.publicKey.export({ format: "jwk" }) }, ecSigned),
    ],
    ["another's key", token(claims, header, hmac("sha256", userKeyOf(Buffer.alloc(32, 8))))],
    ["the key decoded", token(claims, header, hmac("sha256", Buffer.alloc(32, 7)))],
    ["an empty key", token(claims, header, hmac("sha256", ""))],
    ["the type of another kind of token", token(claims, { alg: "HS256", typ: "at+jwt" })],
    ["a type that is no text", token(claims, { alg: "HS256", typ: ["JWT"] })],
    ["something critical", token(claims, { alg: "HS256", crit: ["exp"], exp: 1 })],
    ["an unencoded payload", token(claims, { alg: "HS256", b64: false, crit: ["b64"] })],
    ["no signature", token(claims).split(".").slice(0, 2).join(".")],
    ["an empty signature", `${token(claims).split(".").slice(0, 2).join(".")}.`],
    ["half a signature", token(claims).slice(0, -20)],
    [
      "claims that were changed",
      token(claims).replace(/\.[^.]+\./, `.${part({ ...claims, sub: "cook" })}.`),
    ],
    ["no words at all", ""],
    ["one word", "baker"],
    ["five parts", `${token(claims)}.x.y`],
    ["claims that are a list", token([claims])],
    ["claims that are null", token(null)],
    [
      "claims that are not JSON",
      (() => {
        const text = `${part(header)}.${Buffer.from("{").toString("base64url")}`;
        return `${text}.${hmac("sha256", userKey)(text).toString("base64url")}`;
      })(),
    ],
    ["a sub of null", token({ ...claims, sub: null })],
    ["no sub", token({ exp: claims.exp })],
    ["an empty sub", token({ ...claims, sub: "" })],
    ["a sub of 129 characters", token({ ...claims, sub: "x".repeat(129) })],
    ["a sub that is no Unicode", token({ ...claims, sub: "\ud800" })],
    ["a number as sub", token({ ...claims, sub: 7 })],
    ["no exp", token({ sub: "baker" })],
    ["exp as text", token({ ...claims, exp: String(claims.exp) })],
    ["exp null", token({ ...claims, exp: null })],
    ["exp in milliseconds", token({ ...claims, exp: claims.exp * 1000 })],
    ["topics that are no list", token({ ...claims, topics: "staff" })],
    ["a topic that has no such name", token({ ...claims, topics: ["a b"] })],
    ["101 topics", token({ ...claims, topics: Array.from({ length: 101 }, (_, at) => `t${at}`) })],
  ])("is refused with %s", async ([, userToken]) => {
    expect(await verify(userToken)).toEqual(invalid);
  });

  test.for<[string, object, object]>([
    ["over for a minute", { exp: nowSeconds - 60 }, expired],
    ["over for less", { exp: nowSeconds - 59 }, { ok: true }],
    ["over for a minute and a fraction", { exp: nowSeconds - 60.25 }, expired],
    ["over for less by a fraction", { exp: nowSeconds - 59.75 }, { ok: true }],
    [
      "a fraction",
      { exp: claims.exp + 0.25, nbf: nowSeconds - 0.5, iat: nowSeconds - 1.5 },
      { ok: true },
    ],
    ["an nbf to come by a fraction", { nbf: nowSeconds + 60.25 }, invalid],
    ["24 hours and a minute ahead", { exp: nowSeconds + day + 60 }, { ok: true }],
    ["more", { exp: nowSeconds + day + 61 }, invalid],
    ["not before a minute from now", { nbf: nowSeconds + 60 }, { ok: true }],
    ["not before later", { nbf: nowSeconds + 61 }, invalid],
    ["not before as text", { nbf: "now" }, invalid],
    ["null where it may be absent", { nbf: null, iat: null, topics: null }, { ok: true, claims }],
  ])("whose time is %s", async ([, over, expected]) => {
    expect(await verify(token({ ...claims, ...over }))).toMatchObject(expected);
  });

  test("is called expired only if its signature is right", async () => {
    const late = { ...claims, exp: nowSeconds - 1000 };
    expect(await verify(token(late))).toEqual(expired);
    expect(await verify(token(late, header, hmac("sha256", "another")))).toEqual(invalid);
  });

  const stranger = hmac("sha256", "another");
  const long = "x".repeat(129);
  test.for<[string, string, RegExp]>([
    ["what is no JWT", "baker", /^it is not a JWT/],
    ["five parts", `${token(claims)}.x.y`, /^it is not a JWT/],
    ["another algorithm", token(claims, { alg: "HS512" }), /^its algorithm is not HS256$/],
    ["another key", token(claims, header, stranger), /^its signature was not made with the key/],
    ["another typ", token(claims, { alg: "HS256", typ: "at+jwt" }), /^its typ is another/],
    ["an exp too far ahead", token({ ...claims, exp: claims.exp + day }), /^exp is more than 24/],
    ["an exp as text", token({ ...claims, exp: "soon" }), /^exp: expected a number, in seconds/],
    ["no exp", token({ sub: "baker" }), /^exp: expected a number, in seconds/],
    ["an nbf to come", token({ ...claims, nbf: nowSeconds + 900 }), /^nbf: expected a number/],
    ["an iat as text", token({ ...claims, iat: "now" }), /^iat: expected a number/],
    ["no sub", token({ exp: claims.exp }), /^sub: expected the user's id, one line of 1 to 128/],
    ["a long sub", token({ ...claims, sub: long }), /^sub: expected the user's id/],
    ["an invisible sub", token({ ...claims, sub: "\u200b" }), /^sub: expected .* visible/],
    ["odd topics", token({ ...claims, topics: ["a b", "c d"] }), /^topics: expected a list[^;]*$/],
  ])("says what is wrong with %s", async ([, userToken, why]) => {
    expect(await verify(userToken)).toEqual({ ...invalid, why: expect.stringMatching(why) });
  });

  test("tells nothing of the claims to who lacks the key, and repeats none", async () => {
    const wrong = { sub: "secret baker", exp: "secret time" };
    const unsigned = await verify(token(wrong, header, stranger));
    expect(JSON.stringify(unsigned)).toMatch(/signature/);
    const signed = await verify(token({ ...wrong, topics: "secret" }));
    expect(JSON.stringify([unsigned, signed])).not.toContain("secret ");
    expect(JSON.stringify([unsigned, signed])).not.toContain(userKey);
  });
});
