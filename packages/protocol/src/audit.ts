import { z } from "zod";

/** Who did what to what, when and from where. */
export const auditLineSchema = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  actor: z.object({
    kind: z.enum(["operator", "api-key", "command-line", "server", "nobody"]),
    /** E-mail address, prefix of an API key, or name of the system's user. */
    name: z.string(),
  }),
  action: z.string(),
  subject: z.string(),
  /** IP address; null on the command line. */
  address: z.string().nullable(),
  /** New values by their names; null where the action says it all. */
  change: z.record(z.string(), z.unknown()).nullable(),
});
export type AuditLineBody = z.infer<typeof auditLineSchema>;

export const auditListSchema = z.object({
  /** Newest first. */
  lines: z.array(auditLineSchema),
  /** To be given as `before` for the lines before these; absent where there are none. */
  next: z.int().optional(),
});
export type AuditList = z.infer<typeof auditListSchema>;
