import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { sessionCookieName } from "./credentials.ts";

const deviceMaxAgeSeconds = 180 * 24 * 60 * 60;

/** HttpOnly: no script reads it. Strict: no other site's page or link sends it along (RFC 6265bis, section 5.6.7). */
const attributes = { path: "/", httpOnly: true, sameSite: "Strict" } as const;

/** @param secure whether the console is reached by https */
export function setSessionCookie(
  context: Context,
  { token, maxAgeSeconds }: { token: string; maxAgeSeconds: number },
  secure: boolean,
): void {
  // What sets a cookie is for no cache.
  context.header("Cache-Control", "no-store");
  setCookie(context, sessionCookieName(secure), token, {
    ...attributes,
    secure,
    maxAge: maxAgeSeconds,
  });
}

export function removeSessionCookie(context: Context, secure: boolean): void {
  deleteCookie(context, sessionCookieName(secure), { ...attributes, secure });
}

/** Marks the browser as one that has logged in (access/sessions/device-cookie.ts). It stays when the session ends. */
export function setDeviceCookie(context: Context, value: string, secure: boolean): void {
  setCookie(context, deviceCookieName(secure), value, {
    ...attributes,
    secure,
    maxAge: deviceMaxAgeSeconds,
  });
}

export function deviceCookie(context: Context, secure: boolean): string | undefined {
  return getCookie(context, deviceCookieName(secure));
}

function deviceCookieName(secure: boolean): string {
  return secure ? "__Host-sineta-device" : "sineta-device";
}
