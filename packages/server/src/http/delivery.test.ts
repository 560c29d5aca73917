import type { DeliveryBody, HoldBody } from "@sineta/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { appBench, expectProblem, type AppBench } from "../test/app-bench.ts";

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

const running = {
  state: "running",
  hold: null,
  counts: { cancel: 0, now: 0, later: 0, expire: 0 },
  messages: [],
};

function ask(headers: Record<string, string>, path: string, body?: unknown) {
  return bench.app.request(`/v1/projects/default/delivery${path}`, {
    headers: { ...headers, "Content-Type": "application/json" },
    ...(path === "" ? {} : { method: "POST" }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** The delivery while it is held. */
async function delivery(headers: Record<string, string>) {
  const body = await (await ask(headers, "")).json();
  return body as DeliveryBody & { hold: HoldBody };
}

const owner = async () => (await bench.operator("owner")).headers;
const commandLine = { actor: { kind: "command-line", name: "ana" }, address: null } as const;

async function publish(headers: Record<string, string>): Promise<string> {
  const message = { target: { kind: "all" }, notification: { title: "Olá" } };
  const response = await bench.app.request("/v1/projects/default/messages", {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(message),
  });
  const { id } = (await response.json()) as { id: string };
  return id;
}

describe("delivery", () => {
  test("runs until an owner holds it, and again once an owner resumes it; the audit has both", async () => {
    const { headers, email } = await bench.operator("owner");
    expect(await (await ask(headers, "")).json()).toMatchObject(running);
    const held = { state: "held", hold: { reason: "asked", since: expect.any(String) } };
    const first = await ask(headers, "/hold");
    expect(first.status).toBe(200);
    const answered = await first.json();
    expect(answered).toEqual(held);
    expect(await (await ask(headers, "/hold")).json()).toEqual(answered);
    const id = await publish(headers);
    expect(await (await ask(headers, "")).json()).toMatchObject({
      ...held,
      counts: { now: 1 },
      messages: [
        {
          id,
          title: "Olá",
          fate: "now",
          registrations: null,
          expiresAt: "1970-01-29T00:00:01.000Z",
        },
      ],
    });
    const resumed = await ask(headers, "/resume", {});
    expect(await resumed.json()).toEqual({ state: "running", hold: null, cancelled: 0 });
    expect(await (await ask(headers, "")).json()).toMatchObject(running);
    const lines = await bench.store.audit.list([null], { limit: 2 });
    expect(lines.map(({ action, actor }) => [action, actor.name])).toEqual([
      ["delivery.resumed", email],
      ["delivery.held", email],
    ]);
  });

  test("of a restored server resumes without what is due, but for the messages that are named", async () => {
    const headers = await owner();
    const [kept, other] = [await publish(headers), await publish(headers)];
    const restored = { reason: "restored", sinceMs: 5_000 } as const;
    await bench.store.hold.begin(restored, commandLine);
    const listed = await (await ask(headers, "")).json();
    expect(listed).toMatchObject({ counts: { cancel: 2, now: 0 } });
    const resumed = await ask(headers, "/resume", { send: [kept] });
    expect(await resumed.json()).toMatchObject({ state: "running", cancelled: 1 });
    expect(await bench.store.messages.find(bench.project.id, kept)).toMatchObject({
      state: "scheduled",
    });
    expect(await bench.store.messages.find(bench.project.id, other)).toMatchObject({
      state: "cancelled",
    });
  });

  test("resumes with everything that is due, where the owner says so", async () => {
    const headers = await owner();
    await publish(headers);
    const restored = { reason: "restored", sinceMs: 5_000 } as const;
    await bench.store.hold.begin(restored, commandLine);
    const resumed = await ask(headers, "/resume", { sendDue: true });
    expect(await resumed.json()).toMatchObject({ state: "running", cancelled: 0 });
  });

  test("stays held where a resume names a message that is not there, or an older list", async () => {
    const headers = await owner();
    const id = await publish(headers);
    const restored = { reason: "restored", sinceMs: 5_000 } as const;
    await bench.store.hold.begin(restored, commandLine);
    for (const wrong of [{ send: [id, "nosuchid"] }, { asOf: "1970-01-01T00:00:04Z" }]) {
      const [path] = Object.keys(wrong);
      const { fields } = await expectProblem(await ask(headers, "/resume", wrong), "body-invalid");
      expect(fields).toMatchObject([{ path }]);
    }
    expect(await bench.store.hold.find()).toEqual(restored);
  });

  test("resumes the hold that the owner has seen, also one whose back-up is of a time to come", async () => {
    const headers = await owner();
    await bench.store.hold.begin({ reason: "restored", sinceMs: 5_000 }, commandLine);
    const { hold, asOf } = await delivery(headers);
    expect(Date.parse(asOf)).toBeLessThan(5_000);
    const resumed = await ask(headers, "/resume", { asOf, hold });
    expect(await resumed.json()).toEqual({ state: "running", hold: null, cancelled: 0 });
  });

  test("stays held where a resume of the hold that the owner has seen names an older list", async () => {
    const headers = await owner();
    await publish(headers);
    const restored = { reason: "restored", sinceMs: 500 } as const;
    await bench.store.hold.begin(restored, commandLine);
    const { hold } = await delivery(headers);
    const resumed = await ask(headers, "/resume", { asOf: "1970-01-01T00:00:00.400Z", hold });
    const { fields } = await expectProblem(resumed, "body-invalid");
    expect(fields).toMatchObject([{ path: "asOf" }]);
    expect(await bench.store.hold.find()).toEqual(restored);
  });

  test("stays as it is where another hold, or none, is there than the owner has seen", async () => {
    const headers = await owner();
    await ask(headers, "/hold");
    const { hold, asOf } = await delivery(headers);
    await ask(headers, "/resume", { asOf, hold });
    await expectProblem(await ask(headers, "/resume", { asOf, hold }), "hold-changed");
    const id = await publish(headers);
    for (const other of [
      { reason: "restored", sinceMs: Date.parse(hold.since) },
      { reason: "asked", sinceMs: Date.parse(hold.since) + 1 },
    ] as const) {
      await bench.store.hold.begin(other, commandLine);
      await expectProblem(await ask(headers, "/resume", { asOf, hold }), "hold-changed");
      expect(await bench.store.hold.find()).toEqual(other);
      await ask(headers, "/resume", { sendDue: true });
    }
    expect(await bench.store.messages.find(bench.project.id, id)).toMatchObject({
      state: "scheduled",
    });
  });

  test("is resumed by one of two owners who resume the same hold at once", async () => {
    const headers = await owner();
    await ask(headers, "/hold");
    const { hold, asOf } = await delivery(headers);
    const resume = () => ask(headers, "/resume", { asOf, hold });
    const answers = await Promise.all([resume(), resume()]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  test("that runs is left alone by a resume", async () => {
    const resumed = await ask(await owner(), "/resume", {});
    expect(await resumed.json()).toEqual({ state: "running", hold: null, cancelled: 0 });
    const lines = await bench.store.audit.list([null], { limit: 10 });
    expect(lines.map(({ action }) => action)).not.toContain("delivery.resumed");
  });

  test("is seen by viewers, and held or resumed by owners and by keys that may send", async () => {
    const viewer = (await bench.operator("viewer")).headers;
    const editor = (await bench.operator("editor")).headers;
    expect((await ask(viewer, "")).status).toBe(200);
    for (const path of ["/hold", "/resume"]) {
      await expectProblem(await ask(editor, path, {}), "role-missing");
    }
    const reader = { Authorization: `Bearer ${await bench.key(bench.project.id, ["read"])}` };
    await expectProblem(await ask(reader, "/hold"), "scope-missing");
    const sender = { Authorization: `Bearer ${await bench.key(bench.project.id, ["send"])}` };
    expect((await ask(sender, "/hold")).status).toBe(200);
    expect((await ask(sender, "/resume", {})).status).toBe(200);
  });

  test("stays held where the body of a resume has another shape", async () => {
    const headers = await owner();
    await ask(headers, "/hold");
    for (const body of [{ sendDue: "yes" }, { senddue: true }, { ids: ["x"] }]) {
      await expectProblem(await ask(headers, "/resume", body), "body-invalid");
    }
    expect(await bench.store.hold.find()).not.toBeNull();
  });
});
