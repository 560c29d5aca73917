import { createServer, type TLSSocket } from "node:tls";
import type { TestCertificates } from "./certificates.ts";
import { listen, type Listening } from "./push-service.ts";

/** RFC 9113, section 6. */
const types = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

const flags = { none: 0, ack: 1, endStream: 1, endHeaders: 4 } as const;
const maxConcurrentStreams = 3;
const preambleBytes = 24;

/** One connection, seen from the push service: it counts streams by the frames themselves. */
export type RawPeer = {
  readonly socket: TLSSocket;
  /** Ids of the requests that arrived whole, in their order. */
  readonly requests: readonly number[];
  /** Ids of the streams that the client reset, with the error code. */
  readonly resets: ReadonlyMap<number, number>;
  /** Most streams that were open at once since the start or since `forgetPeak`. */
  readonly peak: () => number;
  readonly forgetPeak: () => void;
  /** Streams that were opened though the limit, acknowledged before, was reached. */
  readonly excess: () => number;
  /** Allows so many streams from now on; resolves when the client has acknowledged it. */
  readonly allow: (streams: number) => Promise<void>;
  readonly answer: (stream: number, status: number) => void;
  readonly reset: (stream: number, code: number) => void;
  readonly goAway: (lastStream: number, code: number) => void;
  readonly write: (...frames: readonly Uint8Array[]) => boolean;
};

export type RawPushService = Listening & {
  /** In the order of their arrival. */
  readonly peers: readonly RawPeer[];
};

/**
 * A push service on loopback that speaks HTTP/2 frame by frame: for what node:http2 does not let a server do, and for
 * counting that does not depend on it.
 * @param allowed streams at once; null says nothing about it
 * @param greets false sends no SETTINGS
 */
export async function startRawPushService({
  certificates,
  allowed = null,
  greets = true,
  onConnection,
  onRequest,
}: {
  certificates: TestCertificates;
  allowed?: number | null;
  greets?: boolean;
  onConnection?: (peer: RawPeer, index: number) => void;
  /** Called when a request has arrived whole. */
  onRequest?: (peer: RawPeer, stream: number, index: number) => void;
}): Promise<RawPushService> {
  const peers: RawPeer[] = [];
  const options = { ...certificates, ALPNProtocols: ["h2"] };
  const server = createServer(options, (socket) => {
    const index = peers.length;
    const peer = rawPeer(socket, greets, (stream) => {
      onRequest?.(peer, stream, index);
    });
    peers.push(peer);
    // A window for everything that this connection will ever carry.
    if (greets) {
      peer.write(settingsFrame(allowed), frame(types.windowUpdate, 0, 0, uint32(2 ** 30)));
    }
    onConnection?.(peer, index);
  });
  return { ...(await listen(server)), peers };
}

function rawPeer(socket: TLSSocket, greets: boolean, onRequest: (stream: number) => void): RawPeer {
  const requests: number[] = [];
  const resets = new Map<number, number>();
  const open = new Set<number>();
  const awaitedAcks: (() => void)[] = [];
  let limit = Number.POSITIVE_INFINITY;
  let peak = 0;
  let excess = 0;

  function got(type: number, flag: number, stream: number, payload: Buffer): void {
    if (type === types.headers) {
      if (open.size >= limit) excess += 1;
      open.add(stream);
      peak = Math.max(peak, open.size);
    }
    if (type === types.reset) {
      open.delete(stream);
      resets.set(stream, payload.readUInt32BE());
    }
    if (type === types.settings) {
      if ((flag & flags.ack) !== 0) awaitedAcks.shift()?.();
      // A peer's first frame has to be its own SETTINGS.
      else if (greets) write(frame(types.settings, flags.ack, 0));
    }
    if ((type === types.headers || type === types.data) && (flag & flags.endStream) !== 0) {
      requests.push(stream);
      onRequest(stream);
    }
  }

  function write(...frames: readonly Uint8Array[]): boolean {
    return !socket.destroyed && socket.write(Buffer.concat(frames));
  }

  socket.on("error", () => undefined);
  let unread = Buffer.alloc(0);
  let skip = preambleBytes;
  socket.on("data", (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    const skipped = Math.min(skip, unread.length);
    skip -= skipped;
    unread = unread.subarray(skipped);
    while (unread.length >= 9 && unread.length >= 9 + unread.readUIntBE(0, 3)) {
      const end = 9 + unread.readUIntBE(0, 3);
      const [head, payload] = [unread.subarray(0, 9), unread.subarray(9, end)];
      unread = unread.subarray(end);
      got(head.readUInt8(3), head.readUInt8(4), head.readUInt32BE(5), payload);
    }
  });

  // The first acknowledgement is for the greeting.
  awaitedAcks.push(() => undefined);
  return {
    socket,
    requests,
    resets,
    peak: () => peak,
    forgetPeak: () => {
      peak = open.size;
    },
    excess: () => excess,
    allow: (streams) =>
      new Promise((resolve) => {
        awaitedAcks.push(() => {
          limit = streams;
          resolve();
        });
        write(settingsFrame(streams));
      }),
    answer: (stream, status) => {
      open.delete(stream);
      write(headersFrame(stream, [[":status", String(status)]], { endStream: true }));
    },
    reset: (stream, code) => {
      open.delete(stream);
      write(frame(types.reset, 0, stream, uint32(code)));
    },
    goAway: (lastStream, code) => {
      write(frame(types.goAway, 0, 0, uint32(lastStream), uint32(code)));
    },
    write,
  };
}

export function settingsFrame(streams: number | null): Buffer {
  if (streams === null) return frame(types.settings, 0, 0);
  return frame(types.settings, 0, 0, Buffer.from([0, maxConcurrentStreams]), uint32(streams));
}

/** The head of an answer, or its trailers; with `endHeaders` false, CONTINUATION frames have to follow. */
export function headersFrame(
  stream: number,
  fields: readonly (readonly [name: string, value: string])[],
  { endStream = false, endHeaders = true } = {},
): Buffer {
  const flag =
    (endStream ? flags.endStream : flags.none) | (endHeaders ? flags.endHeaders : flags.none);
  return frame(types.headers, flag, stream, ...fields.map(literal));
}

export function continuationFrame(
  stream: number,
  fields: readonly (readonly [name: string, value: string])[],
): Buffer {
  return frame(types.continuation, 0, stream, ...fields.map(literal));
}

export function dataFrame(stream: number, body: Uint8Array): Buffer {
  return frame(types.data, 0, stream, body);
}

export function pingFrame(): Buffer {
  return frame(types.ping, 0, 0, Buffer.alloc(8));
}

export function frame(
  type: number,
  flag: number,
  stream: number,
  ...parts: readonly Uint8Array[]
): Buffer {
  const payload = Buffer.concat(parts);
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flag, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A field as RFC 7541 lets it be written without tables (section 6.2.2). */
function literal([name, value]: readonly [string, string]): Buffer {
  return Buffer.concat([Buffer.from([0]), string(name), string(value)]);
}

/** RFC 7541, sections 5.1 and 5.2, without Huffman coding. */
function string(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length: number[] = [];
  if (bytes.length < 127) length.push(bytes.length);
  else {
    length.push(127);
    let rest = bytes.length - 127;
    for (; rest >= 128; rest = Math.floor(rest / 128)) length.push((rest % 128) + 128);
    length.push(rest);
  }
  return Buffer.concat([Buffer.from(length), bytes]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
