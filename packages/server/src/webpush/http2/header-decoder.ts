import { ConnectionError, errorCodes, largestPayload } from "./frames.ts";
import { decodeHuffman, mostCharactersPerByte } from "./huffman.ts";
import { defaultTableBytes, entryOverheadBytes, staticTable } from "./static-table.ts";

export type HeaderDecoder = {
  /**
   * Reads a header block of at most `mostBlockBytes`. Each one of a connection has to be read, in its order, whoever it is for.
   * @throws ConnectionError if it cannot be read: the two sides' tables may differ from then on
   */
  readonly decode: (block: Buffer, onField: (name: string, value: string) => void) => void;
};

type Field = readonly [name: string, value: string];

/** Twice of what a head may be when it is decoded (settings.ts). Whoever codes strings takes the shorter form. */
export const mostBlockBytes = 2 * largestPayload;

/** Fields are forgotten one by one, and their places given back many at a time. */
const mostForgotten = 256;

// Written and read within one call.
const decoded = Buffer.allocUnsafe(Math.ceil(mostBlockBytes * mostCharactersPerByte));

/** HPACK (RFC 7541), with the table of 4,096 bytes that is there if nobody says otherwise. */
export function createHeaderDecoder(): HeaderDecoder {
  /** The newest last; those before `oldest` are forgotten. */
  let table: Field[] = [];
  let oldest = 0;
  let bytes = 0;
  let mostBytes = defaultTableBytes;

  function evictTo(limit: number): void {
    for (; bytes > limit && oldest < table.length; oldest += 1) bytes -= sizeOf(table[oldest]);
    if (oldest < mostForgotten) return;
    table = table.slice(oldest);
    oldest = 0;
  }

  function insert(field: Field): void {
    const size = sizeOf(field);
    evictTo(mostBytes - size);
    // One that is larger than the table empties it, and that is all (section 4.4).
    if (size > mostBytes) return;
    table.push(field);
    bytes += size;
  }

  function fieldAt(index: number): Field {
    const place = table.length - (index - staticTable.length);
    const isStatic = index <= staticTable.length;
    const field = isStatic ? staticTable[index - 1] : place < oldest ? undefined : table[place];
    if (field === undefined) throw wrong(`there is no field ${index}`);
    return field;
  }

  function resize(size: number): void {
    if (size > defaultTableBytes) throw wrong(`a table of ${size} bytes`);
    mostBytes = size;
    evictTo(size);
  }

  return {
    decode(block, onField) {
      const cursor: Cursor = { block, at: 0 };
      let isFirst = true;
      while (cursor.at < block.length) {
        const byte = block[cursor.at] ?? 0;
        if ((byte & 0x80) !== 0) {
          const [name, value] = fieldAt(readInteger(cursor, 7));
          onField(name, value);
        } else if ((byte & 0xe0) === 0x20) {
          if (!isFirst) throw wrong("a new size of the table after a field");
          resize(readInteger(cursor, 5));
          continue;
        } else {
          const isKept = (byte & 0x40) !== 0;
          const index = readInteger(cursor, isKept ? 6 : 4);
          const name = index === 0 ? readString(cursor) : fieldAt(index)[0];
          const value = readString(cursor);
          if (isKept) insert([name, value]);
          onField(name, value);
        }
        isFirst = false;
      }
    },
  };
}

function sizeOf(field: Field | undefined): number {
  return field === undefined ? 0 : field[0].length + field[1].length + entryOverheadBytes;
}

type Cursor = { readonly block: Buffer; at: number };

/** Nothing that is counted here comes near; more bytes than these would only stretch a small number. */
const mostInteger = 2 ** 24;
const mostIntegerBytes = 5;

/** RFC 7541, section 5.1. @param prefixBits of the first byte */
function readInteger(cursor: Cursor, prefixBits: number): number {
  const full = (1 << prefixBits) - 1;
  let value = (cursor.block[cursor.at++] ?? 0) & full;
  if (value < full) return value;
  for (let place = 0; place < mostIntegerBytes; place += 1) {
    const byte = cursor.block[cursor.at++];
    if (byte === undefined) throw wrong("a number that is cut off");
    value += (byte & 0x7f) * 2 ** (7 * place);
    if (value > mostInteger) break;
    if ((byte & 0x80) === 0) return value;
  }
  throw wrong("a number that is too large");
}

/** RFC 7541, section 5.2. Each byte becomes one character. */
function readString(cursor: Cursor): string {
  const first = cursor.block[cursor.at];
  if (first === undefined) throw wrong("a string that is not there");
  const length = readInteger(cursor, 7);
  const end = cursor.at + length;
  if (end > cursor.block.length) throw wrong("a string that is cut off");
  const { block, at: start } = cursor;
  cursor.at = end;
  if ((first & 0x80) === 0) return block.toString("latin1", start, end);
  return decoded.toString("latin1", 0, decodeHuffman(block, start, end, decoded));
}

function wrong(what: string): ConnectionError {
  return new ConnectionError(errorCodes.compression, `header block: ${what}`);
}
