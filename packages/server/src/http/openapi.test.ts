import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { appBench, origin, type AppBench } from "../test/app-bench.ts";

type Json = Record<string, unknown>;
const jsonSchema = z.record(z.string(), z.unknown());
const contentSchema = z.record(
  z.string(),
  z.object({
    schema: jsonSchema,
    example: z.unknown().optional(),
    examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
  }),
);
const partSchema = z.object({
  description: z.string().optional(),
  content: contentSchema.default({}),
  headers: z.record(z.string(), z.object({ schema: jsonSchema })).default({}),
});
const operationSchema = z.object({
  summary: z.string().optional(),
  tags: z.array(z.string()).length(1),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), description: z.string().optional() }))
    .default([]),
  requestBody: partSchema.optional(),
  responses: z.record(z.string(), partSchema),
});
const documentSchema = z.object({
  servers: z.array(z.object({ url: z.string() })),
  externalDocs: z.object({ url: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), jsonSchema) }),
});

let bench: AppBench;
let document: z.infer<typeof documentSchema>;
beforeEach(async () => {
  bench = await appBench();
  const response = await bench.app.request("/v1/openapi.json");
  document = documentSchema.parse(await response.json());
});
afterEach(() => bench.close());

function operations() {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation,
    })),
  );
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** By itself, by the component that it is, or by one of those that it may be. */
function isDescribed(schema: Json): boolean {
  if (typeof schema["description"] === "string" && schema["description"] !== "") return true;
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const component = document.components.schemas[reference.split("/").at(-1) ?? ""];
    return component !== undefined && isDescribed(component);
  }
  return ["allOf", "anyOf", "oneOf"].some((key) => {
    const parts = schema[key];
    return Array.isArray(parts) && parts.filter(isJson).some(isDescribed);
  });
}

/** Every property without a description, anywhere below. */
function undescribed(value: unknown, where: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => undescribed(each, where));
  if (!isJson(value)) return [];
  const { properties = {}, example: _, examples: __, ...rest } = value;
  const own = Object.entries(jsonSchema.parse(properties)).flatMap(([name, property]) => {
    const place = `${where}.${name}`;
    const missing = isJson(property) && !isDescribed(property) ? [place] : [];
    return missing.concat(undescribed(property, place));
  });
  return [...own, ...Object.values(rest).flatMap((each) => undescribed(each, where))];
}

test("every property is described", () => {
  const inComponents = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    undescribed(schema, name),
  );
  const inOperations = operations().flatMap(({ name, operation }) =>
    [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
      undescribed(part?.content, name),
    ),
  );
  expect([...inComponents, ...inOperations]).toEqual([]);
  expect(Object.keys(document.components.schemas).length).toBeGreaterThan(50);
});

test("every parameter and header is described, and every operation has a summary", () => {
  const missing = operations().flatMap(({ name, operation }) => {
    const parameters = operation.parameters
      .filter(({ description }) => description === undefined)
      .map((parameter) => `${name}: ${parameter.name}`);
    const headers = Object.values(operation.responses).flatMap((response) =>
      Object.entries(response.headers)
        .filter(([, { schema }]) => !isDescribed(schema))
        .map(([header]) => `${name}: ${header}`),
    );
    const summary = operation.summary === undefined ? [name] : [];
    return [summary, parameters, headers].flat();
  });
  expect(missing).toEqual([]);
  expect(operations().length).toBeGreaterThan(50);
});

test("every pattern is one as JSON Schema has them: without the flags of a literal", () => {
  const text = JSON.stringify(document.components.schemas);
  const patterns = [...text.matchAll(/"pattern":"((?:[^"\\]|\\.)*)"/g)].map(([, each]) => each);
  expect(patterns.length).toBeGreaterThan(10);
  expect(patterns.filter((each) => !each?.endsWith("$"))).toEqual([]);
});

test("every operation is in a group that the document has", () => {
  const groups = document.tags.map(({ name }) => name);
  const used = operations().flatMap(({ operation }) => operation.tags);
  expect(new Set(used)).toEqual(new Set(groups));
});

test("it names the address of Sineta itself, and of the page of errors there", () => {
  expect(document.servers).toMatchObject([{ url: origin }]);
  expect(document.externalDocs.url).toBe(`${origin}/docs/errors`);
});

const jsonType = "application/json";

function examplesOf(part: z.infer<typeof partSchema> | undefined): unknown[] {
  const media = part?.content[jsonType];
  if (media === undefined) return [];
  const named = Object.values(media.examples ?? {}).map(({ value }) => value);
  return media.example === undefined ? named : [media.example, ...named];
}

test("every operation with a JSON body has an example of it", () => {
  const missing = operations()
    .filter(({ operation }) => operation.requestBody?.content[jsonType] !== undefined)
    .filter(({ operation }) => examplesOf(operation.requestBody).length === 0);
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test("every operation that an API key may call has an example of its answer", () => {
  const missing = operations()
    .filter(({ path }) => /\/(messages|topics|registrations|audience|config)\b/.test(path))
    .filter(({ operation }) =>
      Object.entries(operation.responses).some(
        ([status, response]) =>
          status.startsWith("2") &&
          response.content[jsonType] !== undefined &&
          examplesOf(response).length === 0,
      ),
    );
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test("every example fits the schema of its route, with no field beside", () => {
  let seen = 0;
  for (const definition of bench.app.openAPIRegistry.definitions) {
    if (definition.type !== "route") continue;
    const { path, method, request, responses } = definition.route;
    const operation = document.paths[path]?.[method];
    const parts = [
      [request?.body?.content, operation?.requestBody] as const,
      ...Object.entries(responses).map(
        ([status, response]) =>
          [
            "content" in response ? response.content : undefined,
            operation?.responses[status],
          ] as const,
      ),
    ];
    for (const [content, part] of parts) {
      const media = content?.[jsonType];
      const schema = media !== undefined && "schema" in media ? media.schema : undefined;
      for (const example of examplesOf(part)) {
        if (!(schema instanceof z.ZodType)) throw new Error(`${method} ${path} has no zod schema`);
        expect(schema.parse(example), `${method} ${path}`).toEqual(example);
        seen += 1;
      }
    }
  }
  expect(seen).toBeGreaterThan(50);
});
