import { z } from "zod";

/** Media type of each kind of image that may be uploaded, by the ending of its address. */
export const imageTypes = { png: "image/png", jpg: "image/jpeg", webp: "image/webp" } as const;

export const imageFileTypeSchema = z
  .enum(["png", "jpg", "webp"])
  .describe("What kind of file it is.");
export type ImageFileType = z.infer<typeof imageFileTypeSchema>;

/** A picture that notifications can show. */
export const imageSchema = z
  .object({
    hash: z.string().describe("SHA-256 of its bytes, base64url."),
    url: z.string().describe("Where browsers load it: absolute, and the same for ever."),
    type: imageFileTypeSchema,
    bytes: z.int().describe("Its size."),
    widthPixels: z.int().describe("Its width."),
    heightPixels: z.int().describe("Its height."),
    createdAt: z.iso.datetime().describe("When it was uploaded."),
  })
  .meta({ id: "Image" });
export type Image = z.infer<typeof imageSchema>;

/** What of the project shows a picture. What has ended is not counted. */
export const imageUsesSchema = z
  .object({
    drafts: z.int().describe("Drafts that show it."),
    messages: z
      .int()
      .describe(
        "Scheduled, sending or paused: as long as there is one, the picture cannot be removed.",
      ),
  })
  .meta({ id: "ImageUses" });
export type ImageUses = z.infer<typeof imageUsesSchema>;

export const imageListSchema = z
  .object({
    images: z.array(imageSchema).describe("Newest first."),
  })
  .meta({ id: "ImageList" });
export type ImageList = z.infer<typeof imageListSchema>;
