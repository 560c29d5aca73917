import { readdirSync, readFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readPicture } from "./picture.ts";

/** 13 by 9 pixels each: PNGs and cmyk.jpg by ImageMagick and apngasm, JPEGs by libjpeg-turbo, WebPs by libwebp. */
const folder = new URL("testing/", import.meta.url);
const files = readdirSync(folder);
const bytesOf = (file: string) => readFileSync(new URL(file, folder));

async function look(bytes: Uint8Array) {
  const picture = readPicture(bytes);
  if (picture === null) return null;
  const { type, widthPixels, heightPixels } = picture;
  return { type, widthPixels, heightPixels, isWhole: await picture.isWhole() };
}

const isWhole = async (bytes: Uint8Array) => (await look(bytes))?.isWhole ?? false;

describe("a picture that an encoder has made", () => {
  const shown = files.filter((file) => file !== "arithmetic.jpg");

  test("there is one of each kind that browsers show", () => {
    expect(shown).toHaveLength(16);
  });

  test.for(shown)("is whole: %s", async (file) => {
    const type = file.replace(/^.*\./, "");
    const whole = { type, widthPixels: 13, heightPixels: 9, isWhole: true };
    expect(await look(bytesOf(file))).toEqual(whole);
    expect(await look(Buffer.concat([bytesOf(file), Buffer.from("more")]))).toEqual(whole);
  });

  test.for(shown)("is not whole wherever it is cut: %s", async (file) => {
    const bytes = bytesOf(file);
    const whole: number[] = [];
    for (let length = 0; length < bytes.length; length += 1) {
      if (await isWhole(bytes.subarray(0, length))) whole.push(length);
    }
    expect(whole).toEqual([]);
  });

  test("but that no browser decodes is not whole", async () => {
    expect(await look(bytesOf("arithmetic.jpg"))).toEqual({
      type: "jpg",
      widthPixels: 13,
      heightPixels: 9,
      isWhole: false,
    });
  });
});

