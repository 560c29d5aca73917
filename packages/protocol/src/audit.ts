import { z } from "zod";

/** Who did what to what, when and from where. */
export const auditLineSchema = z.object({
  id: z.int().describe("Grows with each line."),
  at: z.iso.datetime().describe("When it was done."),
  actor: z
    .object({
      kind: z
        .enum(["operator", "api-key", "command-line", "server", "nobody"])
        .describe("What kind of actor it is. `nobody`: a visitor who was not logged in."),
      name: z
        .string()
        .describe("E-mail address, prefix of an API key, or name of the system's user."),
    })
    .describe("Who did it."),
  action: z.string().describe("What was done, such as `topic.created`."),
  subject: z.string().describe("What it was done to, such as a topic's name or a message's id."),
  address: z.string().nullable().describe("IP address; null on the command line."),
  change: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("New values by their names; null where the action says it all."),
});
export type AuditLineBody = z.infer<typeof auditLineSchema>;

export const auditListSchema = z
  .object({
    lines: z.array(auditLineSchema).describe("Newest first."),
    next: z
      .int()
      .optional()
      .describe("To be given as `before` for the lines before these; absent where there are none."),
  })
  .meta({ id: "AuditList" });
export type AuditList = z.infer<typeof auditListSchema>;
