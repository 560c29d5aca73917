import { z } from "zod";
import { jsonObjectSchema } from "./json.ts";
import { limits } from "./limits.ts";

/**
 * What somebody is writing: whatever was typed, also what could not be published yet. Its shape is the console's own;
 * of its fields the server reads `title` alone, if it is text.
 */
export const draftContentSchema = jsonObjectSchema(limits.dataDepth);
export type DraftContent = z.infer<typeof draftContentSchema>;

/** Who chose a draft's id is whoever began it: saving again after a lost answer makes no second one. */
export const draftIdSchema = z.uuid();

/** Body of `PUT /v1/projects/{project}/drafts/{id}`. */
export const draftSaveSchema = z
  .strictObject({
    /** Of the draft that was changed; 0 for one that is not there yet. */
    revision: z.int().min(0),
    content: draftContentSchema,
  })
  .meta({ id: "DraftSave" });
export type DraftSave = z.infer<typeof draftSaveSchema>;

export const draftSummarySchema = z
  .object({
    id: draftIdSchema,
    /** Grows by one with each change. */
    revision: z.int(),
    /** Empty where none is written yet. */
    title: z.string(),
    createdAt: z.iso.datetime(),
    changedAt: z.iso.datetime(),
    /** Name of the operator who changed it last; null where that one is not there any more. */
    changedBy: z.string().nullable(),
  })
  .meta({ id: "DraftSummary" });
export type DraftSummary = z.infer<typeof draftSummarySchema>;

export const draftSchema = draftSummarySchema
  .extend({ content: draftContentSchema })
  .meta({ id: "Draft" });
export type Draft = z.infer<typeof draftSchema>;

export const draftListSchema = z
  .object({
    /** The one that was changed last first. */
    drafts: z.array(draftSummarySchema),
  })
  .meta({ id: "DraftList" });
export type DraftList = z.infer<typeof draftListSchema>;
