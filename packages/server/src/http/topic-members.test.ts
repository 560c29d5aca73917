import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { topicChangeSchema, topicListSchema } from "@sineta/protocol";
import { appBench, expectProblem, tokenOf, type AppBench } from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";

let bench: AppBench;
let key: string;
beforeEach(async () => {
  bench = await appBench();
  key = await bench.key();
  await bench.store.topics.add(bench.project.id, { name: "ofertas", policy: "open" }, 1);
  await bench.store.topics.add(bench.project.id, { name: "clientes", policy: "kept" }, 1);
});
afterEach(() => bench.close());

const register = async () => tokenOf(await bench.post(testBrowser()));

async function change(verb: "join" | "leave", topic: string, tokens: readonly string[]) {
  const response = await bench.ask(`topics/${topic}/${verb}`, key, { tokens });
  expect(response.status).toBe(200);
  return topicChangeSchema.parse(await response.json());
}

test("the list has every topic with its live registrations", async () => {
  await change("join", "clientes", [await register(), await register()]);
  const response = await bench.ask("topics", key);
  expect(topicListSchema.parse(await response.json())).toEqual({
    topics: [
      { name: "clientes", displayName: "clientes", policy: "kept", registrations: 2 },
      { name: "ofertas", displayName: "ofertas", policy: "open", registrations: 0 },
    ],
  });
});

test("what an operator does leaves a line in the audit; what programs do all day does not", async () => {
  const tokens = [await register(), await register()];
  await change("join", "ofertas", tokens);
  const { headers, email } = await bench.operator("editor");
  for (const verb of ["join", "leave"]) {
    const path = `/v1/projects/default/topics/clientes/${verb}`;
    const body = JSON.stringify({ tokens });
    const all = { ...headers, "Content-Type": "application/json" };
    const response = await bench.app.request(path, { method: "POST", headers: all, body });
    expect(response.status).toBe(200);
  }
  const lines = await bench.store.audit.list([bench.project.id], { limit: 2 });
  expect(lines).toMatchObject([
    { action: "topic.members-changed", subject: "clientes", change: { left: 2 } },
    { actor: { kind: "operator", name: email }, change: { joined: 2 } },
  ]);
  const all = await bench.store.audit.list([bench.project.id], { limit: 99 });
  expect(all.filter(({ action }) => action === "topic.members-changed")).toHaveLength(2);
});

describe.for(["ofertas", "clientes"])("%s", (topic) => {
  test("registrations are put in and taken out, many at once, twice like once", async () => {
    const tokens = [await register(), await register(), await register()];
    const [first = "", second = "", third = ""] = tokens;
    expect(await change("join", topic, [first])).toEqual({ registrations: 1, unknown: [] });
    expect(await change("join", topic, tokens)).toEqual({ registrations: 3, unknown: [] });
    expect((await bench.membership(second)).topics).toEqual([topic]);

    expect(await change("leave", topic, [first, second])).toEqual({
      registrations: 2,
      unknown: [],
    });
    expect(await change("leave", topic, [first])).toEqual({ registrations: 1, unknown: [] });
    expect((await bench.membership(first)).topics).toEqual([]);
    expect((await bench.membership(third)).topics).toEqual([topic]);
  });

  test("tokens that are nobody's are named, each once, and the others still count", async () => {
    const known = await register();
    const browser = testBrowser();
    const left = await tokenOf(await bench.post(browser));
    await bench.remove(left, browser.clientSecret);
    const asked = ["made-up", known, left, "made-up", known];
    for (const verb of ["join", "leave"] as const) {
      const { registrations, unknown } = await change(verb, topic, asked);
      expect(registrations).toBe(1);
      expect(unknown.toSorted()).toEqual(["made-up", left].toSorted());
    }
  });
});

test("a thousand tokens go at once, and no more", async () => {
  const tokens = Array.from({ length: 1000 }, (_, index) => `token-${index}`);
  expect((await change("join", "ofertas", tokens)).unknown).toHaveLength(1000);
  const response = await bench.ask("topics/ofertas/join", key, { tokens: [...tokens, "one more"] });
  const { fields } = await expectProblem(response, "body-invalid");
  expect(fields).toEqual([{ path: "tokens", message: expect.stringContaining("1000") }]);
});

test("an unknown topic, and one of another project, is told of", async () => {
  const { id } = await bench.store.projects.ensure("second", 1);
  await bench.store.topics.add(id, { name: "theirs", policy: "open" }, 1);
  for (const topic of ["nothing", "theirs", "%00", "a%2Fb"]) {
    for (const verb of ["join", "leave"]) {
      const response = await bench.ask(`topics/${topic}/${verb}`, key, { tokens: ["a"] });
      expect((await expectProblem(response, "topic-unknown")).status).toBe(404);
    }
  }
});

test("bodies of another shape are refused with their fields", async () => {
  const response = await bench.ask("topics/ofertas/join", key, { tokens: [7], tokenz: [], x: 1 });
  const { fields } = await expectProblem(response, "body-invalid");
  expect(fields?.map(({ path }) => path)).toEqual(["tokens.0", "tokenz", "x"]);
  await expectProblem(await bench.ask("topics/ofertas/join", key, "{"), "json-malformed");
  await expectProblem(await bench.ask("topics/ofertas/join", key, { tokens: [] }), "body-invalid");
});
