import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { appBench, expectProblem, tokenOf, type AppBench } from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";

let bench: AppBench;
let headers: Record<string, string>;
beforeEach(async () => {
  bench = await appBench();
  ({ headers } = await bench.operator("editor"));
});
afterEach(() => bench.close());

const ask = (method: string, path: string, body?: unknown) =>
  bench.app.request(`/v1/projects/default/topics${path}`, {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const topics = async () =>
  (await bench.store.topics.list(bench.project.id)).map(({ name, policy, liveCount }) => [
    name,
    policy,
    liveCount,
  ]);
const told = async () => {
  const lines = await bench.store.audit.list([bench.project.id], { limit: 20 });
  return lines
    .filter(({ action }) => action.startsWith("topic."))
    .map(({ action, subject, change }) => [action, subject, change]);
};

describe("topics", () => {
  test("are made, once each, and the audit says so", async () => {
    const made = await ask("POST", "", { name: "bread", policy: "kept" });
    expect(made.status).toBe(201);
    expect(await made.json()).toEqual({ name: "bread", displayName: "bread", policy: "kept" });
    await expectProblem(await ask("POST", "", { name: "bread", policy: "open" }), "topic-taken");
    expect(await topics()).toEqual([["bread", "kept", 0]]);
    expect(await told()).toEqual([["topic.created", "bread", { policy: "kept" }]]);
  });

  test.for([{ name: "a b", policy: "open" }, { name: "..", policy: "open" }, { name: "a" }, []])(
    "%j is none",
    async (body) => {
      await expectProblem(await ask("POST", "", body), "body-invalid");
      expect(await topics()).toEqual([]);
      expect(await told()).toEqual([]);
    },
  );

  test("change who may join; what is so already is not told", async () => {
    await ask("POST", "", { name: "bread", policy: "open" });
    const changed = await ask("PATCH", "/bread", { policy: "kept" });
    expect(await changed.json()).toEqual({ name: "bread", displayName: "bread", policy: "kept" });
    expect((await ask("PATCH", "/bread", { policy: "kept" })).status).toBe(200);
    expect(await topics()).toEqual([["bread", "kept", 0]]);
    expect(await told()).toEqual([
      ["topic.changed", "bread", { policy: "kept" }],
      ["topic.created", "bread", { policy: "open" }],
    ]);
    await expectProblem(await ask("PATCH", "/cake", { policy: "kept" }), "topic-unknown");
  });

  test("have a display name, which can be changed and taken away", async () => {
    const named = { name: "bread", displayName: "  Pão do dia ", policy: "open" };
    const made = await ask("POST", "", named);
    expect(await made.json()).toEqual({ ...named, displayName: "Pão do dia" });
    const changed = await ask("PATCH", "/bread", { displayName: "Pão quente", policy: null });
    const body = { name: "bread", displayName: "Pão quente", policy: "open" };
    expect(await changed.json()).toEqual(body);
    const listed = await bench.ask("topics", await bench.key());
    expect(await listed.json()).toEqual({ topics: [{ ...body, registrations: 0 }] });
    expect(await (await ask("PATCH", "/bread", { displayName: "" })).json()).toEqual({
      ...body,
      displayName: "bread",
    });
    // It has none but its name then.
    await ask("PATCH", "/bread", { displayName: "bread" });
    await ask("POST", "", { name: "cake", displayName: "cake", policy: "open" });
    expect(await told()).toEqual([
      ["topic.created", "cake", { policy: "open" }],
      ["topic.changed", "bread", { displayName: "" }],
      ["topic.changed", "bread", { displayName: "Pão quente" }],
      ["topic.created", "bread", { policy: "open", displayName: "Pão do dia" }],
    ]);
  });

  test.for([{}, { displayName: null }, { displayName: "a\nb" }, { displayName: "a".repeat(101) }])(
    "%j is no change of one",
    async (body) => {
      await ask("POST", "", { name: "bread", policy: "open" });
      await expectProblem(await ask("PATCH", "/bread", body), "body-invalid");
      expect(await told()).toHaveLength(1);
    },
  );

  test("are removed from all who are in them", async () => {
    await ask("POST", "", { name: "bread", policy: "open" });
    await ask("POST", "", { name: "cake", policy: "open" });
    const token = await tokenOf(
      await bench.post(testBrowser(), { more: { topics: ["bread", "cake"] } }),
    );
    expect((await ask("DELETE", "/bread")).status).toBe(204);
    expect(await topics()).toEqual([["cake", "open", 1]]);
    expect((await bench.membership(token)).topics).toEqual(["cake"]);
    expect((await told())[0]).toEqual(["topic.removed", "bread", null]);
    await expectProblem(await ask("DELETE", "/bread"), "topic-unknown");
  });

  test("a thousand is the most", async () => {
    for (let count = 0; count < 1000; count += 1) {
      await bench.store.topics.add(bench.project.id, { name: `t${count}`, policy: "open" }, 1);
    }
    await expectProblem(
      await ask("POST", "", { name: "one-more", policy: "open" }),
      "topics-exhausted",
    );
    expect(await told()).toEqual([]);
  });
});
