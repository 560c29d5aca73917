import { afterEach, beforeEach, expect, test } from "vitest";
import { sessionListSchema } from "@sineta/protocol";
import { logInLimits } from "../access/sessions/log-in-throttle.ts";
import { sessionsPerOperator } from "../access/sessions/sessions.ts";
import {
  appBench,
  expectProblem,
  operatorPassword,
  origin,
  type AppBench,
} from "../test/app-bench.ts";

let bench: AppBench;
let baker: Awaited<ReturnType<AppBench["operator"]>>;
let nowMs: number;
beforeEach(async () => {
  nowMs = 1_000;
  bench = await appBench({ operatorsNow: () => nowMs });
  baker = await bench.operator("owner", { email: "baker@site.example" });
});
afterEach(() => bench.close());

const logIn = (email = baker.email) =>
  bench.app.request("/v1/session", {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: origin },
    body: JSON.stringify({ email, password: operatorPassword }),
  });
/** As log-ins by whatever way do, one after another. */
async function begin(times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    nowMs += 1;
    const device = { address: "192.0.2.1", userAgent: "test" };
    await bench.access.sessions.start({ ...baker, verified: null }, device, "passkey");
  }
}
const who = (cookie: string) => bench.app.request("/v1/session", { headers: { Cookie: cookie } });

test("an operator has at most 50 sessions: the one unused longest ends when another begins", async () => {
  await begin(sessionsPerOperator - 2);
  const last = await logIn();
  expect(last.status).toBe(200);
  expect((await who(baker.cookie)).status).toBe(200);
  await begin(1);
  await expectProblem(await who(baker.cookie), "session-ended");
  const cookie = last.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const headers = { Cookie: cookie };
  const list = await bench.app.request("/v1/sessions", { headers });
  expect(sessionListSchema.parse(await list.json()).sessions).toHaveLength(sessionsPerOperator);
  const [line] = await bench.store.audit.list([null], { limit: 1 });
  expect(line).toMatchObject({ action: "session.ended", change: { reason: "too-many" } });
});

test("log-ins that succeed are counted, too: the account waits, and another one does not", async () => {
  await begin(logInLimits.begun - 1);
  const linesBefore = (await bench.store.audit.list([null], { limit: 1_000 })).length;
  const refused = await logIn();
  await expectProblem(refused, "too-many-attempts");
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(14 * 60);
  expect(refused.headers.getSetCookie()).toEqual([]);
  const lines = await bench.store.audit.list([null], { limit: 1_000 });
  expect(lines.length - linesBefore).toBe(1);
  expect(lines[0]).toMatchObject({
    action: "operator.log-in-refused",
    change: { reason: "too-many-attempts" },
  });
  const florist = await bench.operator("viewer", { email: "florist@site.example" });
  expect((await logIn(florist.email)).status).toBe(200);
});
