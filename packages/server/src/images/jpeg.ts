/** ITU-T T.81, table B.1: frame headers are C0 to CF, but for DHT, JPG and DAC. */
const frameHeaders: ReadonlySet<number> = new Set([
  0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
]);
/** TEM, RST0 to RST7, SOI, EOI: nothing follows that could be stepped over, and none may come before a frame. */
const isAlone = (marker: number): boolean => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9);
const startOfScan = 0xda;

/**
 * The sides of a JPEG, as decoders read them: from marker to marker (ITU-T T.81, section B.1.1), with any number of fill
 * bytes before each, until the first frame header. @returns null of what is none, or says its sides nowhere
 */
export function readJpegSides(
  bytes: Uint8Array,
): { widthPixels: number; heightPixels: number } | null {
  const byte = (at: number): number => bytes[at] ?? 0;
  const twoBytes = (at: number): number => byte(at) * 256 + byte(at + 1);
  if (twoBytes(0) !== 0xffd8) return null;
  for (let at = 2; at < bytes.length;) {
    if (byte(at) !== 0xff) return null;
    while (byte(at) === 0xff) at += 1;
    const marker = byte(at);
    if (frameHeaders.has(marker)) {
      // Behind the marker: length, bits of a sample, height, width (section B.2.2).
      return { heightPixels: twoBytes(at + 4), widthPixels: twoBytes(at + 6) };
    }
    if (isAlone(marker) || marker === startOfScan) return null;
    const length = twoBytes(at + 1);
    if (length < 2) return null;
    at += 1 + length;
  }
  return null;
}
