import type { ImageFileType } from "@sineta/protocol";

export type ImageBytes = { type: ImageFileType; bytes: Uint8Array<ArrayBuffer> };

/**
 * While a message goes out a million browsers ask for the same two: the database is not read for each of them.
 * At 300 kB each that is 10 MB at most.
 */
const keptImages = 32;

/** The images that were asked for last, so many; and each that an answer still holds, so that it lies in memory once. */
export function createRecentImages() {
  /** The one that was asked for last is last. */
  const kept = new Map<string, ImageBytes>();
  /** An answer that is pending holds the buffer alone, not what it was read through. */
  const held = new Map<string, { type: ImageFileType; buffer: WeakRef<ArrayBuffer> }>();
  let forgotten = 0;

  function inMemory(hash: string): ImageBytes | null {
    const image = kept.get(hash);
    if (image !== undefined) return image;
    const { type, buffer } = held.get(hash) ?? {};
    const bytes = buffer?.deref();
    return type === undefined || bytes === undefined
      ? null
      : { type, bytes: new Uint8Array(bytes) };
  }

  return {
    /** What is in memory, or else what is loaded: which is kept, but if one was forgotten meanwhile, for it may be that one. */
    async find(hash: string, load: () => Promise<ImageBytes | null>): Promise<ImageBytes | null> {
      let image = inMemory(hash);
      if (image === null) {
        const forgottenBefore = forgotten;
        const loaded = await load();
        if (loaded === null || forgotten !== forgottenBefore) return loaded;
        // Another request may have loaded it meanwhile.
        image = inMemory(hash) ?? loaded;
        held.set(hash, { type: image.type, buffer: new WeakRef(image.bytes.buffer) });
      }
      kept.delete(hash);
      kept.set(hash, image);
      const [oldest] = kept.keys();
      if (kept.size > keptImages && oldest !== undefined) kept.delete(oldest);
      return image;
    },
    forget(hash: string): void {
      forgotten += 1;
      kept.delete(hash);
      held.delete(hash);
    },
  };
}
