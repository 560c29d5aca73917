import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  appBench,
  operatorPassword,
  testPasswordWork,
  type AppBench,
} from "../../test/app-bench.ts";
import { addressOf } from "../../test/came-from.ts";
import { createPasswordTurns } from "../operators/password-turns.ts";
import { createPasswords, type Passwords } from "../operators/passwords.ts";
import { NoTurnLeft } from "../turns.ts";
import { createDeviceCookies } from "./device-cookie.ts";
import { createLogInThrottle, logInLimits, type LogInThrottle } from "./log-in-throttle.ts";
import { createLogIn } from "./log-in.ts";

const email = "baker@site.example";
const from = { userAgent: "", addressIsShared: false, deviceCookie: undefined };
let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
  await bench.operator("owner", { email });
});
afterEach(() => bench.close());

function logInWith({
  passwords = createPasswords({ randomBytes, work: testPasswordWork }),
  turns = createPasswordTurns(),
  throttle = createLogInThrottle(),
}: {
  passwords?: Passwords;
  turns?: ReturnType<typeof createPasswordTurns>;
  throttle?: LogInThrottle;
}) {
  return createLogIn({
    operators: bench.store.operators,
    sessions: bench.access.sessions,
    passwords,
    turns,
    throttle,
    deviceCookies: createDeviceCookies({ secret: randomBytes(32), randomBytes }),
    auditFailure: async () => undefined,
    checkSecondFactor: async () => null,
  });
}

describe("log-in", () => {
  test("looks at a password whoever it is, so that no address is known by the time it takes", async () => {
    const passwords = createPasswords({ randomBytes, work: testPasswordWork });
    const looked: (string | null)[] = [];
    const { logIn } = logInWith({
      passwords: {
        ...passwords,
        verify(password, phc) {
          looked.push(phc);
          return passwords.verify(password, phc);
        },
      },
    });
    for (const typed of [email, "nobody@site.example", "no address", ""]) {
      const given = { email: typed, password: "wrong" };
      const address = "192.0.2.1";
      expect(await logIn(given, { ...from, address })).toEqual({ kind: "log-in-refused" });
    }
    expect(looked).toEqual([expect.stringContaining("$argon2id$"), null, null, null]);
  });

  test("that nobody could look at is no attempt, and leaves nothing behind", async () => {
    const throttle = createLogInThrottle();
    const counted = vi.spyOn(throttle, "attempt");
    const turns = createPasswordTurns();
    const { logIn, inSession } = logInWith({ turns, throttle });
    const { promise, resolve } = Promise.withResolvers<void>();
    const others = Array.from({ length: 52 }, () => turns.stranger(() => promise));
    const inside = Array.from({ length: 21 }, (_, id) => turns.inside(1_000 + id, () => promise));
    for (let times = 0; times < 50; times += 1) {
      const given = { email: `${times}@site.example`, password: operatorPassword };
      const address = addressOf(times);
      await expect(logIn(given, { ...from, address })).rejects.toThrow(NoTurnLeft);
      const work = () => Promise.reject(new Error("there is no turn for it"));
      await expect(inSession({ id: times, sessionId: 1 }, work)).rejects.toThrow(NoTurnLeft);
    }
    expect(counted).not.toHaveBeenCalled();
    resolve();
    await Promise.all([...others, ...inside]);
    const given = { email, password: operatorPassword };
    expect(await logIn(given, { ...from, address: addressOf(0) })).toMatchObject({
      kind: "logged-in",
    });
    expect(counted).toHaveBeenCalledOnce();
  });

  test("from an address that many share is not stopped by what others do there", async () => {
    const { logIn } = logInWith({
      passwords: {
        ...createPasswords({ randomBytes, work: testPasswordWork }),
        verify: async () => ({ fits: false, outdated: false }),
      },
    });
    const device = { ...from, address: "10.0.0.1", addressIsShared: true };
    for (let times = 0; times < 2 * logInLimits.address; times += 1) {
      const given = { email: `${times}@site.example`, password: "wrong" };
      expect(await logIn(given, device)).toEqual({ kind: "log-in-refused" });
    }
    for (let times = 0; times < logInLimits.account; times += 1) {
      expect(await logIn({ email, password: "wrong" }, device)).toEqual({ kind: "log-in-refused" });
    }
    expect(await logIn({ email, password: "wrong" }, device)).toMatchObject({
      kind: "too-many-attempts",
    });
  });
});
