/** One policy: sources by directive, both in lower case but for paths. */
type Policy = ReadonlyMap<string, readonly string[]>;

/** What a page needs to be allowed, with the directives that decide it: the first of them that is there. */
const deciding = {
  worker: ["worker-src", "child-src", "script-src", "default-src"],
  connection: ["connect-src", "default-src"],
} as const;

/**
 * Reads the policies that are in force (CSP Level 3, section 2.2): each has to allow what is done.
 * @param texts of the header and of the page's meta elements
 */
export function readPolicies(texts: readonly string[]): Policy[] {
  // Several policies in one header are separated by commas, which no source holds.
  const policies = texts.flatMap((text) => text.split(",")).map(readPolicy);
  return policies.filter((policy) => policy.size > 0);
}

function readPolicy(text: string): Policy {
  const policy = new Map<string, string[]>();
  for (const directive of text.split(";")) {
    const [name, ...sources] = directive.trim().split(/\s+/);
    if (name === undefined || name === "" || policy.has(name.toLowerCase())) continue;
    policy.set(name.toLowerCase(), sources);
  }
  return policy;
}

/**
 * The directive that keeps the page from this, as it is written; null if none does.
 * @param what a worker to install, or a server to talk to
 */
export function obstacleOf(
  policies: readonly Policy[],
  what: keyof typeof deciding,
  { url, page }: { url: URL; page: URL },
): string | null {
  for (const policy of policies) {
    const name = deciding[what].find((directive) => policy.has(directive));
    const sources = name === undefined ? undefined : policy.get(name);
    if (name === undefined || sources === undefined) continue;
    if (!sources.some((source) => allows(source, url, page))) {
      return [name, ...sources].join(" ");
    }
  }
  return null;
}

const hostSource = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[^/:*]+)(?::(\d+|\*))?(\/.*)?$/i;

/** CSP Level 3, section 6.7.2.5 and those behind it. Nonces and hashes concern what is written into the page. */
function allows(source: string, url: URL, page: URL): boolean {
  const lower = source.toLowerCase();
  if (lower === "'self'") return url.origin === page.origin;
  // Only a script that is allowed already can ask for a worker.
  if (lower === "'strict-dynamic'") return true;
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

function portFits(port: string | undefined, url: URL): boolean {
  const usual = url.protocol === "https:" ? "443" : "80";
  const actual = url.port === "" ? usual : url.port;
  if (port === "*") return true;
  return port === undefined ? url.port === "" : port === actual;
}

function pathFits(path: string | undefined, { pathname }: URL): boolean {
  if (path === undefined || path === "/") return true;
  return path.endsWith("/") ? pathname.startsWith(path) : pathname === path;
}
