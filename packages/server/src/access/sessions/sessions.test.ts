import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { appBench, type AppBench } from "../../test/app-bench.ts";
import { createSessions, type Sessions } from "./sessions.ts";

const dayMs = 24 * 60 * 60 * 1000;
let bench: AppBench;
let sessions: Sessions;
let nowMs: number;
let baker: { id: number; email: string };
beforeEach(async () => {
  bench = await appBench();
  nowMs = Date.UTC(2026, 10, 20);
  sessions = createSessions({ store: bench.store.sessions, randomBytes, now: () => nowMs });
  baker = await bench.operator("owner");
});
afterEach(() => bench.close());

async function start(userAgent = "Firefox") {
  const who = { ...baker, verified: null };
  const started = await sessions.start(who, { address: "192.0.2.1", userAgent }, "password");
  if (started === null || "retryAfterSeconds" in started) {
    throw new Error("the session did not begin");
  }
  return started;
}
const isGood = async (token: string) => (await sessions.find(token, "192.0.2.1")) !== null;

describe("a session", () => {
  test("has a token of 32 random bytes of which a hash is kept", async () => {
    const { token } = await start();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect((await start()).token).not.toBe(token);
    expect(await sessions.find(token, "192.0.2.1")).toEqual({
      kind: "operator",
      id: baker.id,
      email: baker.email,
      name: "owner",
      sessionId: expect.any(Number),
      roles: new Map([[bench.project.id, "owner"]]),
    });
    for (const wrong of ["", token.slice(1), `${token}A`]) expect(await isGood(wrong)).toBe(false);
  });

  test("ends after 14 days without use", async () => {
    const [used, unused] = [await start(), await start()];
    nowMs += 14 * dayMs;
    expect(await isGood(used.token)).toBe(true);
    nowMs += 1;
    expect([await isGood(used.token), await isGood(unused.token)]).toEqual([true, false]);
  });

  test("ends after 90 days, however it is used, and so does its cookie", async () => {
    const { token, maxAgeSeconds } = await start();
    expect(maxAgeSeconds * 1000).toBe(90 * dayMs);
    for (let day = 10; day < 90; day += 10) {
      nowMs += 10 * dayMs;
      expect(await isGood(token)).toBe(true);
    }
    nowMs += 10 * dayMs - 1;
    expect(await isGood(token)).toBe(true);
    nowMs += 1;
    expect(await isGood(token)).toBe(false);
    expect(await sessions.list(baker.id)).toEqual([]);
  });

  test("shows the browser's own name, shortened and without what steers a terminal", async () => {
    await start(`Fire\u001b[2Jfox\u202e\n${"x".repeat(400)}`);
    const [session] = await sessions.list(baker.id);
    expect(session?.userAgent).toBe(`Fire[2Jfox${"x".repeat(290)}`);
  });
});
