import type { Duplex } from "node:stream";
import { flags, frameHeadBytes, frameTypes, largestPayload, writeFrameHead } from "./frames.ts";
import { blockBytes, createHeaderEncoder } from "./header-encoder.ts";
import { ownSettings } from "./settings.ts";

/** Writes frames, many at a time: those of one turn of the event loop, or as many as fit, become one write. */
export type FrameWriter = {
  readonly preface: () => void;
  /**
   * @throws TypeError for a character that no field may have
   * @throws RangeError for a head that does not fit into one frame
   */
  readonly request: (stream: number, head: RequestHead) => void;
  /** @param data at most `largestPayload` bytes */
  readonly data: (stream: number, data: Uint8Array, endsStream: boolean) => void;
  readonly reset: (stream: number, code: number) => void;
  readonly settingsAck: () => void;
  readonly ping: (payload: Uint8Array, kind: { isAnswer: boolean }) => void;
  readonly windowUpdate: (bytes: number) => void;
  readonly goAway: (code: number) => void;
  /** The peer's SETTINGS_HEADER_TABLE_SIZE. */
  readonly resizeTable: (bytes: number) => void;
  /** Hands what there is to the socket now. */
  readonly flush: () => void;
};

export type RequestHead = {
  readonly authority: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly endsStream: boolean;
};

/** RFC 9113, section 3.4. */
const clientPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/** One of the largest frames, or some thirty pushes; a TLS record holds as much. */
const bufferBytes = frameHeadBytes + largestPayload;

export function createFrameWriter(socket: Duplex): FrameWriter {
  const encoder = createHeaderEncoder();
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  let used = 0;
  let isDue = false;

  function flush(): void {
    if (used > 0 && !socket.destroyed && socket.writable) {
      // A copy: when the socket is done with it is not known.
      socket.write(Buffer.from(buffer.subarray(0, used)));
    }
    used = 0;
  }

  function flushWhenDue(): void {
    isDue = false;
    flush();
  }

  /** Sees to it that there is room for so many bytes, and that what is put there goes out. */
  function makeRoom(bytes: number): void {
    if (used + bytes > bufferBytes) flush();
    if (isDue) return;
    isDue = true;
    setImmediate(flushWhenDue);
  }

  function frame(type: number, flag: number, stream: number, payload: Uint8Array): void {
    const { length } = payload;
    makeRoom(frameHeadBytes + length);
    const start = writeFrameHead(buffer, used, { type, flag, stream, length });
    buffer.set(payload, start);
    used = start + length;
  }

  return {
    preface() {
      makeRoom(clientPreface.length);
      used += buffer.write(clientPreface, used, "latin1");
      frame(frameTypes.settings, 0, 0, ownSettings());
    },
    request(stream, { authority, path, headers, endsStream }) {
      const fields = [
        ":method",
        "POST",
        ":scheme",
        "https",
        ":authority",
        authority,
        ":path",
        path,
      ];
      for (const name in headers) fields.push(name, headers[name] ?? "");
      const mostBytes = blockBytes(fields);
      if (mostBytes > largestPayload) throw new RangeError(`a head of up to ${mostBytes} bytes`);
      makeRoom(frameHeadBytes + mostBytes);
      const start = used + frameHeadBytes;
      const end = encoder.encode(fields, buffer, start);
      const flag = flags.endHeaders | (endsStream ? flags.endStream : 0);
      const length = end - start;
      writeFrameHead(buffer, used, { type: frameTypes.headers, flag, stream, length });
      used = end;
    },
    data(stream, data, endsStream) {
      frame(frameTypes.data, endsStream ? flags.endStream : 0, stream, data);
    },
    reset: (stream, code) => frame(frameTypes.reset, 0, stream, uint32(code)),
    settingsAck: () => frame(frameTypes.settings, flags.ack, 0, nothing),
    ping(payload, { isAnswer }) {
      frame(frameTypes.ping, isAnswer ? flags.ack : 0, 0, payload);
    },
    windowUpdate: (bytes) => frame(frameTypes.windowUpdate, 0, 0, uint32(bytes)),
    goAway: (code) => frame(frameTypes.goAway, 0, 0, Buffer.concat([uint32(0), uint32(code)])),
    resizeTable: encoder.resize,
    flush,
  };
}

const nothing = new Uint8Array(0);

function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
