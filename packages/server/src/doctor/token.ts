/** By this token a server knows that a doctor with the project's secret asks. It goes through proxies, so it soon ends. */
import { timingSafeEqual } from "node:crypto";
import { hmac } from "../secrets/hmac.ts";

const label = Buffer.from("sineta doctor v1 ");
const minuteMs = 60_000;
/** A server that runs takes a token of so many minutes before and after its own clock's. */
const minutes = 5;

/** @param secret the project's `receiptSecret` */
export function doctorToken(secret: Uint8Array, nowMs: number): string {
  return tokenOf(secret, Math.floor(nowMs / minuteMs)).toString("base64url");
}

export function isDoctorToken(token: string, secret: Uint8Array, nowMs: number): boolean {
  const given = Buffer.from(token, "base64url");
  const now = Math.floor(nowMs / minuteMs);
  for (let minute = now - minutes; minute <= now + minutes; minute += 1) {
    const expected = tokenOf(secret, minute);
    if (given.length === expected.length && timingSafeEqual(given, expected)) return true;
  }
  return false;
}

function tokenOf(secret: Uint8Array, minute: number): Buffer {
  return hmac(secret, [label, Buffer.from(String(minute))]);
}
