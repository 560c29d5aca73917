import { z } from "zod";

/** Media type of each kind of image that may be uploaded, by the ending of its address. */
export const imageTypes = { png: "image/png", jpg: "image/jpeg", webp: "image/webp" } as const;

export const imageFileTypeSchema = z.enum(["png", "jpg", "webp"]);
export type ImageFileType = z.infer<typeof imageFileTypeSchema>;

/** A picture that notifications can show. */
export const imageSchema = z
  .object({
    /** SHA-256 of its bytes, base64url. */
    hash: z.string(),
    /** Where browsers load it: absolute, and the same for ever. */
    url: z.string(),
    type: imageFileTypeSchema,
    bytes: z.int(),
    widthPixels: z.int(),
    heightPixels: z.int(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Image" });
export type Image = z.infer<typeof imageSchema>;

/** What of the project shows a picture. What has ended is not counted. */
export const imageUsesSchema = z
  .object({
    drafts: z.int(),
    /** Scheduled, sending or paused: as long as there is one, the picture cannot be removed. */
    messages: z.int(),
  })
  .meta({ id: "ImageUses" });
export type ImageUses = z.infer<typeof imageUsesSchema>;

export const imageListSchema = z
  .object({
    /** Newest first. */
    images: z.array(imageSchema),
  })
  .meta({ id: "ImageList" });
export type ImageList = z.infer<typeof imageListSchema>;
