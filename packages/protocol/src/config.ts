import { z } from "zod";
import { vapidKeySchema } from "./registration.ts";

/** The element of the page that carries its configuration: `<script type="application/json">`. */
export const pageConfigElementId = "sineta-config";

/** What the server writes into its page, so that the bell can show without a request. */
export const pageConfigSchema = z.object({
  server: z
    .string()
    .describe("Origin of the server; empty where the page comes from the server itself."),
  project: z.string().describe("Name of the project."),
  vapidKey: vapidKeySchema,
  worker: z.string().describe("Address of the service worker's file, on the page's own origin."),
  allowLoopback: z
    .boolean()
    .describe(
      "Whether `http://localhost` and its kin count as secure: only a server run for development says so.",
    ),
});
export type PageConfig = z.infer<typeof pageConfigSchema>;

/** What the server writes into the console's page: beside it Sineta's own origins, since the console works at no other one. */
export type ConsoleConfig = PageConfig & { ownOrigins: string[] };

/** Answer of `GET /v1/projects/{project}/config`. */
export const projectConfigSchema = z
  .object({
    vapidKey: vapidKeySchema.describe(
      "The project's VAPID public key: what a browser subscribes with.",
    ),
    limits: z
      .object({
        plaintextBytes: z
          .int()
          .describe("The largest notification that a push carries, in bytes of JSON."),
      })
      .describe("Bounds that a page may want to know."),
  })
  .meta({ id: "ProjectConfig" });
export type ProjectConfig = z.infer<typeof projectConfigSchema>;
