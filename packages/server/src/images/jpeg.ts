import type { Sides } from "./sides.ts";

/** ITU-T T.81, table B.1: frame headers are C0 to CF, but for DHT, JPG and DAC. */
const frameHeaders: ReadonlySet<number> = new Set([
  0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
]);
/** TEM, RST0 to RST7, SOI: they have no length, and stand between no segments. */
const isAlone = (marker: number): boolean => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
/** Within a scan: a stuffed FF, and the restarts. */
const isOfScan = (marker: number): boolean => marker === 0 || (marker >= 0xd0 && marker <= 0xd7);
/** Baseline, extended and progressive, coded by Huffman: browsers show no others, and none with more than 8 bits a sample. */
const isShown = (marker: number, bits: number): boolean => marker <= 0xc2 && bits === 8;
const quantization = 0xdb;
const startOfScan = 0xda;
const endOfImage = 0xd9;

/** What is read of a JPEG. `isWhole`: browsers decode its kind, it has scans, and it comes to its end. */
export type Jpeg = Sides & { isWhole: boolean };

/**
 * Reads a JPEG as decoders do: from marker to marker (ITU-T T.81, section B.1.1), with any number of fill bytes before
 * each, to the end of the image. @returns null of what is none, or says its sides nowhere before its first scan
 */
export function readJpeg(bytes: Uint8Array): Jpeg | null {
  const byte = (at: number): number => bytes[at] ?? 0;
  const twoBytes = (at: number): number => byte(at) * 256 + byte(at + 1);
  if (twoBytes(0) !== 0xffd8) return null;
  let sides: Sides | null = null;
  let scans = 0;
  let isQuantized = false;
  const cut = () => (sides === null ? null : { ...sides, isWhole: false });
  for (let at = 2; at < bytes.length;) {
    if (byte(at) !== 0xff) return cut();
    while (byte(at) === 0xff) at += 1;
    const marker = byte(at);
    if (marker === endOfImage) return sides === null ? null : { ...sides, isWhole: scans > 0 };
    // Behind the marker: length, bits of a sample, height, width (section B.2.2).
    if (frameHeaders.has(marker)) {
      sides ??= { heightPixels: twoBytes(at + 4), widthPixels: twoBytes(at + 6) };
      if (!isShown(marker, byte(at + 3))) return cut();
    }
    const length = twoBytes(at + 1);
    if (isAlone(marker) || length < 2 || !fitsComponents(marker, length, bytes, at)) return cut();
    isQuantized ||= marker === quantization;
    at += 1 + length;
    if (marker !== startOfScan) continue;
    const end = endOfScan(bytes, at);
    if (sides === null || !isQuantized || end === at) return cut();
    scans += 1;
    at = end;
  }
  return cut();
}

/** A frame and a scan say how many components they have, and tell of each (sections B.2.2 and B.2.3). */
function fitsComponents(marker: number, length: number, bytes: Uint8Array, at: number): boolean {
  if (frameHeaders.has(marker)) {
    const components = bytes[at + 8] ?? 0;
    return components > 0 && length === 8 + 3 * components;
  }
  const components = bytes[at + 3] ?? 0;
  return marker !== startOfScan || (components > 0 && length === 6 + 2 * components);
}

/** Where the next marker stands that ends the scan, with its fill bytes; behind the last byte if none does. */
function endOfScan(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at)) {
    const from = at;
    while (bytes[at] === 0xff) at += 1;
    const marker = bytes[at];
    if (marker !== undefined && !isOfScan(marker)) return from;
  }
  return bytes.length;
}
