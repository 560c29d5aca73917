import { limits } from "@sineta/protocol/limits";

/** What a picture is for, and how large it is at most where browsers show it, in pixels. */
const pictureSides = { icon: 256, image: 1440, badge: 96 } as const;
export type PictureUse = keyof typeof pictureSides;

/** So many times smaller, so that neither side is longer. Never larger than it was. */
export function fitted(
  { width, height }: { width: number; height: number },
  side: number,
): { width: number; height: number } {
  const scale = Math.min(1, side / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

/** One after the other, until one is small enough: WebP keeps transparency, and every browser that has push shows it. */
const attempts = [
  { scale: 1, quality: 0.9 },
  { scale: 1, quality: 0.75 },
  { scale: 0.75, quality: 0.75 },
  { scale: 0.5, quality: 0.7 },
  { scale: 0.35, quality: 0.6 },
] as const;

const takenTypes = new Set(["image/png", "image/jpeg", "image/webp"]);

export type Shrunk = { kind: "shrunk"; blob: Blob } | { kind: "unreadable" | "too-large" };

/** Makes a picture small enough to be uploaded; one that is stays as it is. Whatever this browser can show is taken. */
export async function shrink(file: Blob, use: PictureUse): Promise<Shrunk> {
  // By its attributes it may be anything: the browser's own decoder decides.
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return { kind: "unreadable" };
  try {
    const size = fitted(bitmap, pictureSides[use]);
    const isSmall = size.width === bitmap.width && file.size <= limits.imageBytes;
    if (isSmall && takenTypes.has(file.type)) return { kind: "shrunk", blob: file };
    for (const { scale, quality } of attempts) {
      const blob = await drawn(
        bitmap,
        fitted(size, Math.max(size.width, size.height) * scale),
        quality,
      );
      if (blob !== null && blob.size <= limits.imageBytes) return { kind: "shrunk", blob };
    }
    return { kind: "too-large" };
  } finally {
    bitmap.close();
  }
}

function drawn(
  bitmap: ImageBitmap,
  { width, height }: { width: number; height: number },
  quality: number,
): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (context === null) return Promise.resolve(null);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  // A browser that cannot write WebP writes PNG (HTML, "serializing bitmaps to a file").
  return new Promise((resolve) => canvas.toBlob(resolve, "image/webp", quality));
}
