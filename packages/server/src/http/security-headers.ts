import { createMiddleware } from "hono/factory";

/** Nothing runs, styles or connects but what the server itself serves as a file; icons of notices may be any https image. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** On every answer. @param httpsOnly whether visitors reach the site by https and shall never do so otherwise */
export function securityHeaders(httpsOnly: boolean) {
  return createMiddleware(async (context, next) => {
    await next();
    const { headers } = context.res;
    headers.set("Content-Security-Policy", contentSecurityPolicy);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "strict-origin-when-cross-origin");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    if (httpsOnly) headers.set("Strict-Transport-Security", "max-age=31536000");
  });
}
