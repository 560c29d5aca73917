import { PushLabError } from "../errors.ts";

/**
 * Origins as a browser writes them, each once.
 *
 * @throws PushLabError `invalid-origin`
 */
export function checkedOrigins(given: readonly string[]): readonly string[] {
  if (given.length === 0)
    throw new PushLabError("invalid-origin", "A sink needs at least one origin to play.");
  return [...new Set(given.map(checkedOrigin))];
}

function checkedOrigin(given: string): string {
  const url = URL.parse(given);
  if (
    url?.protocol === "https:" &&
    (given === url.origin || (given === url.href && url.pathname === "/" && !given.includes("@")))
  )
    return url.origin;
  throw new PushLabError(
    "invalid-origin",
    `"${given}" is no origin of a push service: give https and the host alone, such as https://fcm.googleapis.com.`,
  );
}
