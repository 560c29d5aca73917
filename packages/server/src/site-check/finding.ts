import { limits, type Finding, type FindingCode, type FindingReason } from "@sineta/protocol";
import type { Fetched, NoResource, Resource } from "./fetch-resource.ts";
import type { Tag } from "./read-tags.ts";

/** What finds things: a look at one page. */
export type Look = {
  page: Resource;
  tags: readonly Tag[];
  /** Addresses in the page are relative to it. */
  base: URL;
  fetch: (url: URL, maximumBytes: number) => Promise<Fetched>;
};

const seenCharacters = 200;

export function finding(
  code: FindingCode,
  state: Finding["state"],
  reason: FindingReason,
  seen?: string | null,
): Finding {
  return { code, state, reason, seen: seen?.slice(0, seenCharacters) ?? null };
}

/**
 * What is there instead of what was to be there. At an address that is not public the server does not look. Browsers on the
 * inside may find everything there.
 */
export function absence(
  code: FindingCode,
  state: Finding["state"],
  { reason, seen }: NoResource,
): Finding {
  return finding(code, reason === "address-not-allowed" ? "unknown" : state, reason, seen);
}

export function contentTypeOf({ headers }: Resource): string {
  return (headers["content-type"]?.split(";")[0] ?? "").trim().toLowerCase();
}

/**
 * Where a text of the page leads; null if that is nowhere, or if it is longer than any address that Sineta takes: each
 * address that stands in a page holds its base once more.
 */
export function addressOf(text: string | undefined, base?: URL): URL | null {
  return text === undefined || text.length > limits.linkCharacters ? null : URL.parse(text, base);
}
