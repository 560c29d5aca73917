import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { doctorToken, isDoctorToken } from "./token.ts";

const secret = randomBytes(32);
const nowMs = Date.parse("2026-12-01T12:00:30Z");
const minuteMs = 60_000;

test("a token is good for some minutes, also where the server's clock is a little off", () => {
  const token = doctorToken(secret, nowMs);
  const isGood = (minutes: number) => isDoctorToken(token, secret, nowMs + minutes * minuteMs);
  expect([-6, -5, 0, 5, 6].map(isGood)).toEqual([false, true, true, true, false]);
});

test("another secret's token, a part of one and none are no good", () => {
  const token = doctorToken(secret, nowMs);
  expect(isDoctorToken(doctorToken(randomBytes(32), nowMs), secret, nowMs)).toBe(false);
  expect(isDoctorToken(token.slice(0, -2), secret, nowMs)).toBe(false);
  expect(isDoctorToken("", secret, nowMs)).toBe(false);
});
