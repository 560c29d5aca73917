import { ConnectionError, errorCodes } from "./frames.ts";

/**
 * How many bits each byte takes (RFC 7541, appendix B), the last being the end of the string, which never stands in one. The
 * code is canonical: shorter ones come first, and among those of one length the smaller byte.
 */
const bitsOf: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28,
  28, 28, 28, 28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5,
  6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6,
  7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23,
  23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22,
  22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22,
  23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27,
  27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25,
  24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
];
const endOfString = 256;
const longestBits = 30;

const noSymbol = 0x1ff;
const endsWell = 1 << 9;
const nodeShift = 10;

/**
 * Where four bits lead from each node of the code's tree: 16 entries a node, the root's first. Each holds the symbol
 * that they complete, if any (at most one: the shortest code has five bits), whether a string may end there, and the node
 * they lead to.
 */
const steps = stepsOf(treeOf(bitsOf));

type Tree = {
  /** Two for each inner node: where 0 and where 1 leads. A leaf is -1 - symbol. */
  readonly children: readonly number[];
  /** Inner nodes that a string may end at: what fills up its last byte is less than a byte of ones. */
  readonly ends: ReadonlySet<number>;
};

function treeOf(bits: readonly number[]): Tree {
  const children = [0, 0];
  const put = (code: number, length: number, symbol: number): void => {
    let node = 0;
    for (let bit = length - 1; bit > 0; bit -= 1) {
      const slot = 2 * node + (Math.floor(code / 2 ** bit) % 2);
      if (children[slot] === 0) children[slot] = children.push(0, 0) / 2 - 1;
      node = children[slot] ?? 0;
    }
    children[2 * node + (code % 2)] = -1 - symbol;
  };
  let code = 0;
  for (let length = 1; length <= longestBits; length += 1) {
    code *= 2;
    for (const [symbol, ofSymbol] of bits.entries()) {
      if (ofSymbol === length) put(code++, length, symbol);
    }
  }
  const ends = new Set<number>();
  let node = 0;
  for (let ones = 0; ones < 8; ones += 1) {
    ends.add(node);
    node = children[2 * node + 1] ?? 0;
  }
  return { children, ends };
}

function stepsOf({ children, ends }: Tree): Int32Array {
  const made = new Int32Array((children.length / 2) * 16);
  for (let from = 0; from < children.length / 2; from += 1) {
    for (let bits = 0; bits < 16; bits += 1) {
      let node = from;
      let symbol: number = noSymbol;
      for (const mask of [8, 4, 2, 1]) {
        const next = children[2 * node + ((bits & mask) === 0 ? 0 : 1)] ?? 0;
        if (next < 0) symbol = -1 - next;
        node = Math.max(0, next);
      }
      made[from * 16 + bits] = symbol | (ends.has(node) ? endsWell : 0) | (node << nodeShift);
    }
  }
  return made;
}

/** The shortest code has five bits. */
export const mostCharactersPerByte = 8 / 5;

/**
 * Decodes a string of a header block (RFC 7541, section 5.2), which stands in it from `start` to `end`.
 * @param into with room for `mostCharactersPerByte` times as many bytes
 * @returns how many bytes it has
 * @throws ConnectionError if it holds the end of a string, or does not end as it has to
 */
export function decodeHuffman(
  block: Uint8Array,
  start: number,
  end: number,
  into: Uint8Array,
): number {
  let length = 0;
  let at: number = endsWell;
  for (let half = 2 * start; half < 2 * end; half += 1) {
    const byte = block[half >> 1] ?? 0;
    const bits = (half & 1) === 0 ? byte >> 4 : byte & 0xf;
    at = steps[(at >> nodeShift) * 16 + bits] ?? 0;
    const symbol = at & noSymbol;
    if (symbol === noSymbol) continue;
    if (symbol === endOfString) throw wrong("the end of a string inside of one");
    into[length++] = symbol;
  }
  if ((at & endsWell) === 0) throw wrong("a string that is cut off");
  return length;
}

function wrong(what: string): ConnectionError {
  return new ConnectionError(errorCodes.compression, `Huffman code: ${what}`);
}
