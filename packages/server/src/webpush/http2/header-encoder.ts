import { defaultTableBytes, entryOverheadBytes, staticTable } from "./static-table.ts";

export type HeaderEncoder = {
  /** Obeys the peer's SETTINGS_HEADER_TABLE_SIZE from the next block on. */
  readonly resize: (bytes: number) => void;
  /**
   * Writes a header block.
   * @param fields names and values in turn; names in lower case, those with a colon first
   * @param out with room for `blockBytes` of them
   * @returns where the block ends
   * @throws TypeError for a character that no field may have: then nothing of it counts
   */
  readonly encode: (fields: readonly string[], out: Buffer, start: number) => number;
};

/** The most that a block of these fields takes: what they have, at most three numbers each, and two that announce sizes. */
export function blockBytes(fields: readonly string[]): number {
  let bytes = 2 * mostNumberBytes;
  for (const text of fields) bytes += 2 * mostNumberBytes + text.length;
  return bytes;
}

/** Of a number below 2^21, which is more than what any string here may have. */
const mostNumberBytes = 4;

/** They differ from push to push: to remember them would drive out those that do not. */
const neverKept: ReadonlySet<string> = new Set([":path", "content-length"]);

const staticNames = new Map(staticTable.map(([name], at) => [name, at + 1] as const).toReversed());
/** Those that stand there with a value, by name and then by value. */
const staticValues = new Map<string, Map<string, number>>();
for (const [at, [name, value]] of staticTable.entries()) {
  if (value === "") continue;
  const ofName = staticValues.get(name) ?? new Map<string, number>();
  staticValues.set(name, ofName.set(value, at + 1));
}

/** What an entry of the table was the last of its name; `number` counts entries from the start. */
type Latest = { readonly value: string; readonly number: number };

/**
 * HPACK (RFC 7541) for requests that are alike: a field whose value was the same last time takes a byte or two. Strings are
 * written as they are: Huffman's code would cost more time than it saves bytes.
 */
export function createHeaderEncoder(): HeaderEncoder {
  /** The newest of each name. */
  const latest = new Map<string, Latest>();
  /** Sizes of the entries that are in the table, the oldest first. */
  let sizes: number[] = [];
  let made = 0;
  let bytes = 0;
  let mostBytes = defaultTableBytes;
  /** The smallest size that the next block has to announce before the present one (section 4.2). */
  let smallest: number | null = null;

  function evictTo(limit: number): void {
    let evicted = 0;
    for (; bytes > limit && evicted < sizes.length; evicted += 1) bytes -= sizes[evicted] ?? 0;
    if (evicted > 0) sizes = sizes.slice(evicted);
  }

  /** Its place among all fields, if it has not been driven out. */
  function indexOf({ number }: Latest): number | null {
    const age = made - number;
    return age < sizes.length ? staticTable.length + 1 + age : null;
  }

  function keep(name: string, value: string, size: number): void {
    evictTo(mostBytes - size);
    sizes.push(size);
    bytes += size;
    made += 1;
    latest.set(name, { value, number: made });
  }

  function writeField(name: string, value: string, out: Buffer, start: number): number {
    const known = latest.get(name);
    const place = known === undefined ? null : indexOf(known);
    if (known?.value === value && place !== null) return writeInteger(out, start, 0x80, 7, place);
    const whole = staticValues.get(name)?.get(value);
    if (whole !== undefined) return writeInteger(out, start, 0x80, 7, whole);
    const size = name.length + value.length + entryOverheadBytes;
    const isKept = size <= mostBytes && !neverKept.has(name);
    const nameAt = staticNames.get(name) ?? place ?? 0;
    let end = isKept
      ? writeInteger(out, start, 0x40, 6, nameAt)
      : writeInteger(out, start, 0, 4, nameAt);
    if (nameAt === 0) end = writeString(out, end, name);
    end = writeString(out, end, value);
    if (isKept) keep(name, value, size);
    return end;
  }

  return {
    resize(size) {
      const next = Math.min(size, defaultTableBytes);
      if (next === mostBytes) return;
      smallest = Math.min(smallest ?? mostBytes, next);
      mostBytes = next;
      evictTo(next);
    },
    encode(fields, out, start) {
      for (let at = 0; at < fields.length; at += 2) {
        const [name, value] = [fields[at] ?? "", fields[at + 1] ?? ""];
        // What has been written before can be written.
        if (latest.get(name)?.value !== value) demandWritable(name, value);
      }
      let end = start;
      if (smallest !== null) {
        if (smallest < mostBytes) end = writeInteger(out, end, 0x20, 5, smallest);
        end = writeInteger(out, end, 0x20, 5, mostBytes);
        smallest = null;
      }
      for (let at = 0; at < fields.length; at += 2) {
        end = writeField(fields[at] ?? "", fields[at + 1] ?? "", out, end);
      }
      return end;
    },
  };
}

const nameCharacters = /^:?[!#$%&'*+\-.^_`|~\da-z]+$/;
const otherCharacters = /[^\t\x20-\x7e]/;

/** RFC 9113, section 8.2.1; of what lies beyond ASCII nothing is ever needed. */
function demandWritable(name: string, value: string): void {
  if (!nameCharacters.test(name)) throw new TypeError(`"${name}" is no name of a field`);
  if (otherCharacters.test(value)) {
    throw new TypeError(`the field ${name} has a character that cannot be written`);
  }
}

/** RFC 7541, section 5.1. @param pattern what stands before the prefix in its byte */
function writeInteger(
  out: Buffer,
  start: number,
  pattern: number,
  prefixBits: number,
  value: number,
): number {
  const full = (1 << prefixBits) - 1;
  let end = start;
  if (value < full) {
    out[end++] = pattern | value;
    return end;
  }
  out[end++] = pattern | full;
  let rest = value - full;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out[end++] = (rest % 128) | 0x80;
  out[end++] = rest;
  return end;
}

function writeString(out: Buffer, start: number, text: string): number {
  const from = writeInteger(out, start, 0, 7, text.length);
  return from + out.write(text, from, "latin1");
}
