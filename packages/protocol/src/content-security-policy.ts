/** What a Content-Security-Policy lets a page or a worker do (CSP Level 3). */

/** One policy: sources by directive; the directives in lower case. */
export type Policy = ReadonlyMap<string, readonly string[]>;

/** The directives for each kind of request. The first that a policy has decides ("Get fetch directive fallback list"). */
const deciding = {
  worker: ["worker-src", "child-src", "script-src", "default-src"],
  connection: ["connect-src", "default-src"],
  image: ["img-src", "default-src"],
  script: ["script-src-elem", "script-src", "default-src"],
} as const;

/**
 * Reads the policies that are in force (CSP Level 3, section 2.2). Each of them has to allow a request.
 * @param headers each value of the header
 * @param metas the contents of the page's meta elements. Browsers ignore `sandbox` there (section 3.3).
 */
export function readPolicies(headers: readonly string[], metas: readonly string[] = []): Policy[] {
  const fromMetas = policiesIn(metas);
  for (const policy of fromMetas) policy.delete("sandbox");
  return [...policiesIn(headers), ...fromMetas].filter((policy) => policy.size > 0);
}

/** Several policies in one text are separated by commas, which no source holds. */
function policiesIn(texts: readonly string[]): Map<string, string[]>[] {
  return texts.flatMap((text) => text.split(",")).map(readPolicy);
}

function readPolicy(text: string): Map<string, string[]> {
  const policy = new Map<string, string[]>();
  for (const directive of text.split(";")) {
    const [name, ...sources] = directive.trim().split(/\s+/);
    if (name === undefined || name === "" || policy.has(name.toLowerCase())) continue;
    policy.set(name.toLowerCase(), sources);
  }
  return policy;
}

/** The directive of a policy that decides this; undefined if none does. */
export function decidingDirective(
  policy: Policy,
  what: keyof typeof deciding,
): { name: string; sources: readonly string[] } | undefined {
  for (const name of deciding[what]) {
    const sources = policy.get(name);
    if (sources !== undefined) return { name, sources };
  }
  return undefined;
}

/** The directive as a policy has it. */
export function directiveText(name: string, sources: readonly string[] = []): string {
  return [name, ...sources].join(" ");
}

/**
 * The directive that forbids this, as it is written; null if none does.
 * @param what a worker to install, a server to talk to, or an image to load
 */
export function obstacleOf(
  policies: readonly Policy[],
  what: "worker" | "connection" | "image",
  { url, page }: { url: URL; page: URL },
): string | null {
  for (const policy of policies) {
    const directive = decidingDirective(policy, what);
    if (!directive) continue;
    const { name, sources } = directive;
    // With 'strict-dynamic' a script that is allowed may install any worker.
    const isTrusted = what === "worker" && hasSource(sources, "'strict-dynamic'");
    if (!isTrusted && !sources.some((source) => allows(source, url, page))) {
      return directiveText(name, sources);
    }
  }
  return null;
}

/** The name of the client's policy of Trusted Types. */
export const trustedTypesPolicyName = "sineta";

/**
 * The directives of Trusted Types that forbid a script's address from the policy of that name, as they are written; null if
 * none does. `require-trusted-types-for` demands a policy, and each `trusted-types` has to allow its name.
 */
export function trustedTypesObstacle(policies: readonly Policy[], name: string): string | null {
  const demands = policies
    .map((policy) => policy.get("require-trusted-types-for"))
    .find((groups) => groups?.includes("'script'"));
  const names = policies
    .map((policy) => policy.get("trusted-types"))
    .find((allowed) => allowed && !allowed.includes(name) && !allowed.includes("*"));
  if (!(demands && names)) return null;
  return [
    directiveText("require-trusted-types-for", demands),
    directiveText("trusted-types", names),
  ].join("; ");
}

/** The directive `sandbox` without one of these flags, as it is written; null if there is none. */
export function sandboxObstacle(
  policies: readonly Policy[],
  needed: readonly string[],
): string | null {
  for (const policy of policies) {
    const flags = policy.get("sandbox");
    if (flags && !needed.every((flag) => hasSource(flags, flag))) {
      return directiveText("sandbox", flags);
    }
  }
  return null;
}

/** Whether a directive has this source, such as `'strict-dynamic'`. */
export function hasSource(sources: readonly string[], source: string): boolean {
  return sources.some((one) => one.toLowerCase() === source);
}

const hostSource = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[^/:*]+)(?::(\d+|\*))?(\/.*)?$/i;

/** Whether a source fits the address (CSP Level 3, section 6.7.2.5 and those behind it). Nonces and hashes fit none. */
export function allows(source: string, url: URL, page: URL): boolean {
  const lower = source.toLowerCase();
  if (lower === "'self'") return url.origin === page.origin;
  if (lower.startsWith("'")) return false;
  if (lower === "*") return true;
  if (/^[a-z][a-z0-9+.-]*:$/.test(lower)) return schemeFits(lower, url.protocol);
  const [, scheme, host = "", port, path] = hostSource.exec(source) ?? [];
  if (host === "") return false;
  if (!schemeFits(scheme === undefined ? page.protocol : `${scheme.toLowerCase()}:`, url.protocol))
    return false;
  return hostFits(host.toLowerCase(), url) && portFits(port, url) && pathFits(path, url);
}

/** What is written for http holds for https, too. */
function schemeFits(written: string, protocol: string): boolean {
  return written === protocol || (written === "http:" && protocol === "https:");
}

function hostFits(host: string, { hostname }: URL): boolean {
  if (host === "*") return true;
  return host.startsWith("*.") ? hostname.endsWith(host.slice(1)) : hostname === host;
}

/** The port of http also fits that of https (CSP Level 3, "port-part matching"). */
function portFits(port: string | undefined, { protocol, port: given }: URL): boolean {
  const actual = given || (protocol === "https:" ? "443" : "80");
  if (port === undefined) return given === "";
  return port === "*" || port === actual || (port === "80" && actual === "443");
}

function pathFits(path: string | undefined, { pathname }: URL): boolean {
  const written = decoded(path?.replace(/[?#].*/, "") ?? "/");
  if (written === "/") return true;
  const actual = decoded(pathname);
  return written.endsWith("/") ? actual.startsWith(written) : actual === written;
}

/** Browsers compare paths without percent-encoding (CSP Level 3, "path-part matching"). */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
