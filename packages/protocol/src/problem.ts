import { z } from "zod";

/** The body of every error answer: `application/problem+json` (RFC 9457) with a stable `code`. */
export const problemSchema = z
  .object({
    /** Address of the entry in docs/errors.md. */
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    /** What to do about it. */
    detail: z.string(),
    /** For `internal`: `urn:uuid:` and the request id, under which the server's log holds the cause. */
    instance: z.string().optional(),
    /** Which fields are wrong, and what each should be. */
    fields: z
      .array(
        z.object({
          path: z.string(),
          message: z.string(),
          /** Of `topic-unknown`: the name that no topic has. */
          name: z.string().optional(),
          /** Of `condition-invalid`: the first character that cannot be read; counted from 1. */
          position: z.int().optional(),
        }),
      )
      .optional(),
    /** Of `draft-published`: the message that it was published as. */
    messageId: z.uuid().optional(),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof problemSchema>;
