/** Requests that no client sends: right ones with something wrong about them, and plain rubbish. */
import * as fc from "fast-check";

/** Stands in headers, paths and values of bodies, to be looked for in answers. No name that an answer may repeat. */
export const canary = "<qzCanary7qz>";

/** What a right request to a route looks like. */
export type Sample = {
  method: string;
  /** Segments, already encoded. */
  path: readonly string[];
  headers: Readonly<Record<string, string>>;
  /** A string as it is, anything else as JSON. Undefined: none is sent. */
  body: unknown;
};

export type FuzzedRequest = {
  method: string;
  path: string;
  headers: [name: string, value: string][];
  body: Uint8Array<ArrayBuffer> | null;
};

const methods = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "OPTIONS",
  "PROPFIND",
  "get",
  "X",
];

const oddText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    canary,
    "",
    " ",
    "0",
    "-1",
    "null",
    "true",
    "\u0000",
    "\ud800",
    "../../etc/passwd",
    "' or 1=1 --",
    "<script>alert(1)</script>",
    "{{7*7}}",
    "${jndi:ldap://x}",
    "__proto__",
    "constructor",
    "toString",
    "%00",
    "\r\nSet-Cookie: a=b",
    "9".repeat(400),
    "a".repeat(20_000),
    "🔔".repeat(3000),
  ),
);

const oddSegment = fc.oneof(
  oddText.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 8000)),
  fc.constantFrom(
    "..",
    ".",
    "%2e%2e",
    "%2f",
    "%5c",
    "%",
    "%zz",
    "%00",
    "%ff%fe",
    "%E0%A4%A",
    "%u0041",
    ";a=b",
    "*",
    ":token",
    "{token}",
    "",
  ),
);

const query = fc.oneof(
  { weight: 4, arbitrary: fc.constant("") },
  oddText.map((text) => `?${encodeURIComponent(text.toWellFormed()).slice(0, 4000)}`),
  fc.constantFrom("?a=b&a=c", "?__proto__[x]=1", "?limit=-1", "?%", "#a"),
);

/** Latin-1 without what ends a header: all that a header can hold. */
const headerValue = fc.oneof(
  fc.constant(canary),
  fc
    .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff })), {
      maxLength: 60,
    })
    .map((codes) => String.fromCharCode(...codes).trim()),
  fc.constantFrom(
    "",
    "null",
    "*",
    "https://site.example, https://evil.example",
    "HTTPS://SITE.EXAMPLE",
    "https://site.example:443",
    "https://user@site.example",
    "application/json; charset=utf-16",
    "multipart/form-data; boundary=a",
    "text/plain",
    "-1",
    "1e9",
    "chunked",
    "Bearer x",
    "a=b; sineta-session=x; __Host-sineta-session=x",
    "x".repeat(8000),
  ),
);

const headerName = fc.constantFrom(
  "Origin",
  "Content-Type",
  "Content-Length",
  "Content-Encoding",
  "Sineta-Client-Secret",
  "Authorization",
  "Cookie",
  "X-Forwarded-For",
  "X-HTTP-Method-Override",
  "Sec-Fetch-Site",
  "Access-Control-Request-Method",
  "Access-Control-Request-Headers",
  "Idempotency-Key",
  "If-None-Match",
  "Range",
  "Expect",
  "Accept",
  "User-Agent",
  "Host",
);

/** Keys are not the canary: which fields are wrong is told by their names. */
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.bigInt().map(Number),
);

/** The value with one place in it replaced, removed or added to; `pick` numbers choose the place. */
function mutated(value: unknown, [pick = 0, ...picks]: readonly number[], odd: unknown): unknown {
  if (Array.isArray(value)) return mutatedList(value, [pick, ...picks], odd);
  if (typeof value !== "object" || value === null) return odd;
  const entries = Object.entries(value);
  const at = pick % (entries.length + 2);
  const chosen = entries[at];
  if (chosen === undefined) {
    return at === entries.length ? { ...value, unknown: odd } : odd;
  }
  const [name, inner] = chosen;
  const rest = Object.fromEntries(entries.filter(([key]) => key !== name));
  return picks.length === 0 ? rest : { ...rest, [name]: mutated(inner, picks, odd) };
}

function mutatedList(list: readonly unknown[], [pick = 0, ...picks]: number[], odd: unknown) {
  const at = pick % (list.length + 1);
  return at === list.length ? [...list, odd] : list.with(at, mutated(list[at], picks, odd));
}

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

function bodyOf(sample: unknown): fc.Arbitrary<Uint8Array<ArrayBuffer> | null> {
  const text = (value: unknown) =>
    new TextEncoder().encode(
      typeof sample === "string" && typeof value === "string"
        ? value
        : (JSON.stringify(value) ?? ""),
    );
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(sample === undefined ? null : text(sample)) },
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }), oddValue)
        .map(([picks, odd]) => text(mutated(sample ?? {}, picks, odd))),
    },
    { weight: 2, arbitrary: fc.json().map((json) => new TextEncoder().encode(json)) },
    {
      weight: 2,
      arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
    },
    fc
      .constantFrom(
        "",
        "null",
        "{",
        '"',
        "[]",
        "{}",
        '{"__proto__":{"x":1}}',
        nested(7000),
        "1e999",
        `"${"x".repeat(200_000)}"`,
      )
      .map((raw) => new TextEncoder().encode(raw)),
  );
}

type Header = [name: string, value: string];

function replaced(base: Header[], by: readonly Header[]): Header[] {
  return base.filter(([name]) => by.every(([other]) => other !== name)).concat(by);
}

/** A right request, most of the time, in all but one or two things. */
export function fuzzed(sample: Sample): fc.Arbitrary<FuzzedRequest> {
  const method = fc.oneof(
    { weight: 8, arbitrary: fc.constant(sample.method) },
    { weight: 1, arbitrary: fc.constantFrom(...methods) },
  );
  const path = fc.oneof(
    { weight: 6, arbitrary: fc.constant(sample.path) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.nat(sample.path.length), oddSegment)
        .map(([at, odd]) => sample.path.toSpliced(at, 1, odd)),
    },
  );
  const base = Object.entries(sample.headers);
  const odd = fc.tuple(headerName, headerValue);
  const headers = fc.oneof(
    { weight: 5, arbitrary: fc.constant(base) },
    { weight: 2, arbitrary: fc.array(odd, { maxLength: 4 }).map((more) => replaced(base, more)) },
    { weight: 1, arbitrary: fc.nat(base.length).map((at) => base.toSpliced(at, 1)) },
    // Twice the same header.
    { weight: 1, arbitrary: odd.map((one) => base.concat([one])) },
  );
  return fc
    .record({ method, path, query, headers, body: bodyOf(sample.body), tellsLength: fc.boolean() })
    .map(({ tellsLength, ...request }) => ({
      method: request.method,
      path: `/${request.path.join("/")}${request.query}`,
      headers:
        tellsLength && request.body !== null
          ? [...request.headers, ["Content-Length", String(request.body.length)]]
          : request.headers,
      body: /^(get|head)$/i.test(request.method) ? null : request.body,
    }));
}
