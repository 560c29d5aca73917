import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { appBench, expectProblem, type AppBench } from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";

const usual = {
  displayName: "",
  receipts: true,
  origins: [],
  registrationsQuota: 2_000_000,
  messagesPerHourQuota: 1000,
};
const hello = { target: { kind: "all" }, notification: { title: "Olá" } };

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

const settings = (headers: Record<string, string>, change?: unknown) =>
  bench.app.request("/v1/projects/default/settings", {
    headers: { ...headers, "Content-Type": "application/json" },
    ...(change === undefined ? {} : { method: "PATCH", body: JSON.stringify(change) }),
  });
const keyHeader = async () => ({ Authorization: `Bearer ${await bench.key()}` });
const owner = async () => (await bench.operator("owner")).headers;

describe("settings", () => {
  test("an owner reads and changes them, and the audit says who, from what, to what", async () => {
    const { headers, email } = await bench.operator("owner");
    const read = await settings(headers);
    expect(await read.json()).toEqual(usual);
    const changed = await settings(headers, { receipts: false, registrationsQuota: 7 });
    expect(changed.status).toBe(200);
    const then = { ...usual, receipts: false, registrationsQuota: 7 };
    expect(await changed.json()).toEqual(then);
    expect(await (await settings(headers)).json()).toEqual(then);
    const [line] = await bench.store.audit.list([bench.project.id], { limit: 1 });
    expect(line).toMatchObject({
      action: "settings.changed",
      actor: { kind: "operator", name: email },
      subject: "default",
      change: {
        receipts: false,
        registrationsQuota: 7,
        before: { receipts: true, registrationsQuota: 2_000_000 },
      },
    });
  });

  test("a key that may manage sees them and changes none: a quota is to hold for it, too", async () => {
    const key = await keyHeader();
    expect(await (await settings(key)).json()).toEqual(usual);
    await expectProblem(await settings(key, { messagesPerHourQuota: 3 }), "session-missing");
    const sender = {
      Authorization: `Bearer ${await bench.key(bench.project.id, ["send", "read"])}`,
    };
    await expectProblem(await settings(sender), "scope-missing");
    const editor = await bench.operator("editor");
    await expectProblem(await settings(editor.headers), "role-missing");
    await expectProblem(await settings(editor.headers, { receipts: false }), "role-missing");
    await expectProblem(await settings({}), "api-key-missing");
    expect(await bench.store.projects.settings(bench.project.id)).toEqual(usual);
  });

  test.for([
    { registrationsQuota: -1 },
    { registrationsQuota: 1.5 },
    { messagesPerHourQuota: 100_001 },
    { messagesPerHourQuota: "3" },
    { receipts: null },
    { quota: 3 },
    [],
    null,
  ])("%j changes nothing", async (change) => {
    await expectProblem(await settings(await owner(), change), "body-invalid");
    expect(await bench.store.projects.settings(bench.project.id)).toEqual(usual);
  });
});

describe("quotas", () => {
  test("a registration more than the quota allows is refused; who is registered may refresh", async () => {
    await settings(await owner(), { registrationsQuota: 1 });
    const browser = testBrowser();
    expect((await bench.post(browser)).status).toBe(201);
    await expectProblem(await bench.post(testBrowser()), "quota-reached");
    expect((await bench.post(browser)).status).toBe(200);
    await settings(await owner(), { registrationsQuota: 2 });
    expect((await bench.post(testBrowser())).status).toBe(201);
  });

  test("a message more within the hour is refused until there is room; looking and repeating are not", async () => {
    const key = await bench.key();
    await settings(await owner(), { messagesPerHourQuota: 1 });
    const publish = (more: object = {}, headers = {}) =>
      bench.ask("messages", key, { ...hello, ...more }, headers);
    const once = { "Idempotency-Key": "one" };
    expect((await publish({}, once)).status).toBe(202);
    const refused = await publish();
    await expectProblem(refused, "message-quota-reached");
    expect(refused.headers.get("Retry-After")).toBe("3600");
    expect((await publish({ dryRun: true })).status).toBe(200);
    expect((await publish({}, once)).status).toBe(200);
  });
});
