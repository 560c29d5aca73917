import { z } from "zod";
import { vapidKeySchema } from "./registration.ts";

/** Answer of `GET /v1/projects/{project}/installation`: what a site needs to know, and how the server was set. No secrets. */
export const installationSchema = z
  .object({
    displayName: z.string().describe("As in the settings."),
    serverUrl: z.url().describe("Where Sineta itself is reached. Ends in a slash."),
    publicUrlIsSet: z.boolean().describe("Whether that was said by SINETA_PUBLIC_URL."),
    allowLoopback: z.boolean().describe("Whether `http://localhost` and its kin count as secure."),
    origins: z
      .array(z.string())
      .describe("Exact origins of all pages that may register: Sineta's own, then the others."),
    ownOrigins: z.array(z.string()).describe("Of these, Sineta's own, where the console is."),
    originsSource: z
      .enum(["environment", "settings"])
      .describe("What says which others there are: SINETA_ORIGINS, or the project's settings."),
    worker: z
      .string()
      .describe(
        "Address of the worker's file at this server, and by default at a page's own origin.",
      ),
    vapidKeys: z
      .array(
        z.object({
          publicKey: vapidKeySchema.describe("The public key: what a browser subscribes with."),
          createdAt: z.iso.datetime().describe("When it was made."),
        }),
      )
      .describe(
        "The newest first: the one to subscribe with. Older ones serve the subscriptions that were made with them.",
      ),
    vapidSubject: z.string().describe("Whom a push service may write to."),
    keepDays: z
      .object({
        ended: z.int().describe("Days for messages and registrations that have ended."),
        receipts: z.int().describe("Days for receipts."),
        audit: z.int().describe("Days for the audit."),
      })
      .describe("Days for which is kept what nothing needs any more."),
    version: z.string().describe("Of the server's package."),
  })
  .meta({ id: "Installation" });
export type Installation = z.infer<typeof installationSchema>;
