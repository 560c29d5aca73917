import { connect, type Socket } from "node:net";
import { readAnswer } from "./answer.ts";
import type { Prepared } from "./load.ts";

/** Without a byte of the answer that is waited for. */
const quietMs = 10_000;
/** Most answers come within one read. */
const readBytes = 16 * 1024;

/** One connection over HTTP/1.1 with one request at a time: with less around each than node:http has, which the load would share with the server. */
export type Connection = {
  /** Resolves when the answer has come whole. If the one before it, or a pause, has ended the connection, it is opened anew. */
  ask(request: Buffer): Promise<void>;
  /** Whoever waits for an answer gets an error. Repeatable. */
  close(): void;
};

/** What goes over the wire, made before the clock starts. */
export function requestBytes(url: string, { headers, body, path = "" }: Prepared): Buffer {
  const { host, pathname } = new URL(url);
  const fields = {
    Host: host,
    Connection: "keep-alive",
    ...headers,
    "Content-Length": Buffer.byteLength(body),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${pathname}${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}

/**
 * @param expected what all are answered with. `ask` rejects with another status and its body, if the connection ends
 * before the answer does, and if nothing comes
 */
export async function openConnection(url: string, expected: number): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const buffer = Buffer.allocUnsafeSlow(readBytes);
  /** The beginning of an answer that has not come whole. */
  let begun: Buffer | null = null;
  let waiting: PromiseWithResolvers<void> | null = null;
  let socket: Socket | null = null;
  let isClosed = false;

  function settle(error?: unknown): void {
    const { resolve, reject } = waiting ?? {};
    waiting = null;
    begun = null;
    if (error === undefined) resolve?.();
    else reject?.(error);
  }

  function read(chunk: Buffer): void {
    if (waiting === null) throw new Error(`nobody has asked for this: ${chunk.toString()}`);
    const bytes = begun === null ? chunk : Buffer.concat([begun, chunk]);
    const answer = readAnswer(bytes);
    if (answer === null) {
      // The next read overwrites what it is a part of.
      begun = Buffer.from(bytes);
      return;
    }
    const { status, body, isLast } = answer;
    if (isLast) leave();
    if (status === expected) settle();
    else settle(new Error(`${status}, not ${expected}: ${body.toString()}`));
  }

  function leave(): void {
    socket?.destroy();
    socket = null;
  }

  async function open(): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    let failure: Error | undefined;
    const opening = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      // One buffer for all reads, in place of a new one for each.
      onread: {
        buffer,
        callback(count) {
          try {
            read(buffer.subarray(0, count));
          } catch (error) {
            if (waiting === null) throw error;
            settle(error);
            leave();
          }
          return true;
        },
      },
    });
    opening.once("connect", () => resolve(opening));
    opening.setTimeout(quietMs, () => {
      if (waiting !== null || opening.connecting) {
        opening.destroy(new Error(`nothing came for ${quietMs} ms`));
      }
    });
    opening.on("error", (error) => {
      failure = error;
    });
    opening.once("close", () => {
      const error = failure ?? new Error("the connection ended before the answer did");
      reject(error);
      // Another may have been opened since.
      if (socket !== opening) return;
      socket = null;
      settle(error);
    });
    return promise;
  }

  socket = await open();
  return {
    async ask(request) {
      if (!isClosed) socket ??= await open();
      // It may have been closed while it was opened anew.
      if (isClosed) leave();
      if (socket === null) throw new Error("the connection is closed");
      waiting = Promise.withResolvers();
      socket.write(request);
      return waiting.promise;
    },
    close() {
      isClosed = true;
      leave();
      settle(new Error("the connection was closed"));
    },
  };
}
