import { z } from "zod";
import { limits } from "./limits.ts";

/** `http:` or `https:`, or a path that is resolved against the origin of the browser's page. */
const linkSchema = z
  .string()
  .max(limits.linkCharacters)
  .refine(isLink, "an http(s) address, or a path that begins with /");

/** What an operator says: the notification before it is addressed to anyone. */
export const notificationSchema = z.object({
  title: z.string().trim().min(1).max(limits.titleCharacters),
  body: z.string().max(limits.bodyCharacters).optional(),
  /** Where a click leads. Without it, to the start page of the site. */
  link: linkSchema.optional(),
  icon: linkSchema.optional(),
  /** Buttons, as far as the browser shows any. */
  actions: z
    .array(
      z.object({
        /** What the receipt of a click names. */
        action: z.string().regex(/^[A-Za-z0-9_.~-]{1,64}$/),
        title: z.string().trim().min(1).max(limits.actionTitleCharacters),
        /** Where a click on it leads. Without it, where the notification leads. */
        link: linkSchema.optional(),
      }),
    )
    .max(limits.actions)
    .refine(
      (actions) => new Set(actions.map(({ action }) => action)).size === actions.length,
      "each action once",
    )
    .optional(),
});
export type NotificationContent = z.infer<typeof notificationSchema>;

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
    lang?: string;
    dir?: "auto" | "ltr" | "rtl";
    silent?: boolean;
    actions?: { action: string; title: string; navigate: string }[];
    data: {
      sineta: {
        messageId: string;
        /** For the receipts of this message from this registration (receipt.ts). */
        receiptKey: string;
      };
    };
  };
};

function isLink(value: string): boolean {
  if (value.startsWith("/")) return !value.startsWith("//") && !value.startsWith("/\\");
  const url = URL.parse(value);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:");
}
