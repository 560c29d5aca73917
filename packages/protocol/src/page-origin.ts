import { z } from "zod";
import { limits } from "./limits.ts";

/**
 * The origin that a text names exactly, as browsers write it in the Origin header; null if it names none. A bare slash
 * behind it is forgiven; a path, a user and a wildcard are not.
 */
export function pageOriginOf(text: string): string | null {
  const trimmed = text.trim();
  if (!/^https?:\/\/[^/\\@*?#]+\/?$/i.test(trimmed)) return null;
  if (trimmed.length > limits.originCharacters || !URL.canParse(trimmed)) return null;
  return new URL(trimmed).origin;
}

/** What is expected where `pageOriginOf` gives null. */
export const pageOriginExpected =
  "exact origins such as https://example.com, without path, user or wildcard";

const pageOriginSchema = z
  .string()
  .overwrite((text) => pageOriginOf(text) ?? text)
  .refine((text) => pageOriginOf(text) !== null, `expected ${pageOriginExpected}`);

/** Without those that are named twice, in the order in which they are given. */
export const pageOriginsSchema = z
  .array(pageOriginSchema)
  .max(limits.originsPerProject)
  .overwrite((origins) => [...new Set(origins)]);

/** Answer of `GET /v1/projects/{project}/origins`. */
export const originUseSchema = z
  .object({
    origins: z
      .array(
        z.object({
          origin: z.string().describe("Of pages."),
          registrations: z
            .int()
            .describe("Live registrations that were made on pages of this origin."),
          allowed: z.boolean().describe("Whether pages of this origin may register now."),
        }),
      )
      .describe("Each that may register, or has live registrations."),
  })
  .meta({ id: "OriginUse" });
export type OriginUse = z.infer<typeof originUseSchema>;
