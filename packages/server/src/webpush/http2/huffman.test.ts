import { expect, test } from "vitest";
import { decodeHuffman } from "./huffman.ts";

function decode(hex: string): string {
  const into = Buffer.alloc(200);
  // Between others, which are not looked at.
  const block = Buffer.from(`ff00${hex.replaceAll(" ", "")}00ff`, "hex");
  return into.toString("latin1", 0, decodeHuffman(block, 2, block.length - 2, into));
}

// RFC 7541, appendices C.4 and C.6.
test.for([
  ["f1e3 c2e5 f23a 6ba0 ab90 f4ff", "www.example.com"],
  ["a8eb 1064 9cbf", "no-cache"],
  ["25a8 49e9 5ba9 7d7f", "custom-key"],
  ["6402", "302"],
  ["aec3 771a 4b", "private"],
  ["d07a be94 1054 d444 a820 0595 040b 8166 e082 a62d 1bff", "Mon, 21 Oct 2013 20:13:21 GMT"],
  ["9d29 ad17 1863 c78f 0b97 c8e9 ae82 ae43 d3", "https://www.example.com"],
  [
    "94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07",
    "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
  ],
  ["", ""],
] as const)("%s is %s", ([hex, text]) => {
  expect(decode(hex)).toBe(text);
});

test.for([
  ["filled up with a zero", "f1e3 c2e5 f23a 6ba0 ab90 f4fe"],
  ["with a whole byte of filling", "6402 ff"],
  ["with the end of a string in it", "ffff ffff"],
  ["cut off within a long code", "ffff fe"],
] as const)("a string %s is refused", ([, hex]) => {
  expect(() => decode(hex)).toThrow(/Huffman/);
});
