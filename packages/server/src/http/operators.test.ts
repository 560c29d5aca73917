import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { operatorListSchema, type Role } from "@sineta/protocol";
import { appBench, expectProblem, type AppBench } from "../test/app-bench.ts";

let bench: AppBench;
let baker: Awaited<ReturnType<AppBench["operator"]>>;
beforeEach(async () => {
  bench = await appBench();
  baker = await bench.operator("owner", { email: "baker@site.example" });
});
afterEach(() => bench.close());

const path = "/v1/projects/default/operators";
const list = (headers = baker.headers) => bench.app.request(path, { headers });
const setRole = (id: number | string, role: string, headers = baker.headers) =>
  bench.app.request(`${path}/${id}`, {
    method: "PUT",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ role }),
  });
const remove = (id: number | string, headers = baker.headers) =>
  bench.app.request(`${path}/${id}`, { method: "DELETE", headers });
const isIn = async (headers: { Cookie: string }) =>
  (await bench.app.request("/v1/session", { headers })).status === 200;
const lastLine = async () => (await bench.store.audit.list([bench.project.id], { limit: 1 }))[0];

describe("the operators of a project", () => {
  test("are listed with their roles, and nothing that opens a door", async () => {
    await bench.operator("viewer", { email: "florist@site.example" });
    const text = await (await list()).text();
    const made = "1970-01-01T00:00:01.000Z";
    expect(operatorListSchema.parse(JSON.parse(text)).operators).toEqual([
      {
        id: baker.id,
        email: "baker@site.example",
        name: "owner",
        role: "owner",
        hasSecondFactor: false,
        createdAt: made,
        lastLoginAt: made,
      },
      expect.objectContaining({ email: "florist@site.example", role: "viewer" }),
    ]);
    expect(text).not.toMatch(/argon2|hash/i);
  });

  test("are no other project's", async () => {
    const { id: otherId } = await bench.store.projects.ensure("second", 1);
    const grocer = await bench.operator("owner", { projectId: otherId });
    await expectProblem(await list(grocer.headers), "role-missing");
    await expectProblem(await setRole(grocer.id, "viewer"), "operator-unknown");
    await expectProblem(await remove(grocer.id), "operator-unknown");
    expect(operatorListSchema.parse(await (await list()).json()).operators).toHaveLength(1);
  });

  test("get other roles from owners, at once, with a line that tells the old one", async () => {
    const florist = await bench.operator("viewer", { email: "florist@site.example" });
    expect((await setRole(florist.id, "owner")).status).toBe(200);
    expect(await lastLine()).toMatchObject({
      actor: { name: "baker@site.example" },
      action: "operator.role-changed",
      subject: "florist@site.example",
      change: { role: "owner", before: "viewer" },
    });
    expect((await list(florist.headers)).status).toBe(200);
    expect((await setRole(baker.id, "editor", florist.headers)).status).toBe(200);
    await expectProblem(await list(), "role-missing");
  });

  test("lose their role, and with the last one their sessions", async () => {
    const florist = await bench.operator("editor", { email: "florist@site.example" });
    expect(await isIn(florist.headers)).toBe(true);
    expect((await remove(florist.id)).status).toBe(200);
    expect(await lastLine()).toMatchObject({
      action: "operator.role-removed",
      subject: "florist@site.example",
    });
    expect(await isIn(florist.headers)).toBe(false);
    await expectProblem(await remove(florist.id), "operator-unknown");
  });

  test("keep an owner: the last one can neither leave nor be demoted", async () => {
    await bench.operator("editor");
    await expectProblem(await remove(baker.id), "last-owner");
    for (const role of ["viewer", "editor"] satisfies Role[]) {
      await expectProblem(await setRole(baker.id, role), "last-owner");
    }
    const florist = await bench.operator("owner");
    expect((await remove(baker.id)).status).toBe(200);
    await expectProblem(await remove(florist.id, florist.headers), "last-owner");
  });

  test("are for owners alone to see and change, from the console alone", async () => {
    for (const role of ["viewer", "editor"] as const) {
      const { id, headers } = await bench.operator(role);
      await expectProblem(await list(headers), "role-missing");
      await expectProblem(await setRole(id, "owner", headers), "role-missing");
      await expectProblem(await remove(baker.id, headers), "role-missing");
    }
    const evil = { ...baker.headers, Origin: "https://evil.example" };
    await expectProblem(await setRole(baker.id, "owner", evil), "cross-site-refused");
    await expectProblem(await remove(baker.id, evil), "cross-site-refused");
    const key = `Bearer ${await bench.key()}`;
    const asked = await bench.app.request(path, { headers: { Authorization: key } });
    expect((await expectProblem(asked, "session-missing")).status).toBe(401);
  });

  test("that there are not are told of, whatever the id is", async () => {
    for (const id of ["0", "999", "x", "-1", "9".repeat(30)]) {
      await expectProblem(await setRole(id, "viewer"), "operator-unknown");
      await expectProblem(await remove(id), "operator-unknown");
    }
    expect((await expectProblem(await setRole(baker.id, "king"), "body-invalid")).status).toBe(400);
  });
});
