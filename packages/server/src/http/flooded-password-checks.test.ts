import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { logInLimits } from "../access/sessions/log-in-throttle.ts";
import {
  appBench,
  expectProblem,
  operatorPassword,
  origin,
  type AppBench,
} from "../test/app-bench.ts";
import { addressOf } from "../test/came-from.ts";
import { listen, type Listener } from "./listen.ts";

let bench: AppBench;
let listener: Listener;
beforeEach(async () => {
  bench = await appBench({ trustedProxies: ["127.0.0.1"] });
  listener = await listen({ host: "127.0.0.1", port: 0, tls: null });
  listener.serve((request, bindings) => bench.app.fetch(request, bindings));
});
afterEach(async () => {
  await listener.close(0);
  await bench.close();
});

/** Each request as if from an address of its own: what is bounded here is bounded for the operator. */
let visitors = 0;
function ask(method: string, path: string, body: object, cookie?: string): Promise<Response> {
  const headers = {
    "Content-Type": "application/json",
    Origin: origin,
    "X-Forwarded-For": addressOf((visitors += 1)),
  };
  return fetch(`http://127.0.0.1:${listener.port}/v1/${path}`, {
    method,
    headers: cookie === undefined ? headers : { ...headers, Cookie: cookie },
    body: JSON.stringify(body),
  });
}
const logIn = (email: string, cookie?: string, password = operatorPassword) =>
  ask("POST", "session", { email, password }, cookie);
const checkPassword = (cookie: string, password = operatorPassword) =>
  ask("POST", "session/totp", { password }, cookie);

/** Logs in. @returns the session's cookie and that of the device */
async function logged(email: string, device?: string): Promise<[session: string, device: string]> {
  const response = await logIn(email, device);
  expect(response.status).toBe(200);
  const [session = "", mark = ""] = response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0] ?? "");
  return [session, mark];
}

describe("a viewer who floods", () => {
  const connections = 50;
  /** So many ask at once, on and on, each over one of seven sessions, while the work is done. @returns what they heard */
  async function flood(check: (index: number) => Promise<Response>, work: () => Promise<void>) {
    const statuses = new Set<number>();
    const over = new AbortController();
    const all = Array.from({ length: connections }, async (_, index) => {
      while (!over.signal.aborted) {
        const response = await check(index % 7);
        statuses.add(response.status);
        await response.body?.cancel();
      }
    });
    try {
      await work();
    } finally {
      over.abort();
      await Promise.all(all);
    }
    return statuses;
  }

  test.for(["checks inside sessions", "log-ins from browsers that have logged in before"])(
    "%s: an owner logs in and types the password, each time",
    async (kind) => {
      const viewer = await bench.operator("viewer");
      const owner = await bench.operator("owner");
      const ways: [session: string, device: string][] = [];
      for (let count = 0; count < 7; count += 1) ways.push(await logged(viewer.email));
      const [session, device] = await logged(owner.email);
      const check = (index: number) => {
        const [own = "", mark] = ways[index] ?? [];
        return kind.startsWith("checks") ? checkPassword(own) : logIn(viewer.email, mark);
      };
      const statuses = await flood(check, async () => {
        for (let count = 0; count < 5; count += 1) {
          expect((await logIn(owner.email, device)).status).toBe(200);
          expect((await logIn(owner.email)).status).toBe(200);
          expect((await checkPassword(session)).status).toBe(200);
        }
      });
      expect([...statuses]).toEqual(expect.arrayContaining([200, 503]));
    },
  );

  test("is stopped for a while, though the password is right", async () => {
    const viewer = await bench.operator("viewer");
    const owner = await bench.operator("owner");
    const [session] = await logged(viewer.email);
    for (let count = 0; count < logInLimits.known; count += 1) {
      expect((await checkPassword(session)).status).toBe(200);
    }
    const refused = await checkPassword(session);
    await expectProblem(refused, "too-many-attempts");
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(14 * 60);
    // In another session, too; the account's log-in and other operators' sessions are not stopped.
    const [other, device] = await logged(viewer.email);
    await expectProblem(await checkPassword(other), "too-many-attempts");
    await logged(viewer.email, device);
    expect((await checkPassword(owner.cookie)).status).toBe(200);
  });
});

test("somebody who mistypes, logs in on two devices and sets everything up never hears of a bound", async () => {
  const { email } = await bench.operator("owner");
  for (const password of ["wrong", "wrong again"]) {
    await expectProblem(await logIn(email, undefined, password), "log-in-refused");
  }
  const [[laptop, mark], [phone]] = await Promise.all([logged(email), logged(email)]);
  await expectProblem(await checkPassword(laptop, "wrong"), "password-wrong");
  const both = await Promise.all([laptop, phone].map((session) => checkPassword(session)));
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  for (const [current, next] of [
    [operatorPassword, "oito pontes de pedra"],
    ["oito pontes de pedra", operatorPassword],
  ]) {
    const changed = await ask("PUT", "session/password", { current, new: next }, laptop);
    expect(changed.status).toBe(204);
  }
  expect((await checkPassword(laptop)).status).toBe(200);
  const options = await ask(
    "POST",
    "session/passkeys/options",
    { password: operatorPassword },
    laptop,
  );
  expect(options.status).toBe(200);
  const again = await Promise.all([logged(email, mark), logged(email, mark), logged(email)]);
  expect(again).toHaveLength(3);
});
