import { afterEach, beforeEach, expect, test } from "vitest";
import { doctorEchoSchema, doctorHeader } from "@sineta/protocol";
import { doctorToken } from "../doctor/token.ts";
import { appBench, expectProblem, type AppBench } from "../test/app-bench.ts";

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

const path = "/v1/projects/default/doctor";

test("an owner may examine the server, an editor may not", async () => {
  const ask = (headers: Record<string, string>) =>
    bench.app.request(path, { method: "POST", headers });
  const answer = await ask((await bench.operator("owner")).headers);
  expect({ status: answer.status, body: await answer.json() }).toEqual({
    status: 200,
    body: { findings: [] },
  });
  await expectProblem(await ask((await bench.operator("editor")).headers), "role-missing");
  await expectProblem(await ask({}), "api-key-missing");
});

test("the echo tells a doctor what of its request has arrived, and anybody else nothing", async () => {
  const ask = (token: string) =>
    bench.app.request(`${path}/echo`, {
      method: "POST",
      headers: { [doctorHeader]: token, "X-Forwarded-For": "192.0.2.77" },
      body: "x".repeat(1_000),
    });
  const { receiptSecret } = bench.project;
  // The time of the bench.
  const nowMs = 1_000;
  const echo = doctorEchoSchema.parse(await (await ask(doctorToken(receiptSecret, nowMs))).json());
  expect(echo).toMatchObject({
    forwardedFor: "192.0.2.77",
    bodyBytes: 1_000,
    headers: expect.arrayContaining(["x-forwarded-for", "sineta-doctor"]),
  });
  await expectProblem(await ask(doctorToken(receiptSecret, nowMs - 3_600_000)), "route-unknown");
  await expectProblem(await ask(""), "route-unknown");
});
