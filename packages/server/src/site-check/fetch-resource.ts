import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import type { FindingReason } from "@sineta/protocol";
import { bareHost } from "../bare-host.ts";
import { addressNotAllowed, guardLookup, isPublicAddress } from "../webpush/address.ts";
import type { ConnectOptions } from "../webpush/connect.ts";

/** What came with status 200. */
export type Resource = {
  readonly kind: "answer";
  /** Behind redirects. */
  readonly url: URL;
  readonly wasRedirected: boolean;
  readonly headers: IncomingHttpHeaders;
  /** As UTF-8; of what is larger than allowed, the beginning. */
  readonly text: string;
  readonly isWhole: boolean;
};
/** Why there is no answer, and what was seen of it. */
export type NoResource = {
  readonly kind: "none";
  readonly reason: FindingReason;
  readonly seen: string | null;
};
export type Fetched = Resource | NoResource;

export type FetchOptions = {
  readonly maximumBytes: number;
  /** Ends everything that is under way; what has no answer by then has timed out. */
  readonly signal: AbortSignal;
};

export type FetchResource = (url: URL, options: FetchOptions) => Promise<Fetched>;

export type FetchParts = ConnectOptions & {
  /** The server's own: they may be at any address, since whoever runs the server has said so. */
  readonly ownOrigins: ReadonlySet<string>;
  /** For one resource, with its redirects. */
  readonly deadlineMs: number;
};

const mostRedirects = 3;
const mostHeaderBytes = 16 * 1024;

/**
 * Fetches what a page consists of, as a stranger would: without cookies, within bounds of time and bytes, following
 * redirects within the origin alone, and at addresses that delivery would connect to (webpush/address.ts). The address is
 * judged inside the socket's own lookup, so that a name cannot be somewhere else a moment later. Never rejects.
 */
export function createFetchResource(parts: FetchParts): FetchResource {
  const { ownOrigins, deadlineMs, ca, lookup, isAllowedAddress = isPublicAddress } = parts;

  function ask(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const isOwn = ownOrigins.has(url.origin);
    const host = bareHost(url);
    // A socket asks no lookup for what is an address already.
    if (!isOwn && isIP(host) !== 0 && !isAllowedAddress(host)) {
      return Promise.reject(Object.assign(new Error(host), { code: addressNotAllowed }));
    }
    const anywhere = lookup === undefined ? {} : { lookup };
    const request = url.protocol === "https:" ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      request(url, {
        agent: false,
        signal,
        maxHeaderSize: mostHeaderBytes,
        headers: { "User-Agent": "Sineta site check", "Accept-Encoding": "identity" },
        ...(ca === undefined ? {} : { ca: typeof ca === "string" ? ca : [...ca] }),
        ...(isOwn ? anywhere : { lookup: guardLookup(lookup, isAllowedAddress) }),
      })
        .once("response", resolve)
        // After an answer 101, Node emits this event alone (Node's documentation, event "upgrade").
        .once("close", () => reject(new Error("closed")))
        // Stays: whatever comes behind the first is told to nobody.
        .on("error", reject)
        .end();
    });
  }

  async function follow(start: URL, { maximumBytes, signal }: FetchOptions): Promise<Fetched> {
    let url = start;
    for (let redirects = 0; ; redirects += 1) {
      const response = await ask(url, signal);
      const status = response.statusCode ?? 0;
      const next = redirectOf(status, response.headers, url);
      if (next === null && status === 200 && isPlain(response.headers)) {
        return {
          ...(await read(response, { maximumBytes, signal })),
          url,
          wasRedirected: redirects > 0,
        };
      }
      response.destroy();
      if (next === null) {
        return status === 200
          ? { kind: "none", reason: "encoded", seen: String(response.headers["content-encoding"]) }
          : { kind: "none", reason: "status", seen: String(status) };
      }
      if (next.origin !== start.origin) {
        return { kind: "none", reason: "redirected-elsewhere", seen: next.origin };
      }
      if (redirects === mostRedirects) {
        return { kind: "none", reason: "too-many-redirects", seen: next.pathname };
      }
      url = next;
    }
  }

  return async (url, options) => {
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(deadlineMs)]);
    try {
      return await follow(url, { ...options, signal });
    } catch (error) {
      if (signal.aborted) return { kind: "none", reason: "timed-out", seen: null };
      return reasonOf(error);
    }
  };
}

/** Where the answer leads; null if it leads nowhere. */
function redirectOf(status: number, { location }: IncomingHttpHeaders, url: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return null;
  const next = URL.parse(location, url);
  if (next === null || !/^https?:$/.test(next.protocol)) return null;
  next.username = "";
  next.password = "";
  return next;
}

function isPlain({ "content-encoding": encoding = "identity" }: IncomingHttpHeaders): boolean {
  return encoding === "identity";
}

async function read(
  response: IncomingMessage,
  { maximumBytes, signal }: FetchOptions,
): Promise<Omit<Resource, "url" | "wasRedirected">> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isWhole = true;
  for await (const chunk of response) {
    // Nothing sets an encoding, so they are buffers.
    if (!Buffer.isBuffer(chunk)) continue;
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maximumBytes) {
      isWhole = false;
      break; // which ends the connection
    }
  }
  // A body without a length ends where the connection does, also where this side has ended it.
  signal.throwIfAborted();
  const text = Buffer.concat(chunks).subarray(0, maximumBytes).toString("utf8");
  return { kind: "answer", headers: response.headers, text, isWhole };
}

/** What certificates lack, as Node names it (its documentation, "X509 certificate error codes"), and OpenSSL's own. */
const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO_|^ERR_(TLS|SSL)/;

function reasonOf(error: unknown): NoResource {
  const code = codeOf(error);
  if (code === addressNotAllowed) {
    return { kind: "none", reason: "address-not-allowed", seen: null };
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "ENODATA") {
    return { kind: "none", reason: "name-not-resolved", seen: code };
  }
  if (certificateCode.test(code))
    return { kind: "none", reason: "certificate-invalid", seen: code };
  return { kind: "none", reason: "connection-failed", seen: code === "" ? null : code };
}

/** Where several addresses were tried, the error holds one error each. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
