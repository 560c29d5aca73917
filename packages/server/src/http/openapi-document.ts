/** What the OpenAPI document says beyond the descriptions of the routes. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { errorsPath } from "./docs-page.ts";
import { examples } from "./openapi-examples.ts";

type Document = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;
type Info = Parameters<OpenAPIHono["getOpenAPI31Document"]>[0];
type Operation = NonNullable<NonNullable<Document["paths"]>[string]["get"]>;
type Content = Record<string, { schema?: object; example?: unknown; examples?: object }>;

/** Groups of operations, in the order in which a reference shows them; the first path that fits counts. */
const groups: { name: string; description: string; path: RegExp }[] = [
  {
    name: "Messages",
    description:
      "Publish a message, follow it, cancel it. What a site's backend calls with an API key.",
    path: /\/messages\b/,
  },
  {
    name: "Topics",
    description: "Make topics, and put registrations into them.",
    path: /^\/v1\/projects\/\{project\}\/topics\b/,
  },
  {
    name: "Pages",
    description:
      "What a page and its service worker call for their own browser. The client does it: few write this by hand.",
    path: /\/(config|receipts)$|\/registrations\/\{token\}\/(forget|look|topics)/,
  },
  {
    name: "Registrations",
    description: "Register a browser, and look at those that are registered.",
    path: /\/registrations\b/,
  },
  {
    name: "Audience",
    description: "Figures of the audience, and what needs somebody now.",
    path: /\/(audience|attention)\b/,
  },
  {
    name: "Drafts and pictures",
    description: "What the console keeps while a notice is written.",
    path: /\/(drafts|images)\b/,
  },
  {
    name: "Project",
    description: "Settings, API keys, operators, invitations and the audit of a project.",
    path: /^\/v1\/projects\//,
  },
  {
    name: "Operators",
    description: "Log-in, sessions, second factors and passkeys.",
    path: /^/,
  },
];

const description =
  "The interface of a Sineta server. Send an API key as `Authorization: Bearer KEY`; " +
  "`sineta api-keys create` makes one, and so does the console. Every error is a problem (RFC 9457) with a stable " +
  "`code`. Times are ISO 8601.";

/** @param serverUrl where Sineta itself is reached */
export function documentInfo(serverUrl: string): Info {
  return {
    openapi: "3.1.0",
    info: {
      title: "Sineta",
      version: "1",
      description,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    externalDocs: {
      url: new URL(errorsPath, serverUrl).href,
      description: "Every error code, and what to do",
    },
    servers: [{ url: new URL(serverUrl).origin, description: "This server" }],
    tags: groups.map(({ name, description: about }) => ({ name, description: about })),
  };
}

/** The document as it is served: with each operation's group, callers and examples. */
export function documentText(document: Document): string {
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    const group = groups.find((each) => each.path.test(path));
    for (const operation of operationsOf(item)) {
      if (group !== undefined) operation.tags = [group.name];
      const callers = callersOf(operation);
      if (callers !== null) operation.description ??= callers;
      const { requestBody, responses = {} } = operation;
      for (const part of [requestBody, ...Object.values(responses)]) {
        if (hasContent(part)) addExamples(part.content);
      }
    }
  }
  return JSON.stringify(document, withoutFlags);
}

/** The generator writes a pattern's flag behind it; JSON Schema takes every pattern as one with `u`. */
function withoutFlags(key: string, value: unknown): unknown {
  return key === "pattern" && typeof value === "string" ? value.replace(/\/u$/, "") : value;
}

/** As references show it that leave out `security`'s scopes. */
function callersOf({ security = [] }: Operation): string | null {
  const scopes = security.flatMap(({ apiKey = [] }) => apiKey);
  const roles = security.flatMap(({ session = [] }) => session);
  const ways = [
    ...scopes.map((scope) => `an API key with the scope \`${scope}\``),
    ...roles.map((role) => `an operator who is \`${role}\` or more`),
  ];
  return ways.length === 0 ? null : `For ${ways.join(", or ")}.`;
}

function operationsOf(item: NonNullable<Document["paths"]>[string]): Operation[] {
  const { get, post, put, patch, delete: remove } = item;
  return [get, post, put, patch, remove].filter((each) => each !== undefined);
}

function hasContent(part: unknown): part is { content: Content } {
  return typeof part === "object" && part !== null && "content" in part;
}

function addExamples(content: Content): void {
  for (const media of Object.values(content)) {
    const names = namesOf(media.schema).filter((name) => Object.hasOwn(examples, name));
    const [first, ...more] = names;
    if (first === undefined) continue;
    if (more.length === 0) media.example = examples[first];
    else {
      media.examples = Object.fromEntries(names.map((name) => [name, { value: examples[name] }]));
    }
  }
}

/** Names of the components that a schema is, or is one of. */
function namesOf(schema: object | undefined): string[] {
  if (schema === undefined) return [];
  if ("$ref" in schema && typeof schema.$ref === "string") {
    return [schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)];
  }
  if (!("anyOf" in schema) || !Array.isArray(schema.anyOf)) return [];
  return schema.anyOf.flatMap(namesOf);
}
