import type { ImageFileType } from "@sineta/protocol";
import { readJpeg } from "./jpeg.ts";
import { isWholePng, readPngSides } from "./png.ts";
import type { Sides } from "./sides.ts";
import { readWebp } from "./webp.ts";

export type Picture = Sides & {
  type: ImageFileType;
  /** Whether its marks, lengths and sums are right to its end, and a WebP can be decoded. To be asked once its sides are known to be small enough. */
  isWhole: () => Promise<boolean>;
};

/**
 * What the bytes say that they are. Their beginning decides which kind's reader looks at them.
 * @returns null of what is none of the kinds that every browser shows, or has no pixels
 */
export function readPicture(bytes: Uint8Array): Picture | null {
  const picture = readPng(bytes) ?? readOthers(bytes);
  return picture !== null && picture.widthPixels > 0 && picture.heightPixels > 0 ? picture : null;
}

function readPng(bytes: Uint8Array): Picture | null {
  const sides = readPngSides(bytes);
  return sides === null ? null : { type: "png", ...sides, isWhole: () => isWholePng(bytes) };
}

function readOthers(bytes: Uint8Array): Picture | null {
  const webp = readWebp(bytes);
  if (webp !== null) return { type: "webp", ...webp };
  const jpeg = readJpeg(bytes);
  return jpeg === null ? null : { type: "jpg", ...jpeg, isWhole: async () => jpeg.isWhole };
}