describe("a PNG", () => {
  function chunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
    const body = Buffer.concat([Buffer.from(type), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  }

  /** 8 by 8 pixels. */
  function header(depth = 8, colourType = 0, interlacing = 0, method = 0): Buffer {
    return chunk(
      "IHDR",
      Buffer.of(0, 0, 0, 8, 0, 0, 0, 8, depth, colourType, 0, method, interlacing),
    );
  }

  const signature = Buffer.from("\u0089PNG\r\n\u001A\n", "latin1");
  const png = (...chunks: readonly Buffer[]) => Buffer.concat([signature, ...chunks]);
  const pixels = (byteCount: number) => chunk("IDAT", deflateSync(Buffer.alloc(byteCount)));
  const end = chunk("IEND");

  /** Whose row from this byte on has a filter of this kind. */
  function filtered(byteCount: number, at: number, filter: number): Buffer {
    const inflated = Buffer.alloc(byteCount);
    inflated[at] = filter;
    return chunk("IDAT", deflateSync(inflated));
  }

  function broken(bytes: Buffer): Buffer {
    const copy = Buffer.from(bytes);
    copy.writeUInt8(copy.readUInt8(copy.length - 1) ^ 1, copy.length - 1);
    return copy;
  }

  test.for<[name: string, bytes: Buffer, expected: boolean]>([
    ["that ends behind its header", png(header()), false],
    ["without pixels", png(header(), end), false],
    ["without an end", png(header(), pixels(72)), false],
    ["with a byte too few", png(header(), pixels(71), end), false],
    ["with all its pixels", png(header(), pixels(72), end), true],
    [
      "with its pixels in two chunks",
      png(header(), ...halves(deflateSync(Buffer.alloc(72))), end),
      true,
    ],
    [
      "with pixels that are not deflated",
      png(header(), chunk("IDAT", Buffer.alloc(99)), end),
      false,
    ],
    ["whose header is broken", png(broken(header()), pixels(72), end), false],
    ["whose pixels are broken", png(header(), broken(pixels(72)), end), false],
    ["whose end is broken", png(header(), pixels(72), broken(end)), false],
    [
      "with a broken comment",
      png(header(), broken(chunk("tEXt", Buffer.from("a\0b"))), pixels(72), end),
      true,
    ],
    ["of 3 bits a sample", png(header(3), pixels(72), end), false],
    ["of a colour type that there is not", png(header(8, 5), pixels(72), end), false],
    ["with a way to filter that there is not", png(header(8, 0, 0, 1), pixels(72), end), false],
    ["interlaced in a way that there is not", png(header(8, 0, 2), pixels(99), end), false],
    // 7 passes: 1, 1, 2, 4, 8, 16 and 32 pixels, in 15 rows.
    ["interlaced, with a byte too few", png(header(8, 0, 1), pixels(64 + 14), end), false],
    ["interlaced, with all its pixels", png(header(8, 0, 1), pixels(64 + 15), end), true],
    ["with the last filter that there is", png(header(), filtered(72, 63, 4), end), true],
    ["with a filter that there is not", png(header(), filtered(72, 63, 5), end), false],
    ["with any pixel behind a filter", png(header(), filtered(72, 64, 5), end), true],
    // The last of the 7 passes has 4 rows of 8 pixels.
    [
      "interlaced, with a filter that there is not",
      png(header(8, 0, 1), filtered(64 + 15, 64 + 15 - 9, 5), end),
      false,
    ],
    [
      "interlaced, with any pixel behind a filter",
      png(header(8, 0, 1), filtered(64 + 15, 64 + 15 - 8, 5), end),
      true,
    ],
    ["of one bit a pixel", png(header(1), pixels(16), end), true],
    ["of four samples of 16 bits", png(header(16, 6), pixels(8 * 65), end), true],
    ["of colours by number without any", png(header(8, 3), pixels(72), end), false],
    [
      "of colours by number that come too late",
      png(header(8, 3), pixels(72), chunk("PLTE", Buffer.alloc(3)), end),
      false,
    ],
    [
      "of colours by number",
      png(header(8, 3), chunk("PLTE", Buffer.alloc(3)), pixels(72), end),
      true,
    ],
    ["with a chunk that a decoder must know", png(header(), chunk("ABCD"), pixels(72), end), false],
    ["with two headers", png(header(), header(), pixels(72), end), false],
    [
      "with a comment between its pixels",
      png(header(), pixels(72), chunk("tEXt", Buffer.from("a\0b")), pixels(72), end),
      false,
    ],
    [
      "with a palette that is no threes",
      png(header(8, 3), chunk("PLTE", Buffer.alloc(4)), pixels(72), end),
      false,
    ],
    ["with an empty palette", png(header(8, 3), chunk("PLTE"), pixels(72), end), false],
    [
      "with its pixels in 24,000 chunks",
      png(header(), ...Array<Buffer>(24_000).fill(chunk("IDAT")), pixels(72), end),
      true,
    ],
    ["that inflates to 200 MB", png(header(), pixels(200_000_000), end), true],
  ])("%s", async ([, bytes, expected]) => {
    expect(await isWhole(bytes)).toBe(expected);
  });

  function halves(data: Buffer): Buffer[] {
    return [chunk("IDAT", data.subarray(0, 5)), chunk("IDAT", data.subarray(5))];
  }

  test("of no width is none", () => {
    const none = chunk("IHDR", Buffer.of(0, 0, 0, 0, 0, 0, 0, 8, 8, 0, 0, 0, 0));
    expect(readPicture(png(none, pixels(72), end))).toBeNull();
  });
});

describe("a JPEG", () => {
  const frame = Buffer.of(0xff, 0xc0, 0, 11, 8, 0, 9, 0, 13, 1, 1, 0x11, 0);
  const scan = Buffer.of(0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0);
  const data = Buffer.of(1, 0xff, 0, 2, 0xff, 0xd0, 3);
  const end = Buffer.of(0xff, 0xd9);
  const table = Buffer.concat([Buffer.of(0xff, 0xdb, 0, 67), Buffer.alloc(65)]);
  const bare = (...parts: readonly Buffer[]) => Buffer.concat([Buffer.of(0xff, 0xd8), ...parts]);
  const jpeg = (...parts: readonly Buffer[]) => bare(table, ...parts);

  test.for<[name: string, bytes: Buffer, expected: boolean]>([
    ["with a scan", jpeg(frame, scan, data, end), true],
    ["with two scans", jpeg(frame, scan, data, scan, data, end), true],
    ["with fill bytes", jpeg(frame, scan, data, Buffer.of(0xff, 0xff), end), true],
    [
      "with fill bytes before a restart",
      jpeg(frame, scan, Buffer.of(1, 0xff, 0xff, 0xd0, 1, 0xff, 0xff, 0, 1), end),
      true,
    ],
    ["without a table", bare(frame, scan, data, end), false],
    [
      "with a frame of no components",
      jpeg(Buffer.of(0xff, 0xc0, 0, 8, 8, 0, 9, 0, 13, 0), scan, data, end),
      false,
    ],
    [
      "with a scan of no components",
      jpeg(frame, Buffer.of(0xff, 0xda, 0, 6, 0, 0, 63, 0), data, end),
      false,
    ],
    ["that ends behind its header", jpeg(frame), false],
    ["without a scan", jpeg(frame, end), false],
    ["with a scan without data", jpeg(frame, scan, end), false],
    ["without an end", jpeg(frame, scan, data), false],
    ["that is cut in a second scan", jpeg(frame, scan, data, scan, data), false],
    [
      "of 12 bits a sample",
      jpeg(Buffer.of(0xff, 0xc1, 0, 11, 12, 0, 9, 0, 13, 1, 1, 0x11, 0), scan, data, end),
      false,
    ],
  ])("%s", async ([, bytes, expected]) => {
    expect(await look(bytes)).toEqual({
      type: "jpg",
      widthPixels: 13,
      heightPixels: 9,
      isWhole: expected,
    });
  });

  test("whose scan comes before its frame is none", () => {
    expect(readPicture(jpeg(scan, data, frame, end))).toBeNull();
  });
});

describe("a WebP", () => {
  function chunk(type: string, data: Buffer): Buffer {
    const head = Buffer.alloc(8);
    head.write(type, "latin1");
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  }

  function webp(...chunks: readonly Buffer[]): Buffer {
    return chunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks]));
  }

  /** The frame of a file that an encoder has made, or the beginning of it: the chunk is as long as it says. */
  function frameOf(file: string, length = Infinity): Buffer {
    const bytes = bytesOf(file).subarray(12);
    const data = bytes.subarray(8, 8 + bytes.readUInt32LE(4));
    return chunk(bytes.toString("latin1", 0, 4), data.subarray(0, length));
  }

  const lossy = (length?: number) => frameOf("lossy.webp", length);
  const lossless = (length?: number) => frameOf("lossless.webp", length);
  const lossyLength = bytesOf("lossy.webp").readUInt32LE(16);
  const losslessLength = bytesOf("lossless.webp").readUInt32LE(16);
  /** Behind the header of 10 bytes; in front of it, how long it is. */
  const firstPartition = 10 + (bytesOf("lossy.webp").readUIntLE(20, 3) >> 5);

  const canvas = (flags: number, width = 13) =>
    chunk("VP8X", Buffer.of(flags, 0, 0, 0, width - 1, 0, 0, 8, 0, 0));
  /** At the left and top of the canvas, or as many pixels to the right as two times this. */
  function frame(picture: Buffer, right = 0): Buffer {
    const head = Buffer.alloc(16);
    head.set([right, 0, 0, 0, 0, 0, 12, 0, 0, 8]);
    return chunk("ANMF", Buffer.concat([head, picture]));
  }
  const animation = chunk("ANIM", Buffer.alloc(6));

  test.for<[name: string, bytes: Buffer, expected: boolean]>([
    ["of the header of a frame alone", webp(lossy(10)), false],
    ["that has its first partition alone", webp(lossy(firstPartition)), false],
    ["that has a byte more than its first partition", webp(lossy(firstPartition + 1)), false],
    ["that has all but its last ten bytes", webp(lossy(lossyLength - 10)), false],
    ["that has all its pixels", webp(lossy()), true],
    ["without loss, of the header of a frame alone", webp(lossless(5)), false],
    ["without loss, of hardly more than a header", webp(lossless(8)), false],
    ["without loss, of half its pixels", webp(lossless(losslessLength / 2)), false],
    ["without loss, of all but its last ten bytes", webp(lossless(losslessLength - 10)), false],
    [
      "without loss, of a header and no pixels that there are",
      webp(chunk("VP8L", Buffer.concat([lossless(5).subarray(8, 13), Buffer.alloc(40, 0xff)]))),
      false,
    ],
    ["without loss", webp(lossless()), true],
    ["of a canvas alone", webp(canvas(0)), false],
    ["of a canvas and a frame", webp(canvas(0), lossy()), true],
    ["of a canvas of other sides than its frame", webp(canvas(0, 14), lossy()), false],
    ["with a chunk that nobody knows", webp(lossy(), chunk("XYZ ", Buffer.alloc(3))), true],
    ["of a canvas and an animation without frames", webp(canvas(2), animation), false],
    ["of a frame without a picture", webp(canvas(2), animation, frame(Buffer.alloc(0))), false],
    ["of frames", webp(canvas(2), animation, frame(lossy()), frame(lossless())), true],
    [
      "of frames of which the first has no pixels",
      webp(canvas(2), animation, frame(lossless(8)), frame(lossy())),
      false,
    ],
    [
      "of frames of which one is cut",
      webp(canvas(2), animation, frame(lossy()), frame(lossy(13))),
      false,
    ],
    ["of a frame beyond its canvas", webp(canvas(2), animation, frame(lossy(), 1)), false],
    ["of frames without how they are played", webp(canvas(2), frame(lossy())), false],
  ])("%s", async ([, bytes, expected]) => {
    expect(await isWhole(bytes)).toBe(expected);
  });

  test("with a chunk that is longer than the file is not whole", async () => {
    const long = webp(lossy(), chunk("XYZ ", Buffer.alloc(4)));
    long.writeUInt32LE(400, long.length - 8);
    expect(await isWhole(long)).toBe(false);
  });

  test("whose frame is not a key frame is none", () => {
    const bytes = webp(lossy());
    bytes.writeUInt8(bytes.readUInt8(20) | 1, 20);
    expect(readPicture(bytes)).toBeNull();
  });
});

test("what is none of the three is none", () => {
  const gif = "GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000";
  const heif = "\0\0\0\u0018ftypheic\0\0\0\0heic";
  for (const text of ["", "\u0089PNG", "\u00FF\u00D8", "RIFF", "RIFF\0\0\0\0WAVE", gif, heif]) {
    expect(readPicture(Buffer.from(text, "latin1"))).toBeNull();
  }
});
