import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apiKeyListSchema, auditListSchema, madeApiKeySchema } from "@sineta/protocol";
import { appBench, expectProblem, type AppBench } from "../test/app-bench.ts";

let bench: AppBench;
let owner: Record<string, string>;
beforeEach(async () => {
  bench = await appBench();
  ({ headers: owner } = await bench.operator("owner", { email: "dona@site.example" }));
});
afterEach(() => bench.close());

const ask = (path: string, method = "GET", body?: object) =>
  bench.app.request(`/v1/projects/default/${path}`, {
    method,
    headers: { ...owner, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const made = async (response: Response) => {
  expect(response.status).toBe(201);
  return madeApiKeySchema.parse(await response.json());
};
const isGood = async (key: string) => (await bench.ask("topics", key)).status === 200;
const lines = async (query = "") =>
  auditListSchema.parse(await (await ask(`audit${query}`)).json());

describe("API keys over HTTP", () => {
  test.for(["\u202eajol", "\u001b[2J", "a\u0000", "a\nb", "a\u2028b", "a\ud83d", "\u3164"])(
    "are refused a name like %j",
    async (name) => {
      await expectProblem(await ask("api-keys", "POST", { name }), "body-invalid");
      expect(
        (await made(await ask("api-keys", "POST", { name: "فروشگاه می\u200cخواهم" }))).key,
      ).not.toBe("");
    },
  );

  test("are made, listed without what opens anything, and revoked", async () => {
    const { key, prefix } = await made(await ask("api-keys", "POST", { name: "loja" }));
    expect(await isGood(key)).toBe(true);
    const response = await ask("api-keys");
    const text = await response.text();
    expect(apiKeyListSchema.parse(JSON.parse(text)).apiKeys).toEqual([
      {
        prefix,
        name: "loja",
        scopes: ["send", "read"],
        createdAt: "1970-01-01T00:00:01.000Z",
        lastUsedAt: "1970-01-01T00:00:01.000Z",
        expiresAt: null,
        revokedAt: null,
        createdBy: { kind: "operator", name: "owner" },
      },
    ]);
    expect(text).not.toContain(key.slice(prefix.length));
    expect(response.headers.get("Cache-Control")).toBe("no-store");

    expect((await ask(`api-keys/${prefix}`, "DELETE")).status).toBe(200);
    expect(await isGood(key)).toBe(false);
    await expectProblem(await ask(`api-keys/${prefix}`, "DELETE"), "api-key-not-found");
  });

  test("have scopes and an expiry; one that is over already is refused", async () => {
    const scopes = ["send"];
    const over = await ask("api-keys", "POST", { scopes, expiresAt: "1970-01-01T00:00:01Z" });
    await expectProblem(over, "expiry-in-past");
    const { key } = await made(
      await ask("api-keys", "POST", { scopes, expiresAt: "1970-01-01T03:00:02+03:00" }),
    );
    await expectProblem(await bench.ask("topics", key), "scope-missing");
    expect(await bench.store.apiKeys.list(bench.project.id)).toMatchObject([
      { scopes: ["send"], expiresAtMs: 2_000 },
    ]);
    for (const body of [{ scopes: [] }, { scopes: ["all"] }, { expiresAt: "soon" }, { x: 1 }]) {
      await expectProblem(await ask("api-keys", "POST", body), "body-invalid");
    }
  });

  test("are rotated: both are good for a while", async () => {
    const first = await made(await ask("api-keys", "POST", {}));
    const path = `api-keys/${first.prefix}/rotate`;
    const second = await made(await ask(path, "POST", { graceSeconds: 60 }));
    expect([await isGood(first.key), await isGood(second.key)]).toEqual([true, true]);
    expect(await bench.store.apiKeys.list(bench.project.id)).toMatchObject([
      { prefix: first.prefix, expiresAtMs: 61_000 },
      { prefix: second.prefix, expiresAtMs: null },
    ]);
    await made(await ask(path, "POST", { graceSeconds: 0 }));
    expect(await isGood(first.key)).toBe(false);
    await expectProblem(await ask(path, "POST", {}), "api-key-not-found");
  });
});

describe("the audit over HTTP", () => {
  test("tells who did it and from where, newest first, page by page", async () => {
    const { prefix } = await made(await ask("api-keys", "POST", { name: "loja" }));
    await ask(`api-keys/${prefix}`, "DELETE");
    const first = await lines("?limit=1");
    expect(first.lines).toEqual([
      {
        id: expect.any(Number),
        at: "1970-01-01T00:00:01.000Z",
        actor: { kind: "operator", name: "dona@site.example" },
        action: "api-key.revoked",
        subject: prefix,
        // Its requests come by no socket.
        address: "",
        change: null,
      },
    ]);
    const second = await lines(`?limit=1&before=${first.next}`);
    expect(second.lines).toMatchObject([{ action: "api-key.created", change: { name: "loja" } }]);
    const all = await lines();
    expect(all.lines.map(({ id }) => id)).toEqual(
      all.lines.map(({ id }) => id).toSorted((a, b) => b - a),
    );
    expect(all).not.toHaveProperty("next");
  });

  test("is told as far as is meant: by what was done, by whom, from when and until when", async () => {
    const { store, project } = bench;
    for (const [action, name, hour, projectId] of [
      ["api-key.created", "baker@site.example", 2, project.id],
      ["api-key.revoked", "baker@site.example", 3, project.id],
      ["api-key.created", "florist@site.example", 4, project.id],
      ["secret.rotated", "baker@site.example", 5, null],
    ] as const) {
      await store.audit.append(
        {
          actor: { kind: "operator", name },
          address: null,
          projectId,
          action,
          subject: `at ${hour}`,
          change: null,
        },
        hour * 3_600_000,
      );
    }
    const subjects = async (query: string) =>
      (await lines(`?${query}`)).lines.map(({ subject }) => subject);
    expect(await subjects("action=api-key.created")).toEqual(["at 4", "at 2"]);
    expect(await subjects("actor=baker@site.example")).toEqual(["at 5", "at 3", "at 2"]);
    expect(await subjects("actor=baker@site.example&action=api-key.created")).toEqual(["at 2"]);
    expect(await subjects("from=1970-01-01T03:00:00Z")).toEqual(["at 5", "at 4", "at 3"]);
    expect(
      await subjects("from=1970-01-01T03:00:00Z&until=1970-01-01T05:00:00Z&action=api-key.created"),
    ).toEqual(["at 4"]);
    expect(await subjects("from=1970-01-02T00:00:00Z")).toEqual([]);
    const page = await lines("?actor=baker@site.example&limit=2");
    expect(await subjects(`actor=baker@site.example&limit=2&before=${page.next}`)).toEqual([
      "at 2",
    ]);
    const exported = await (await ask("audit/export?action=api-key.revoked")).text();
    expect(exported.trimEnd().split("\n")).toHaveLength(1);
    await expectProblem(await ask("audit?from=yesterday"), "body-invalid");
  });

  test("is exported as lines of JSON, which leaves a line itself", async () => {
    for (let count = 0; count < 3; count += 1) await made(await ask("api-keys", "POST", {}));
    const response = await ask("audit/export");
    expect(response.headers.get("Content-Type")).toBe("application/x-ndjson");
    expect(response.headers.get("Content-Disposition")).toContain("sineta-audit-default.ndjson");
    const exported = (await response.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(exported[0]).toMatchObject({ action: "audit.exported", subject: "default" });
    expect(exported).toEqual((await lines()).lines);
  });

  test("of another project is not shown, nor what concerns the whole server elsewhere", async () => {
    const { id } = await bench.store.projects.ensure("second", 0);
    const { headers } = await bench.operator("owner", { projectId: id });
    await bench.store.audit.append(
      {
        actor: { kind: "server", name: "" },
        address: null,
        projectId: null,
        action: "secret.rotated",
        subject: "file",
        change: null,
      },
      5,
    );
    await made(await ask("api-keys", "POST", {}));
    const response = await bench.app.request("/v1/projects/second/audit", { headers });
    const { lines: theirs } = auditListSchema.parse(await response.json());
    const actions = new Set(theirs.map(({ action }) => action));
    expect(actions).toContain("operator.created");
    expect(actions).not.toContain("api-key.created");
    expect(actions).not.toContain("secret.rotated");
    expect((await lines()).lines.map(({ action }) => action)).toContain("secret.rotated");
  });
});
