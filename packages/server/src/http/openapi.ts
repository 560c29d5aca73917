/** What the descriptions of routes have in common. */
import { z } from "@hono/zod-openapi";
import {
  clientSecretHeader,
  clientSecretSchema,
  messageDataSchema,
  problemSchema,
} from "@sineta/protocol";

/** It is looked at by a function, so what it is has to be said. */
messageDataSchema.register(z.globalRegistry, { type: "object", additionalProperties: true });

export const projectParameter = z.object({ project: z.string() });

/** As Hono gives header names: in lower case. */
export const secretHeaderName = clientSecretHeader.toLowerCase();
export const secretHeader = z.object({ [secretHeaderName]: clientSecretSchema });

export function answer<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { "application/json": { schema } } };
}

/** For routes that take an API key; app.ts describes the scheme. */
export const apiKeySecurity: { apiKey: string[] }[] = [{ apiKey: [] }];

/** @param codes those of the catalogue that an answer of this status may have, each in backquotes */
export function problem(codes: string) {
  return {
    description: codes,
    content: { "application/problem+json": { schema: problemSchema } },
  };
}

/** What every route may answer that takes an API key. */
export const apiKeyProblems = { 401: problem("`api-key-missing`, `api-key-invalid`") };

/** What every route may answer that writes. */
export const writeProblems = { 507: problem("`storage-full`") };
