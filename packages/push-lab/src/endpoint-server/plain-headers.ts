import type { IncomingHttpHeaders } from "node:http";

/** Headers as text, without the pseudo headers of HTTP/2. */
export function plainHeaders(incoming: IncomingHttpHeaders): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(incoming)) {
    const value = incoming[name];
    if (value === undefined || name.startsWith(":")) continue;
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return headers;
}
