import { verify } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { importPublicKey } from "./p256.ts";
import { createVapidTokens, generateVapidKeys, importVapidKeys, type VapidKeys } from "./vapid.ts";

const hourMs = 3_600_000;
const fcm = "https://fcm.googleapis.com";
const apple = "https://web.push.apple.com";

function newKeys(): VapidKeys {
  const { publicKey, privateKey } = generateVapidKeys();
  return importVapidKeys(publicKey, privateKey);
}

/** Reads an Authorization header with nothing of ours; throws unless the signature holds. */
function read(authorization: string): { aud: string; exp: number; sub: string } {
  const [, jwt = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = "", claims = "", signature = ""] = jwt.split(".");
  expect(JSON.parse(Buffer.from(header, "base64url").toString())).toEqual({
    typ: "JWT",
    alg: "ES256",
  });
  const signed = Buffer.from(`${header}.${claims}`);
  const publicKey = importPublicKey(Buffer.from(key, "base64url"));
  expect(
    verify(
      "sha256",
      signed,
      { key: publicKey, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    ),
  ).toBe(true);
  return JSON.parse(Buffer.from(claims, "base64url").toString());
}

/** A cache under a clock that is set by hand. */
function withClock(most?: number) {
  const clock = { nowMs: Date.UTC(2026, 0, 1) };
  const tokens = createVapidTokens({
    subject: "mailto:ops@example.com",
    now: () => clock.nowMs,
    ...(most === undefined ? {} : { most }),
  });
  return { clock, tokens };
}

describe("VAPID keys", () => {
  test("are made as 65 and 32 bytes of base64url", () => {
    const { publicKey, privateKey } = generateVapidKeys();
    expect(Buffer.from(publicKey, "base64url")).toHaveLength(65);
    expect(Buffer.from(publicKey, "base64url")[0]).toBe(4);
    expect(Buffer.from(privateKey, "base64url")).toHaveLength(32);
    expect(importVapidKeys(publicKey, privateKey).publicKey).toBe(publicKey);
  });

  test("refuse what is no key, or not the other's key", () => {
    const one = generateVapidKeys();
    const other = generateVapidKeys();
    const zero = Buffer.alloc(32).toString("base64url");
    const beyond = Buffer.alloc(32, 0xff).toString("base64url");
    expect(() => importVapidKeys(one.publicKey, other.privateKey)).toThrow("belong together");
    expect(() => importVapidKeys(one.publicKey, zero)).toThrow(TypeError);
    expect(() => importVapidKeys(one.publicKey, beyond)).toThrow(TypeError);
    expect(() => importVapidKeys(one.publicKey, `${one.privateKey}=`)).toThrow("32 bytes");
    expect(() => importVapidKeys(one.publicKey.slice(1), one.privateKey)).toThrow("65 bytes");
  });
});

describe("VAPID tokens", () => {
  test("say who sends to whom for the next 12 hours, and are signed", () => {
    const { clock, tokens } = withClock();
    const keys = newKeys();
    const header = tokens.authorization(fcm, keys);
    expect(read(header)).toEqual({
      aud: fcm,
      exp: clock.nowMs / 1000 + 12 * 3600,
      sub: "mailto:ops@example.com",
    });
    expect(header.endsWith(`, k=${keys.publicKey}`)).toBe(true);
  });

  test("are one per origin and key", () => {
    const { tokens } = withClock();
    const [one, other] = [newKeys(), newKeys()];
    const first = tokens.authorization(fcm, one);
    expect(read(tokens.authorization(apple, one)).aud).toBe(apple);
    expect(tokens.authorization(fcm, other)).not.toBe(first);
    expect(tokens.authorization(fcm, one)).toBe(first);
  });

  test("in two days of use, every minute: always valid, and never signed twice within an hour", () => {
    const { clock, tokens } = withClock();
    const keys = newKeys();
    const signedAtMs = new Map<string, number>();
    for (let minute = 0; minute < 2 * 24 * 60; minute += 1) {
      clock.nowMs += 60_000;
      const header = tokens.authorization(fcm, keys);
      if (!signedAtMs.has(header)) signedAtMs.set(header, clock.nowMs);
      const left = expOf(header) - clock.nowMs / 1000;
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(24 * 3600);
    }
    const times = [...signedAtMs.values()];
    expect(times.length).toBeGreaterThan(2);
    for (const [index, time] of times.slice(1).entries()) {
      expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(hourMs);
    }
  });

  test.each([
    ["an hour ahead", 1, false],
    ["five hours ahead", 5, false],
    ["seven hours ahead", 7, true],
    ["twelve hours ahead, where the token ends", 12, true],
    ["a year ahead", 24 * 365, true],
    ["an hour back", -1, false],
    ["five hours back", -5, false],
    ["thirteen hours back, where exp is over 24 hours ahead", -13, true],
    ["a year back", -24 * 365, true],
  ])("when the clock steps %s", (_what, hours, anew) => {
    const { clock, tokens } = withClock();
    const keys = newKeys();
    const before = tokens.authorization(fcm, keys);
    clock.nowMs += hours * hourMs;
    const after = tokens.authorization(fcm, keys);
    expect(after !== before).toBe(anew);
    const left = read(after).exp - clock.nowMs / 1000;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(24 * 3600);
    expect(tokens.authorization(fcm, keys)).toBe(after);
  });

  test("name the port in their audience, where it is not 443", () => {
    const { tokens } = withClock();
    const keys = newKeys();
    const origin = "https://push.example:8443";
    expect(read(tokens.authorization(origin, keys)).aud).toBe(origin);
  });

  /** Uses, each so many minutes after the one before it, with our clock so many minutes off the true time. */
  const uses = (mostMinutesOff: number) =>
    fc.array(
      fc.record({
        afterMinutes: fc.oneof(fc.nat(90), fc.nat(48 * 60)),
        offMinutes: fc.integer({ min: -mostMinutesOff, max: mostMinutesOff }),
      }),
      { minLength: 2, maxLength: 40 },
    );

  const oneKey = newKeys();

  test("under a clock that jumps about, up to two hours off either way: always valid by the true time, and an hour or more between two signatures", () => {
    fc.assert(
      fc.property(uses(120), (list) => {
        const { clock, tokens } = withClock();
        let trueMs = clock.nowMs;
        let last = "";
        let lastSignedMs = Number.NEGATIVE_INFINITY;
        for (const { afterMinutes, offMinutes } of list) {
          trueMs += afterMinutes * 60_000;
          clock.nowMs = trueMs + offMinutes * 60_000;
          const token = tokens.authorization(fcm, oneKey);
          const left = expOf(token) - trueMs / 1000;
          expect(left).toBeGreaterThan(3600);
          expect(left).toBeLessThan(23 * 3600);
          if (token === last) continue;
          expect(trueMs - lastSignedMs).toBeGreaterThanOrEqual(hourMs);
          last = token;
          lastSignedMs = trueMs;
        }
      }),
      { numRuns: 200 },
    );
  });

  test("under a clock that jumps by days: always valid by that clock", () => {
    fc.assert(
      fc.property(uses(30 * 24 * 60), (list) => {
        const { clock, tokens } = withClock();
        const startMs = clock.nowMs;
        for (const { offMinutes } of list) {
          clock.nowMs = startMs + offMinutes * 60_000;
          const left = expOf(tokens.authorization(fcm, oneKey)) - clock.nowMs / 1000;
          expect(left).toBeGreaterThan(0);
          expect(left).toBeLessThanOrEqual(24 * 3600);
        }
      }),
      { numRuns: 100 },
    );
  });

  test("are kept in a bounded number: the one used longest ago goes first", () => {
    const { clock, tokens } = withClock(2);
    const keys = newKeys();
    const first = tokens.authorization("https://a.example", keys);
    const second = tokens.authorization("https://b.example", keys);
    expect(tokens.authorization("https://a.example", keys)).toBe(first);
    tokens.authorization("https://c.example", keys);
    clock.nowMs += 1000;
    expect(tokens.authorization("https://a.example", keys)).toBe(first);
    expect(tokens.authorization("https://b.example", keys)).not.toBe(second);
  });
});

function expOf(header: string): number {
  const claims: { exp: number } = JSON.parse(
    Buffer.from(header.split(".")[1] ?? "", "base64url").toString(),
  );
  return claims.exp;
}
