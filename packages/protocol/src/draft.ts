import { z } from "zod";
import { jsonObjectSchema } from "./json.ts";
import { limits } from "./limits.ts";

/**
 * What somebody is writing: whatever was typed, also what could not be published yet. Its shape is the console's own;
 * of its fields the server reads `title`, if it is text, and `replaces`, if it is an id.
 */
export const draftContentSchema = jsonObjectSchema(limits.dataDepth);
export type DraftContent = z.infer<typeof draftContentSchema>;

/** Who chose a draft's id is whoever began it: saving again after a lost answer makes no second one. */
export const draftIdSchema = z
  .uuid()
  .describe("The draft's id: a UUID that whoever began it has chosen.");

/** Body of `PUT /v1/projects/{project}/drafts/{id}`. */
export const draftSaveSchema = z
  .strictObject({
    revision: z
      .int()
      .min(0)
      .describe("Of the draft that was changed; 0 for one that is not there yet."),
    content: draftContentSchema.describe(
      "The fields of a message as far as they are written. The server keeps them and reads `title` and `replaces` alone.",
    ),
  })
  .meta({ id: "DraftSave" });
export type DraftSave = z.infer<typeof draftSaveSchema>;

export const draftSummarySchema = z
  .object({
    id: draftIdSchema.describe("The draft's id: a UUID that whoever began it has chosen."),
    revision: z.int().describe("Grows by one with each change."),
    title: z.string().describe("Empty where none is written yet."),
    createdAt: z.iso.datetime().describe("When it was begun."),
    changedAt: z.iso.datetime().describe("When it was changed last."),
    changedBy: z
      .string()
      .nullable()
      .describe(
        "Name of the operator who changed it last; null where that one is not there any more.",
      ),
    replaces: z
      .uuid()
      .optional()
      .describe("Id of the scheduled message that it changes; absent if it changes none."),
  })
  .meta({ id: "DraftSummary" });
export type DraftSummary = z.infer<typeof draftSummarySchema>;

export const draftSchema = draftSummarySchema
  .extend({
    content: draftContentSchema.describe("The fields of a message as far as they are written."),
  })
  .meta({ id: "Draft" });
export type Draft = z.infer<typeof draftSchema>;

export const draftListSchema = z
  .object({
    drafts: z.array(draftSummarySchema).describe("The one that was changed last first."),
  })
  .meta({ id: "DraftList" });
export type DraftList = z.infer<typeof draftListSchema>;
