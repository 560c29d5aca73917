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
  let forgotten = 0;
  return {
    /** What is kept, or else what is loaded: which is kept, but if one was forgotten meanwhile, for it may be that one. */
    async find(hash: string, load: () => Promise<ImageBytes | null>): Promise<ImageBytes | null> {
      const forgottenBefore = forgotten;
      const image = kept.get(hash) ?? (await load());
      if (image === null || forgotten !== forgottenBefore) return image;
      kept.delete(hash);
      kept.set(hash, image);
      const [oldest] = kept.keys();
      if (kept.size > keptImages && oldest !== undefined) kept.delete(oldest);
      return image;
    },
    forget(hash: string): void {
      forgotten += 1;
      kept.delete(hash);
    },
  };
}
