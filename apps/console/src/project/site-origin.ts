import type { Installation } from "@sineta/protocol";

/** The first of the origins that is not Sineta's own. If there is none, the site's pages are where Sineta is. */
export function siteOrigin({
  origins,
  ownOrigins,
}: Pick<Installation, "origins" | "ownOrigins">): string | undefined {
  return origins.find((origin) => !ownOrigins.includes(origin)) ?? ownOrigins[0];
}
