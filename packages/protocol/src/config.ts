import { z } from "zod";
import { vapidKeySchema } from "./registration.ts";

/** The element of the page that carries its configuration: `<script type="application/json">`. */
export const pageConfigElementId = "sineta-config";

/** What the server writes into its page, so that the bell can show without a request. */
export const pageConfigSchema = z.object({
  /** Origin of the server; empty where the page comes from the server itself. */
  server: z.string(),
  project: z.string(),
  vapidKey: vapidKeySchema,
  /** Address of the service worker's file, on the page's own origin. */
  worker: z.string(),
  /** Whether `http://localhost` and its kin count as secure: only a server run for development says so. */
  allowLoopback: z.boolean(),
});
export type PageConfig = z.infer<typeof pageConfigSchema>;

/** What the server writes into the console's page: beside it Sineta's own origins, since the console works at no other one. */
export type ConsoleConfig = PageConfig & { ownOrigins: string[] };

/** Answer of `GET /v1/projects/{project}/config`. */
export const projectConfigSchema = z
  .object({
    vapidKey: vapidKeySchema,
    limits: z.object({ plaintextBytes: z.int() }),
  })
  .meta({ id: "ProjectConfig" });
export type ProjectConfig = z.infer<typeof projectConfigSchema>;
