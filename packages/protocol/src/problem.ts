import { z } from "zod";

/** The body of every error answer: `application/problem+json` (RFC 9457) with a stable `code`. */
export const problemSchema = z
  .object({
    type: z.url().describe("Address of the error's entry on the server's page of errors."),
    title: z.string().describe("What happened."),
    status: z.int().describe("The HTTP status."),
    code: z
      .string()
      .describe(
        "The stable code: programs compare this and nothing else. /docs/errors of the server has all of them, and so has docs/errors.md.",
      ),
    detail: z.string().describe("What to do about it."),
    instance: z
      .string()
      .optional()
      .describe(
        "For `internal`: `urn:uuid:` and the request id, under which the server's log holds the cause.",
      ),
    fields: z
      .array(
        z.object({
          path: z
            .string()
            .describe("Where the field stands, such as `notification.actions.0.title`."),
          message: z.string().describe("What it should be."),
          name: z.string().optional().describe("Of `topic-unknown`: the name that no topic has."),
          position: z
            .int()
            .optional()
            .describe(
              "Of `condition-invalid`: the first character that cannot be read; counted from 1.",
            ),
        }),
      )
      .optional()
      .describe("Which fields are wrong, and what each should be."),
    messageId: z
      .uuid()
      .optional()
      .describe(
        "Of `draft-published`: the message that it was published as. Of `message-replaced`: the message that replaced it.",
      ),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof problemSchema>;
