import { z } from "zod";
import { vapidKeySchema } from "./registration.ts";

/** Answer of `GET /v1/projects/{project}/installation`: what a site needs to know, and how the server was set. No secrets. */
export const installationSchema = z
  .object({
    /** As in the settings. */
    displayName: z.string(),
    /** Where Sineta itself is reached. Ends in a slash. */
    serverUrl: z.url(),
    /** Whether that was said by SINETA_PUBLIC_URL. */
    publicUrlIsSet: z.boolean(),
    /** Whether `http://localhost` and its kin count as secure. */
    allowLoopback: z.boolean(),
    /** Exact origins of all pages that may register: Sineta's own, then the others. */
    origins: z.array(z.string()),
    /** Of these, Sineta's own, where the console is. */
    ownOrigins: z.array(z.string()),
    /** What says which others there are: SINETA_ORIGINS, or the project's settings. */
    originsSource: z.enum(["environment", "settings"]),
    /** Address of the worker's file at this server, and by default at a page's own origin. */
    worker: z.string(),
    /** The newest first: the one to subscribe with. Older ones serve the subscriptions that were made with them. */
    vapidKeys: z.array(z.object({ publicKey: vapidKeySchema, createdAt: z.iso.datetime() })),
    /** Whom a push service may write to. */
    vapidSubject: z.string(),
    /** Days for which is kept what nothing needs any more. */
    keepDays: z.object({ ended: z.int(), receipts: z.int(), audit: z.int() }),
    /** Of the server's package. */
    version: z.string(),
  })
  .meta({ id: "Installation" });
export type Installation = z.infer<typeof installationSchema>;
