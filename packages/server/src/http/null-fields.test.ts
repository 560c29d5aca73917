import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { problemSchema } from "@sineta/protocol";
import { appBench, origin, type AppBench } from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";

let bench: AppBench;
let headers: Record<string, string>;
beforeAll(async () => {
  bench = await appBench();
  headers = {
    ...(await bench.operator("owner")).headers,
    Origin: origin,
    "Sineta-Client-Secret": testBrowser().clientSecret,
    "Content-Type": "application/json",
  };
});
afterAll(() => bench.close());

test("every route but that of the settings takes null in an optional field of its body for its absence", async () => {
  const looked: string[] = [];
  for (const definition of bench.app.openAPIRegistry.definitions) {
    if (definition.type !== "route" || definition.route.path.endsWith("/settings")) continue;
    const { method, path, request } = definition.route;
    const content = request?.body?.content["application/json"];
    if (content === undefined || !("schema" in content)) continue;
    const { schema } = content;
    if (!(schema instanceof z.ZodObject)) continue;
    const optional = Object.entries(schema.shape).flatMap(([name, field]) =>
      field instanceof z.ZodType && field.isOptional() ? [name] : [],
    );
    if (optional.length === 0) continue;
    const response = await bench.app.request(
      path
        .replace("{project}", "default")
        .replaceAll(/\{\w+\}/g, "ef2d7a4e-6d2f-4f6b-8a05-0d5b35ed4d0e"),
      {
        method: method.toUpperCase(),
        headers,
        body: JSON.stringify(Object.fromEntries(optional.map((name) => [name, null]))),
      },
    );
    const fields = response.ok ? [] : (problemSchema.parse(await response.json()).fields ?? []);
    expect({ path, refused: fields.filter((field) => optional.includes(field.path)) }).toEqual({
      path,
      refused: [],
    });
    expect([401, 403, 429]).not.toContain(response.status);
    looked.push(path);
  }
  expect(looked.length).toBeGreaterThan(9);
});
