import { afterEach, beforeEach, expect, test } from "vitest";
import { installationSchema } from "@sineta/protocol";
import { appBench, expectProblem, origin, type AppBench } from "../test/app-bench.ts";

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

const ask = (headers: Record<string, string>) =>
  bench.app.request("/v1/projects/default/installation", { headers });

test("whoever sees the project is told how it is installed, and nothing secret", async () => {
  const { headers } = await bench.operator("viewer");
  const response = await ask(headers);
  const text = await response.text();
  expect(installationSchema.parse(JSON.parse(text))).toEqual({
    displayName: "",
    serverUrl: `${origin}/`,
    publicUrlIsSet: true,
    allowLoopback: false,
    origins: [origin],
    ownOrigins: [origin],
    originsSource: "settings",
    worker: "/sineta-sw.js",
    vapidKeys: [
      { publicKey: bench.project.keys.current.publicKey, createdAt: "1970-01-01T00:00:01.000Z" },
    ],
    vapidSubject: "mailto:sineta@example.com",
    keepDays: { ended: 30, receipts: 90, audit: 365 },
    version: "0.1.0",
  });
  expect(text).not.toContain(bench.project.userKey);
  await expectProblem(await ask({}), "api-key-missing");
});

test("an owner names the project, and everybody of it reads the name", async () => {
  const owner = await bench.operator("owner");
  const viewer = await bench.operator("viewer");
  const name = (displayName: unknown) =>
    bench.app.request("/v1/projects/default/settings", {
      method: "PATCH",
      headers: { ...owner.headers, "Content-Type": "application/json" },
      body: JSON.stringify({ displayName }),
    });
  const named = async () =>
    installationSchema.parse(await (await ask(viewer.headers)).json()).displayName;
  expect((await name("  Padaria da esquina ")).status).toBe(200);
  expect(await named()).toBe("Padaria da esquina");
  for (const wrong of ["x".repeat(101), "a\nb", "\u202eabc", 7, null]) {
    await expectProblem(await name(wrong), "body-invalid");
  }
  expect(await named()).toBe("Padaria da esquina");
  const [line] = await bench.store.audit.list([bench.project.id], { limit: 1 });
  expect(line).toMatchObject({
    action: "settings.changed",
    change: { displayName: "Padaria da esquina", before: { displayName: "" } },
  });
  expect((await name("")).status).toBe(200);
  expect(await named()).toBe("");
});
