import { z } from "zod";
import { limits } from "./limits.ts";
import { pageOriginsSchema } from "./page-origin.ts";
import { textSchema } from "./text-schema.ts";
import { textRules } from "./text.ts";

/** What an owner can set for a project. */
export const settingsSchema = z
  .strictObject({
    displayName: textSchema(textRules.displayName).describe(
      "What people read as the project's name, beside the stable one in addresses; empty: it has none yet.",
    ),
    receipts: z.boolean().describe("Whether browsers report what becomes of a notification."),
    registrationsQuota: z
      .int()
      .min(0)
      .max(limits.registrationsQuota)
      .describe("Live registrations that the project may have."),
    origins: pageOriginsSchema.describe(
      "Of pages that may register, beside Sineta's own origin; SINETA_ORIGINS rules where it is set.",
    ),
    messagesPerHourQuota: z
      .int()
      .min(0)
      .max(limits.messagesPerHourQuota)
      .describe("Messages that may be published within any hour."),
  })
  .meta({ id: "ProjectSettings" });
export type ProjectSettings = z.infer<typeof settingsSchema>;

/** What is left out stays as it is. */
export const settingsChangeSchema = settingsSchema.partial().meta({ id: "SettingsChange" });
export type SettingsChange = z.infer<typeof settingsChangeSchema>;
