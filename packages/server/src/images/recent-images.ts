import type { ImageFileType } from "@sineta/protocol";

export type ImageBytes = { type: ImageFileType; bytes: Uint8Array };

/**
 * While a message goes out a million browsers ask for the same two: the database is not read for each of them.
 * At 300 kB each that is 10 MB at most.
 */
const keptImages = 32;

/** The images that were asked for last, so many. */
export function createRecentImages() {
  /** The one that was asked for last is last. */
  const kept = new Map<string, ImageBytes>();
  return {
    find: (hash: string): ImageBytes | null => kept.get(hash) ?? null,
    keep(hash: string, image: ImageBytes): void {
      kept.delete(hash);
      kept.set(hash, image);
      const [oldest] = kept.keys();
      if (kept.size > keptImages && oldest !== undefined) kept.delete(oldest);
    },
    forget: (hash: string): void => void kept.delete(hash),
  };
}
