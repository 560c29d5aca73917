import { createHash } from "node:crypto";
import {
  allows,
  decidingDirective,
  directiveText,
  hasSource,
  type Policy,
} from "@sineta/protocol/content-security-policy";
import { addressOf, type Look } from "./finding.ts";
import type { Script } from "./read-scripts.ts";

/**
 * The directive that blocks a script of the page, as it is written; null if none does (CSP Level 3, "Script directives
 * pre-request check" and "Does element match source list for type and source?"). A script that another one imports runs
 * only if the other does.
 */
export function scriptObstacle(
  policies: readonly Policy[],
  script: Script,
  look: Look,
): string | null {
  const hashes = hashesOf(script);
  for (const policy of policies) {
    const directive = decidingDirective(policy, "script");
    if (!directive) continue;
    const { name, sources } = directive;
    if (!isAllowed(script, hashes, readSources(sources), look)) return directiveText(name, sources);
  }
  return null;
}

type Sources = {
  all: readonly string[];
  nonces: ReadonlySet<string>;
  /** As `integrity` has them: `sha256-` and base64. */
  hashes: ReadonlySet<string>;
  isStrictDynamic: boolean;
};

const nonceSource = /^'nonce-([\w+/-]+={0,2})'$/i;
const hashSource = /^'(sha256|sha384|sha512)-([\w+/-]+={0,2})'$/i;

/** Browsers ignore a nonce or a hash that is malformed (CSP Level 3, section 2.3.1). */
function readSources(all: readonly string[]): Sources {
  const nonces = new Set<string>();
  const hashes = new Set<string>();
  for (const source of all) {
    const [, nonce] = nonceSource.exec(source) ?? [];
    if (nonce !== undefined) nonces.add(nonce);
    const [, algorithm, hash] = hashSource.exec(source) ?? [];
    if (algorithm !== undefined && hash !== undefined) hashes.add(hashText(algorithm, hash));
  }
  return { all, nonces, hashes, isStrictDynamic: hasSource(all, "'strict-dynamic'") };
}

function hashText(algorithm: string, hash: string): string {
  return `${algorithm.toLowerCase()}-${hash.replaceAll("-", "+").replaceAll("_", "/")}`;
}

function isAllowed(
  { tag, url, isImported }: Script,
  hashes: readonly string[],
  sources: Sources,
  look: Look,
): boolean {
  const { name, attributes } = tag;
  // What a script imports has the script's nonce, and no hash (HTML standard, "descendant script fetch options").
  if (sources.nonces.has(attributes.get("nonce") ?? "")) return true;
  if (isImported && !isAllowedImport(url, sources, look)) return false;
  const isSome = sources.nonces.size > 0 || sources.hashes.size > 0;
  const src = attributes.get(name === "script" ? "src" : "href");
  const address = addressOf(src, look.base);
  // A link does not tell by which tag the script runs. That one may have a nonce or a hash.
  if (name !== "script") return isSome || isAllowedImport(address, sources, look);
  if (src === undefined) {
    const isAnyAllowed =
      hasSource(sources.all, "'unsafe-inline'") && !isSome && !sources.isStrictDynamic;
    return isAnyAllowed || hashes.some((hash) => sources.hashes.has(hash));
  }
  if (hashes.length > 0 && hashes.every((hash) => sources.hashes.has(hash))) return true;
  // With 'strict-dynamic' no address counts. The page's own tag needs a nonce or a hash.
  return !sources.isStrictDynamic && isAllowedAddress(address, sources, look);
}

/** Whether the browser loads a script that another script imports. With 'strict-dynamic' it may. */
function isAllowedImport(url: URL | null, sources: Sources, look: Look): boolean {
  return sources.isStrictDynamic || isAllowedAddress(url, sources, look);
}

function isAllowedAddress(url: URL | null, { all }: Sources, { page }: Look): boolean {
  return url === null || all.some((source) => allows(source, url, page.url));
}

/** The hashes by which a policy may allow the tag's script: those of its text, or those in `integrity`. */
function hashesOf({ tag: { attributes, text } }: Script): string[] {
  if (attributes.has("src")) {
    // A hash may have options behind it, which nothing uses (Subresource Integrity, section 3.5).
    const tokens = (attributes.get("integrity") ?? "").split(/\s+/);
    return tokens.map((token) => token.replace(/\?.*/, "")).filter((hash) => /^sha\d/.test(hash));
  }
  // A page's lines end with a line feed once it is parsed (HTML standard, "Preprocessing the input stream").
  const parsed = text.replace(/\r\n?/g, "\n");
  return ["sha256", "sha384", "sha512"].map(
    (algorithm) => `${algorithm}-${createHash(algorithm).update(parsed).digest("base64")}`,
  );
}
