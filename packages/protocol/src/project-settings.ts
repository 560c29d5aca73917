import { z } from "zod";
import { limits } from "./limits.ts";

/** What an owner can set for a project. */
export const settingsSchema = z
  .strictObject({
    /** Whether browsers report what becomes of a notification. */
    receipts: z.boolean(),
    /** Live registrations that the project may have. */
    registrationsQuota: z.int().min(0).max(limits.registrationsQuota),
    /** Messages that may be published within any hour. */
    messagesPerHourQuota: z.int().min(0).max(limits.messagesPerHourQuota),
  })
  .meta({ id: "ProjectSettings" });
export type ProjectSettings = z.infer<typeof settingsSchema>;

/** What is left out stays as it is. */
export const settingsChangeSchema = settingsSchema.partial().meta({ id: "SettingsChange" });
export type SettingsChange = z.infer<typeof settingsChangeSchema>;
