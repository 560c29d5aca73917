import { ConnectionError, errorCodes, flags, withoutPadding } from "./frames.ts";
import { mostBlockBytes } from "./header-decoder.ts";

/** Puts header blocks together, which may come in several frames (RFC 9113, section 4.3). */
export type HeaderBlocks = {
  /** Whether one has begun: only a CONTINUATION of its stream may come then. */
  readonly isPending: () => boolean;
  /** Takes a HEADERS frame. @throws ConnectionError */
  readonly begin: (flag: number, stream: number, payload: Buffer) => void;
  /** Takes a CONTINUATION frame. @throws ConnectionError */
  readonly goOn: (flag: number, stream: number, payload: Buffer) => void;
};

/** Frames of one block. An empty one costs the peer nothing and never fills a block up. */
const mostFrames = 8;
/** Of a HEADERS frame's priority, which nobody goes by any more (RFC 9113, section 6.2). */
const priorityBytes = 5;

type Pending = { stream: number; endsStream: boolean; parts: Buffer[]; bytes: number };

/** @param onBlock hears of each whole block */
export function collectBlocks(
  onBlock: (stream: number, block: Buffer, endsStream: boolean) => void,
): HeaderBlocks {
  let pending: Pending | null = null;

  return {
    isPending: () => pending !== null,
    begin(flag, stream, payload) {
      let part = withoutPadding(flag, payload);
      if ((flag & flags.priority) !== 0) {
        if (part.length < priorityBytes) {
          throw new ConnectionError(errorCodes.frameSize, "a HEADERS frame that is cut off");
        }
        part = part.subarray(priorityBytes);
      }
      const endsStream = (flag & flags.endStream) !== 0;
      if ((flag & flags.endHeaders) !== 0) onBlock(stream, part, endsStream);
      else pending = { stream, endsStream, parts: [part], bytes: part.length };
    },
    goOn(flag, stream, payload) {
      if (pending?.stream !== stream) {
        throw new ConnectionError(errorCodes.protocol, "a CONTINUATION of nothing");
      }
      const { parts, endsStream } = pending;
      parts.push(payload);
      pending.bytes += payload.length;
      if (pending.bytes > mostBlockBytes || parts.length > mostFrames) {
        throw new ConnectionError(errorCodes.calm, "a head that does not end");
      }
      if ((flag & flags.endHeaders) === 0) return;
      pending = null;
      onBlock(stream, Buffer.concat(parts), endsStream);
    },
  };
}
