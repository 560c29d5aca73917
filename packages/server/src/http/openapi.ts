/** What the descriptions of routes have in common. */
import { z } from "@hono/zod-openapi";
import { clientSecretHeader, clientSecretSchema, problemSchema } from "@sineta/protocol";

export const projectParameter = z.object({ project: z.string() });

/** As Hono gives header names: in lower case. */
export const secretHeaderName = clientSecretHeader.toLowerCase();
export const secretHeader = z.object({ [secretHeaderName]: clientSecretSchema });

export function answer<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { "application/json": { schema } } };
}

/** @param codes those of the catalogue that an answer of this status may have, each in backquotes */
export function problem(codes: string) {
  return {
    description: codes,
    content: { "application/problem+json": { schema: problemSchema } },
  };
}
