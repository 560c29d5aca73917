import { z } from "zod";
import type { JsonValue } from "./json.ts";
import { limits } from "./limits.ts";
import { isLink, linkExpected, trimmedLink } from "./link.ts";
import { textSchema } from "./text-schema.ts";
import { textRules } from "./text.ts";

const linkSchema = z
  .string()
  .overwrite(trimmedLink)
  .max(limits.linkCharacters, { abort: true })
  .refine(isLink, linkExpected);

/** What an operator says: the notification before it is addressed to anyone. */
export const notificationSchema = z
  .strictObject({
    title: textSchema(textRules.title).describe("The first line of the notification."),
    body: textSchema(textRules.body).optional().describe("The text below the title."),
    link: linkSchema
      .optional()
      .describe(
        `Where a click leads: ${linkExpected}. Without it, to the start page of the site. Pictures and buttons take such addresses, too.`,
      ),
    icon: linkSchema.optional().describe("Picture beside the text."),
    image: linkSchema
      .optional()
      .describe("Large picture below the text, where the browser shows one."),
    badge: linkSchema
      .optional()
      .describe("Small monochrome picture for the status bar, on Android."),
    tag: z
      .string()
      .min(1)
      .max(limits.tagCharacters)
      .optional()
      .describe(
        "A later notification with the same tag takes its place. Without it, the message's id.",
      ),
    renotify: z
      .boolean()
      .optional()
      .describe("Whether taking the place of one with the same tag rings again."),
    silent: z.boolean().optional().describe("Without sound and vibration."),
    requireInteraction: z
      .boolean()
      .optional()
      .describe("Stays until the visitor acts, where the browser allows that."),
    lang: z
      .string()
      .max(limits.languageCharacters)
      .refine(isLanguage, "a language tag such as pt-BR")
      .optional()
      .describe("BCP 47."),
    dir: z
      .enum(["auto", "ltr", "rtl"])
      .optional()
      .describe("Direction of the text; `auto` unless given."),
    timestamp: z
      .int()
      .min(0)
      .max(8_640_000_000_000_000)
      .optional()
      .describe("When what it tells of happened or will happen: milliseconds since 1970."),
    actions: z
      .array(
        z.strictObject({
          action: z
            .string()
            .regex(/^[A-Za-z0-9_.~-]{1,64}$/, "1 to 64 of A-Z a-z 0-9 _ . ~ -")
            .describe("What the receipt of a click names."),
          title: textSchema(textRules.actionTitle).describe("What stands on the button."),
          link: linkSchema
            .optional()
            .describe("Where a click on it leads. Without it, where the notification leads."),
        }),
      )
      .max(limits.actions)
      .refine(
        (actions) => new Set(actions.map(({ action }) => action)).size === actions.length,
        "each action once",
      )
      .optional()
      .describe("Buttons, as far as the browser shows any."),
  })
  .meta({ id: "Notification", description: "What the notification says and does." });
export type NotificationContent = z.infer<typeof notificationSchema>;

/** A notification that the server keeps. An earlier version may have taken texts and links that `notificationSchema` refuses. */
export const keptNotificationSchema = notificationSchema
  .extend({
    title: z.string().describe("The first line of the notification."),
    body: z.string().optional().describe("The text below the title."),
    link: z
      .string()
      .optional()
      .describe("Where a click leads. Without it, to the start page of the site."),
    icon: z.string().optional().describe("Picture beside the text."),
    image: z
      .string()
      .optional()
      .describe("Large picture below the text, where the browser shows one."),
    badge: z
      .string()
      .optional()
      .describe("Small monochrome picture for the status bar, on Android."),
    actions: z
      .array(
        z.strictObject({
          action: z.string().describe("What the receipt of a click names."),
          title: z.string().describe("What stands on the button."),
          link: z
            .string()
            .optional()
            .describe("Where a click on it leads. Without it, where the notification leads."),
        }),
      )
      .optional()
      .describe("Buttons, as far as the browser shows any."),
  })
  .meta({
    id: "KeptNotification",
    description:
      "What the notification says and does. An earlier version may have taken texts and links that this one refuses.",
  });

/**
 * What is sealed into a push: Declarative Web Push (W3C Push API, "declarative push message"), so that Safari
 * can show it without a worker and everyone else reads the same shape. `mutable` makes Safari fire a push event.
 */
export type PushPayload = {
  web_push: 8030;
  mutable: true;
  notification: {
    title: string;
    body?: string;
    /** Absolute address that a click opens. */
    navigate: string;
    tag: string;
    icon?: string;
    image?: string;
    badge?: string;
    renotify?: boolean;
    silent?: boolean;
    requireInteraction?: boolean;
    lang?: string;
    dir?: "auto" | "ltr" | "rtl";
    timestamp?: number;
    actions?: { action: string; title: string; navigate: string }[];
    /** The message's own data, and beside it ours. */
    data: {
      [name: string]: JsonValue;
      sineta: {
        messageId: string;
        /** For the receipts of this message from this registration (receipt.ts). */
        receiptKey: string;
      };
    };
  };
};

function isLanguage(value: string): boolean {
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false;
  }
}
