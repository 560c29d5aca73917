import { createMiddleware } from "hono/factory";
import type { ProjectEnv } from "./origin.ts";

/** Nothing runs, styles or connects but what the server itself serves as a file; icons of notices may be any https image. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' https: data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** What no page of ours uses, nor anything that it might be made to embed. Passkeys are the console's own. */
const unusedFeatures =
  "accelerometer autoplay camera display-capture encrypted-media fullscreen gamepad geolocation gyroscope " +
  "hid idle-detection local-fonts magnetometer microphone midi payment picture-in-picture screen-wake-lock serial " +
  "storage-access usb xr-spatial-tracking";
const permissionsPolicy = [
  ...unusedFeatures.split(" ").map((feature) => `${feature}=()`),
  "publickey-credentials-create=(self)",
  "publickey-credentials-get=(self)",
].join(", ");

/**
 * Every answer carries these headers. An answer that only scripts read (`isForScripts`) carries `nosniff` alone, because the others restrict pages.
 * @param httpsOnly whether visitors reach the site by https at a name that is not a machine's own, and shall never do so
 *   otherwise (RFC 6797)
 */
export function securityHeaders(httpsOnly: boolean) {
  return createMiddleware<ProjectEnv>(async (context, next) => {
    await next();
    const { headers } = context.res;
    headers.set("X-Content-Type-Options", "nosniff");
    if (context.get("isForScripts")) return;
    // Some answers have a stricter one.
    if (!headers.has("Content-Security-Policy")) {
      headers.set("Content-Security-Policy", contentSecurityPolicy);
    }
    headers.set("Referrer-Policy", "strict-origin-when-cross-origin");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Permissions-Policy", permissionsPolicy);
    // For browsers that do not read the policy's frame-ancestors.
    headers.set("X-Frame-Options", "DENY");
    if (httpsOnly) headers.set("Strict-Transport-Security", "max-age=31536000");
  });
}
