import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { problemSchema, type Problem } from "@sineta/protocol";
import { appBench, type AppBench } from "../test/app-bench.ts";

let bench: AppBench;
let key: string;
beforeEach(async () => {
  bench = await appBench();
  key = await bench.key(undefined, ["send", "manage"]);
});
afterEach(() => bench.close());

async function refusal(path: string, body: object): Promise<Problem> {
  const response = await bench.ask(path, key, body);
  expect(response.status).toBe(400);
  const problem = problemSchema.parse(await response.json());
  expect(problem.code).toBe("body-invalid");
  return problem;
}

const message = (over: object) => ({
  target: { kind: "all" },
  notification: { title: "Olá" },
  ...over,
});
const ofNotification = (over: object) => message({ notification: { title: "Olá", ...over } });

describe("a field that there is not is answered with the one that is meant", () => {
  test.for<[string, object, string]>([
    // As other interfaces call it.
    ["notification.url", ofNotification({ url: "/" }), "link"],
    ["notification.click_action", ofNotification({ click_action: "/" }), "link"],
    ["notification.message", ofNotification({ message: "x" }), "body"],
    ["notification.text", ofNotification({ text: "x" }), "body"],
    ["notification.image_url", ofNotification({ image_url: "/a.png" }), "image"],
    ["notification.buttons", ofNotification({ buttons: [] }), "actions"],
    ["ttl", message({ ttl: 5 }), "ttlSeconds"],
    ["time_to_live", message({ time_to_live: 5 }), "ttlSeconds"],
    ["send_at", message({ send_at: "2026-12-01T09:00:00Z" }), "scheduleAt"],
    ["priority", message({ priority: "high" }), "urgency"],
    ["topic", message({ topic: "ofertas" }), "target"],
    ["title", message({ title: "Olá" }), "notification"],
    // As ours, written otherwise.
    ["ttl_seconds", message({ ttl_seconds: 5 }), "ttlSeconds"],
    ["COLLAPSEKEY", message({ COLLAPSEKEY: "x" }), "collapseKey"],
    // Misspelt.
    ["notification.titel", ofNotification({ titel: "x" }), "title"],
    [
      "notification.requireInteracton",
      ofNotification({ requireInteracton: true }),
      "requireInteraction",
    ],
    ["urgencia", message({ urgencia: "high" }), "urgency"],
  ])("%s", async ([path, body, meant]) => {
    const { fields, detail } = await refusal("messages", body);
    expect(fields).toEqual([
      { path, message: `there is no such field; do you mean \`${meant}\`?` },
    ]);
    expect(detail).toContain(`\`${path}\`: do you mean \`${meant}\`?`);
  });

  test("where the field stands, and not elsewhere", async () => {
    const action = { id: "sim", title: "Sim", url: "/sim", body: "x" };
    const { fields } = await refusal("messages", {
      target: { kind: "user", user: "ana" },
      notification: { title: "Olá", actions: [action], ttl: 5 },
    });
    expect(fields).toContainEqual({
      path: "notification.actions.0.id",
      message: "there is no such field; do you mean `action`?",
    });
    expect(fields).toContainEqual({
      path: "notification.actions.0.url",
      message: "there is no such field; do you mean `link`?",
    });
    expect(fields).toContainEqual({
      path: "target.user",
      message: "there is no such field; do you mean `userId`?",
    });
    for (const path of ["notification.actions.0.body", "notification.ttl"]) {
      expect(fields).toContainEqual({ path, message: "there is no such field" });
    }
  });

  test("of another route's body", async () => {
    const { fields } = await refusal("topics", { name: "ofertas", policy: "open", polcy: 1 });
    expect(fields).toEqual([
      { path: "polcy", message: "there is no such field; do you mean `policy`?" },
    ]);
  });

  test.for([
    ["one that is like none", "sound"],
    ["a short one", "xyz"],
    ["the prototype", "__proto__"],
    ["what every object has", "constructor"],
    ["a long one", "t".repeat(5000)],
  ] as const)("none is meant by %s", async ([, field]) => {
    const body = JSON.parse(
      `{"target":{"kind":"all"},"notification":{"title":"Olá"},"${field}":1}`,
    );
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const response = await bench.app.request("/v1/projects/default/messages", {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    const { detail } = problemSchema.parse(await response.json());
    expect(detail).not.toContain("do you mean");
  });

  test("of many the detail names three, and the fields all", async () => {
    const over = { ttl: 1, send_at: "x", priority: "high", collapse_id: "x", payload: {} };
    const { fields, detail } = await refusal("messages", message(over));
    expect(fields).toHaveLength(5);
    expect(detail.match(/do you mean/g)).toHaveLength(3);
  });
});
