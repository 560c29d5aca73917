import { createHash } from "node:crypto";
import { PNG } from "image-size/types/png";
import { WEBP } from "image-size/types/webp";
import {
  limits,
  type HttpErrorCode,
  type Image,
  type ImageFileType,
  type ImageUses,
} from "@sineta/protocol";
import type { Asker, ImageHead, ImageStore } from "../store/port.ts";
import { readJpegSides } from "./jpeg.ts";
import { createRecentImages, type ImageBytes } from "./recent-images.ts";

/** Below the public URL. */
export const imagesPath = "/images";

export type ImagesParts = {
  store: ImageStore;
  /** Where browsers reach the server, with a slash at its end. */
  publicUrl: string;
  now: () => number;
};

export type Images = {
  /** Keeps it. Refused with `image-unreadable`, `image-too-large` or `images-exhausted`. */
  add(
    projectId: number,
    bytes: Uint8Array,
    asker: Asker,
  ): Promise<{ kind: "kept"; image: Image } | { kind: "refused"; code: HttpErrorCode }>;
  /** Of the project, newest first. */
  list(projectId: number): Promise<Image[]>;
  /** What is served at an image's address; null if nothing is. @param file such as `HASH.png` */
  read(file: string): Promise<ImageBytes | null>;
  /** What shows it; null if the project does not have it. @param hash base64url */
  uses(projectId: number, hash: string): Promise<ImageUses | null>;
  /** Refused with `image-unknown`, or with `image-in-use` while a message that has not ended shows it. @param hash base64url */
  remove(
    projectId: number,
    hash: string,
    asker: Asker,
  ): Promise<{ kind: "removed" } | { kind: "refused"; code: HttpErrorCode }>;
};

/** The pictures of notifications: kept by the hash of what they are, so that an address never shows another one. */
export function createImages({ store, publicUrl, now }: ImagesParts): Images {
  const recent = createRecentImages();

  function imageOf({ hash, byteCount, createdAtMs, ...head }: ImageHead): Image {
    const name = Buffer.from(hash).toString("base64url");
    return {
      hash: name,
      url: new URL(`${imagesPath}/${name}.${head.type}`, publicUrl).href,
      ...head,
      bytes: byteCount,
      createdAt: new Date(createdAtMs).toISOString(),
    };
  }

  return {
    async add(projectId, bytes, asker) {
      if (bytes.length > limits.imageBytes) return { kind: "refused", code: "image-too-large" };
      const looked = lookAt(bytes);
      if (looked === null) return { kind: "refused", code: "image-unreadable" };
      if (Math.max(looked.widthPixels, looked.heightPixels) > limits.imageSidePixels) {
        return { kind: "refused", code: "image-too-large" };
      }
      const hash = createHash("sha256").update(bytes).digest();
      const audit = {
        ...asker,
        projectId,
        action: "image.added",
        subject: hash.toString("base64url"),
        change: { type: looked.type, bytes: bytes.length },
      };
      const image = { hash, bytes, ...looked };
      const result = await store.add(projectId, image, limits.imagesPerProject, audit, now());
      if (result.kind === "exhausted") return { kind: "refused", code: "images-exhausted" };
      return { kind: "kept", image: imageOf(result.image) };
    },

    list: async (projectId) => (await store.list(projectId)).map(imageOf),

    async read(file) {
      // 32 bytes.
      const [, hash, type] = /^([\w-]{43})\.(png|jpg|webp)$/.exec(file) ?? [];
      if (hash === undefined) return null;
      const image = recent.find(hash) ?? (await store.read(Buffer.from(hash, "base64url")));
      if (image === null || image.type !== type) return null;
      recent.keep(hash, image);
      return image;
    },

    uses: (projectId, hash) => store.uses(projectId, Buffer.from(hash, "base64url")),

    async remove(projectId, hash, asker) {
      const audit = { ...asker, projectId, action: "image.removed", subject: hash, change: null };
      const result = await store.remove(projectId, Buffer.from(hash, "base64url"), audit, now());
      if (result !== "removed") return { kind: "refused", code: `image-${result}` };
      recent.forget(hash);
      return { kind: "removed" };
    },
  };
}

type Sides = { widthPixels: number; heightPixels: number };
type Looked = Sides & { type: ImageFileType };

/**
 * What the bytes say that they are; null if that is none of the kinds that every browser shows. Their beginning decides:
 * no other kind's reader sees what a stranger made for it.
 */
function lookAt(bytes: Uint8Array): Looked | null {
  const looked = sidesOf(bytes);
  return looked !== null && looked.widthPixels > 0 && looked.heightPixels > 0 ? looked : null;
}

function sidesOf(bytes: Uint8Array): Looked | null {
  try {
    if (PNG.validate(bytes)) return { type: "png", ...pixels(PNG.calculate(bytes)) };
    if (WEBP.validate(bytes)) return { type: "webp", ...pixels(WEBP.calculate(bytes)) };
  } catch {
    // They throw at whatever they cannot read.
    return null;
  }
  const sides = readJpegSides(bytes);
  return sides === null ? null : { type: "jpg", ...sides };
}

function pixels({ width, height }: { width: number; height: number }): Sides {
  return { widthPixels: width, heightPixels: height };
}
