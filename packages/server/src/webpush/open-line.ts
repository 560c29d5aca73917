import { connect, type ConnectOptions } from "./connect.ts";
import type { PushTarget } from "./endpoint.ts";
import { http1Line } from "./http1-line.ts";
import { openHttp2Line } from "./http2-line.ts";
import { broken, type Broken, type Line } from "./line.ts";

export type OpenLineOptions = ConnectOptions & {
  /** For name, TCP, TLS and, in HTTP/2, the peer's SETTINGS. */
  readonly connectMs: number;
  /** How long a line that is over, or whose peer has failed, may wait for what the peer still has to do. */
  readonly lingerMs: number;
  /** The line's `onChange`. */
  readonly onChange: () => void;
};

export type Opened = { readonly kind: "open"; readonly line: Line } | Broken;

/** A line that is being opened. */
export type Opening = {
  /** Within `connectMs`; never rejects. */
  readonly done: Promise<Opened>;
  /** Ends the attempt now. */
  readonly abort: () => void;
};

/** Opens a line to a push service: HTTP/2 where it agrees to that by ALPN, else HTTP/1.1. */
export function openLine(target: PushTarget, options: OpenLineOptions): Opening {
  const attempt = new AbortController();
  const abort = (): void => {
    attempt.abort();
  };
  const timer = setTimeout(abort, options.connectMs);
  const done = tryToOpen(target, options, attempt.signal)
    // What cannot even be tried: a route to a port that does not exist, a CA certificate that is none.
    .catch((error: unknown) => broken("connect-failed", String(error)))
    .finally(() => {
      clearTimeout(timer);
    });
  return { done, abort };
}

async function tryToOpen(
  target: PushTarget,
  { connectMs, lingerMs, onChange, ...connectOptions }: OpenLineOptions,
  signal: AbortSignal,
): Promise<Opened> {
  const connected = await connect(target, connectOptions, signal);
  if (connected.kind === "broken") return connected;
  const { socket, protocol } = connected;
  const authority = target.origin.slice("https://".length);
  if (protocol === "http/1.1") {
    return { kind: "open", line: http1Line(socket, authority, onChange) };
  }
  return openHttp2Line(socket, { authority, onChange, pingMs: connectMs, lingerMs }, signal);
}
