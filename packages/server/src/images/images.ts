import { createHash } from "node:crypto";
import { limits, type HttpErrorCode, type Image, type ImageUses } from "@sineta/protocol";
import type { Asker, ImageHead, ImageStore } from "../store/port.ts";
import { readPicture } from "./picture.ts";
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
      const picture = readPicture(bytes);
      if (picture === null) return { kind: "refused", code: "image-unreadable" };
      const { type, widthPixels, heightPixels, isWhole } = picture;
      if (Math.max(widthPixels, heightPixels) > limits.imageSidePixels) {
        return { kind: "refused", code: "image-too-large" };
      }
      if (!(await isWhole())) return { kind: "refused", code: "image-unreadable" };
      const hash = createHash("sha256").update(bytes).digest();
      const audit = {
        ...asker,
        projectId,
        action: "image.added",
        subject: hash.toString("base64url"),
        change: { type, bytes: bytes.length },
      };
      const image = { hash, bytes, type, widthPixels, heightPixels };
      const result = await store.add(projectId, image, limits.imagesPerProject, audit, now());
      if (result.kind === "exhausted") return { kind: "refused", code: "images-exhausted" };
      return { kind: "kept", image: imageOf(result.image) };
    },

    list: async (projectId) => (await store.list(projectId)).map(imageOf),

    async read(file) {
      const [, name = "", type] = /^(.+)\.(png|jpg|webp)$/.exec(file) ?? [];
      const hash = hashOf(name);
      if (hash === null) return null;
      const image = await recent.find(name, () => store.read(hash));
      return image?.type === type ? image : null;
    },

    async uses(projectId, name) {
      const hash = hashOf(name);
      return hash === null ? null : store.uses(projectId, hash);
    },

    async remove(projectId, name, asker) {
      const hash = hashOf(name);
      if (hash === null) return { kind: "refused", code: "image-unknown" };
      const audit = { ...asker, projectId, action: "image.removed", subject: name, change: null };
      const result = await store.remove(projectId, hash, audit, now());
      if (result !== "removed") return { kind: "refused", code: `image-${result}` };
      recent.forget(name);
      return { kind: "removed" };
    },
  };
}

/** Each hash has one name: 32 bytes can be written in several ways that decoders take (RFC 4648, section 3.5). */
function hashOf(name: string): Buffer | null {
  const hash = Buffer.from(name, "base64url");
  return hash.length === 32 && hash.toString("base64url") === name ? hash : null;
}
