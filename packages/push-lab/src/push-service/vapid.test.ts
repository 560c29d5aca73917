import { describe, expect, test } from "vitest";
import webpush from "web-push";

import { signToken } from "../test/vapid-token.ts";
import { checkVapid, importVapidKey } from "./vapid.ts";

const nowMs = Date.UTC(2030, 0, 1);
const nowSeconds = nowMs / 1000;
const origin = "https://push.example";
const keys = webpush.generateVAPIDKeys();
const others = webpush.generateVAPIDKeys();
const good = { aud: origin, exp: nowSeconds + 3600, sub: "mailto:ops@example.com" };

const header = (claims: object, more: { header?: object; key?: string } = {}): string =>
  `vapid t=${signToken(keys, claims, more.header)}, k=${more.key ?? keys.publicKey}`;
const check = (authorization: string | undefined) =>
  checkVapid(authorization, { origin, applicationServerKey: keys.publicKey, nowMs });

describe("VAPID credentials are accepted", () => {
  test("with an hour left", () => {
    expect(check(header(good))).toEqual({ vapid: { key: keys.publicKey, claims: good } });
  });

  test.each([
    ["with exactly 24 hours left", header({ ...good, exp: nowSeconds + 86_400 })],
    ["with an https contact", header({ ...good, sub: "https://example.com/contact" })],
    ["with the parameters the other way round", swapped(header(good))],
    ["without a blank after the comma", header(good).replace(", ", ",")],
    ["whatever the case of the scheme", header(good).replace("vapid", "Vapid")],
  ])("%s", (_case, authorization) => {
    expect(check(authorization)).toHaveProperty("vapid.key", keys.publicKey);
  });
});

describe("VAPID credentials are refused", () => {
  const [head, , signature] = signToken(keys, good).split(".");
  const forged = Buffer.from(JSON.stringify({ ...good, sub: "mailto:x@example.com" }));

  test.each<[string, string | undefined, "unusable" | "wrong" | "other-key", RegExp]>([
    ["missing", undefined, "unusable", /missing/],
    ["of another scheme", "Bearer abc", "unusable", /form/],
    ["of the old draft's scheme", header(good).replace("vapid t=", "WebPush "), "unusable", /form/],
    ["without k", header(good).split(", ")[0], "unusable", /form/],
    ["without t", `vapid k=${keys.publicKey}`, "unusable", /form/],
    ["with t twice", `${header(good)}, t=x`, "unusable", /form/],
    ["with a k that is no key", header(good, { key: "AAAA" }), "unusable", /P-256/],
    ["with a k off the curve", header(good, { key: offTheCurve() }), "unusable", /P-256/],
    ["with a padded k", header(good).concat("="), "unusable", /form/],
    ["with two parts", `vapid t=a.b, k=${keys.publicKey}`, "unusable", /three parts/],
    [
      "with another alg",
      header(good, { header: { typ: "JWT", alg: "none" } }),
      "unusable",
      /ES256/,
    ],
    ["with a header that is no JSON", `vapid t=YQ.YQ.YQ, k=${keys.publicKey}`, "unusable", /ES256/],
    [
      "with a changed payload",
      `vapid t=${head}.${forged.toString("base64url")}.${signature}, k=${keys.publicKey}`,
      "wrong",
      /signature/,
    ],
    ["with a cut signature", header(good).replace(/.{4}, k/, ", k"), "wrong", /signature/],
    [
      "signed with another key than k",
      header(good, { key: others.publicKey }),
      "wrong",
      /signature/,
    ],
    [
      "of a key the subscription was not made with",
      `vapid t=${signToken(others, good)}, k=${others.publicKey}`,
      "other-key",
      /subscription/,
    ],
    ["with a payload that is no object", header([good]), "wrong", /JSON object/],
    ["for another origin", header({ ...good, aud: "https://push.example.com" }), "wrong", /aud/],
    ["for the origin with a slash", header({ ...good, aud: `${origin}/` }), "wrong", /aud/],
    ["for the endpoint itself", header({ ...good, aud: `${origin}/send/1` }), "wrong", /aud/],
    ["for nobody", header({ exp: good.exp, sub: good.sub }), "wrong", /aud/],
    ["that have just expired", header({ ...good, exp: nowSeconds }), "wrong", /past/],
    ["over 24 hours ahead", header({ ...good, exp: nowSeconds + 86_401 }), "wrong", /24 hours/],
    ["with exp in milliseconds", header({ ...good, exp: nowMs + 1000 }), "wrong", /24 hours/],
    ["with exp as text", header({ ...good, exp: String(good.exp) }), "wrong", /exp/],
    ["without exp", header({ aud: origin, sub: good.sub }), "wrong", /exp/],
    ["without sub", header({ aud: origin, exp: good.exp }), "wrong", /sub/],
    ["with a bare address", header({ ...good, sub: "ops@example.com" }), "wrong", /sub/],
    ["with an http contact", header({ ...good, sub: "http://example.com" }), "wrong", /sub/],
    ["with mail on localhost", header({ ...good, sub: "mailto:ops@localhost" }), "wrong", /sub/],
    [
      "with a page on localhost",
      header({ ...good, sub: "https://localhost:8080" }),
      "wrong",
      /sub/,
    ],
    ["with a page on 127.0.0.1", header({ ...good, sub: "https://127.0.0.1" }), "wrong", /sub/],
  ])("%s", (_case, authorization, mistake, reason) => {
    expect(check(authorization)).toEqual({
      mistake: `vapid-${mistake}`,
      reason: expect.stringMatching(reason),
    });
  });
});

test("a VAPID key is a point of the curve, written in one way", () => {
  expect(importVapidKey(keys.publicKey)).toBeDefined();
  expect(importVapidKey(`${keys.publicKey}=`)).toBeUndefined();
  expect(
    importVapidKey(Buffer.from(keys.publicKey, "base64url").toString("base64")),
  ).toBeUndefined();
  expect(importVapidKey("")).toBeUndefined();
});

function swapped(authorization: string): string {
  return authorization.replace(/^vapid (t=.*), (k=.*)$/, "vapid $2, $1");
}

function offTheCurve(): string {
  return Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString("base64url");
}
