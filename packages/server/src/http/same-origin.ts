import { HttpProblem } from "./problem.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** A script's own request, and a page or file that somebody opens (Fetch Metadata, section 2.1). */
const destinations = new Set(["empty", "document"]);

/**
 * For what goes by a cookie: a browser sends it along whoever's page asks. So what changes something must come from a
 * page of the console itself, and whatever is asked for must be wanted by a script or opened by somebody. Browsers say so in Sec-Fetch-Site (Fetch Metadata, section 2.3), which no page can set,
 * and in Origin; a request that has neither is refused.
 * @param ownOrigins under which the console is reached
 * @throws HttpProblem `cross-site-refused`
 */
export function demandSameOrigin(
  { method, headers, url }: Pick<Request, "method" | "headers" | "url">,
  ownOrigins: ReadonlySet<string>,
): void {
  const site = headers.get("Sec-Fetch-Site");
  // "none": typed into the address bar.
  const siteFits = site === null || site === "same-origin" || (site === "none" && method === "GET");
  if (!siteFits) throw new HttpProblem("cross-site-refused");
  // A picture of the console's may have any address: no picture, frame or script is for whoever is logged in.
  const destination = headers.get("Sec-Fetch-Dest");
  if (destination !== null && !destinations.has(destination)) {
    throw new HttpProblem("cross-site-refused");
  }
  if (safeMethods.has(method)) return;
  const origin = headers.get("Origin");
  const originFits = origin === null ? site === "same-origin" : ownOrigins.has(origin);
  if (originFits) return;
  if (origin === null || !URL.canParse(origin) || new URL(origin).host !== new URL(url).host) {
    throw new HttpProblem("cross-site-refused");
  }
  // The console itself, opened at another address than Sineta's own: no other page can see this answer.
  const [own = ""] = ownOrigins;
  const sentence =
    `the console was opened at ${origin}, but Sineta takes ${own} for its own address: open it there, or set ` +
    "SINETA_PUBLIC_URL to the address that operators use";
  throw new HttpProblem("cross-site-refused", [{ path: "Origin", message: sentence }]);
}
