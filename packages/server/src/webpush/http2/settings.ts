import { ConnectionError, errorCodes, largestPayload } from "./frames.ts";

/** RFC 9113, section 6.5.2. */
const parameters = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

/** What counts until the peer says otherwise, and for this side always. */
export const defaultWindowBytes = 65_535;
export const largestWindowBytes = 2 ** 31 - 1;
const largestFrameSize = 2 ** 24 - 1;

/** As much as Node takes over HTTP/1.1: a flood of headers is to cost little. */
export const headerListBytes = 16_384;

const parameterBytes = 6;

/** What this side says of itself: nothing is to be pushed, and how much of a head it takes. */
export function ownSettings(): Buffer {
  const payload = Buffer.alloc(2 * parameterBytes);
  payload.writeUInt16BE(parameters.enablePush, 0);
  payload.writeUInt32BE(0, 2);
  payload.writeUInt16BE(parameters.maxHeaderListSize, parameterBytes);
  payload.writeUInt32BE(headerListBytes, parameterBytes + 2);
  return payload;
}

/** What the peer says that this side goes by; undefined where a frame says nothing of it. */
export type PeerSettings = {
  /** All of them: a table that was to be small for a moment has to be emptied (RFC 7541, section 4.2). */
  headerTableSizes: number[];
  maxConcurrentStreams?: number;
  initialWindowSize?: number;
};

/**
 * Reads a SETTINGS frame. Where it says something twice, the last counts.
 * @throws ConnectionError for what no server may say
 */
export function readSettings(payload: Buffer): PeerSettings {
  if (payload.length % parameterBytes !== 0) {
    throw new ConnectionError(errorCodes.frameSize, `SETTINGS of ${payload.length} bytes`);
  }
  const settings: PeerSettings = { headerTableSizes: [] };
  for (let start = 0; start < payload.length; start += parameterBytes) {
    const value = payload.readUInt32BE(start + 2);
    switch (payload.readUInt16BE(start)) {
      case parameters.headerTableSize:
        settings.headerTableSizes.push(value);
        break;
      case parameters.enablePush:
        if (value !== 0)
          throw new ConnectionError(errorCodes.protocol, "a server that is pushed to");
        break;
      case parameters.maxConcurrentStreams:
        settings.maxConcurrentStreams = value;
        break;
      case parameters.initialWindowSize:
        if (value > largestWindowBytes) {
          throw new ConnectionError(errorCodes.flowControl, `a window of ${value} bytes`);
        }
        settings.initialWindowSize = value;
        break;
      case parameters.maxFrameSize:
        // Frames are never larger than what everybody takes.
        if (value < largestPayload || value > largestFrameSize) {
          throw new ConnectionError(errorCodes.protocol, `frames of at most ${value} bytes`);
        }
        break;
    }
  }
  return settings;
}
