import { TOTP, URI } from "otpauth";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accountSchema, recoveryCodesSchema, totpOfferSchema } from "@sineta/protocol";
import {
  appBench,
  expectProblem,
  operatorPassword,
  origin,
  type AppBench,
} from "../test/app-bench.ts";

const stepMs = 30_000;
const email = "baker@site.example";
const password = operatorPassword;
let nowMs: number;
let bench: AppBench;
let headers: Record<string, string>;
beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 20, 12);
  bench = await appBench({ operatorsNow: () => nowMs });
  ({ headers } = await bench.operator("viewer", { email }));
});
afterEach(() => bench.close());

const ask = async (method: string, path: string, body?: object, by = headers) =>
  bench.app.request(`/v1/${path}`, {
    method,
    headers: { Origin: origin, ...by, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const logIn = (secondFactor?: string) =>
  ask("POST", "session", { email, password, secondFactor }, {});
const account = async () => accountSchema.parse(await (await ask("GET", "session")).json());
const lines = async (action: string) =>
  (await bench.store.audit.list([null, bench.project.id], { limit: 500 })).filter(
    (line) => line.action === action,
  );

/** The authenticator application: it gets what the QR code holds. */
type Application = { code: (atMs?: number) => string };
async function offered(): Promise<Application & { secret: string; uri: string }> {
  const response = await ask("POST", "session/totp", { password });
  expect(response.status).toBe(200);
  const offer = totpOfferSchema.parse(await response.json());
  const totp = URI.parse(offer.uri);
  if (!(totp instanceof TOTP)) throw new Error("this is no TOTP");
  return { ...offer, code: (atMs = nowMs) => totp.generate({ timestamp: atMs }) };
}
const confirm = (code: string) => ask("POST", "session/totp/confirm", { code });
async function codesOf(response: Response): Promise<string[]> {
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  return recoveryCodesSchema.parse(await response.json()).recoveryCodes;
}
/** With a second factor; its first code is taken, so the clock moves on. */
async function withTotp(): Promise<Application & { recoveryCodes: string[] }> {
  const application = await offered();
  const recoveryCodes = await codesOf(await confirm(application.code()));
  nowMs += stepMs;
  return { ...application, recoveryCodes };
}

describe("setting up", () => {
  test("gives a secret as RFC 6238 has it; it is asked for from the first code on", async () => {
    const { secret, uri, code } = await offered();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toBe(
      `otpauth://totp/Sineta%20site.example:baker%40site.example?issuer=Sineta%20site.example&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect(code()).toMatch(/^\d{6}$/);
    expect((await account()).secondFactor).toBeNull();
    expect((await logIn()).status).toBe(200);
    const recoveryCodes = await codesOf(await confirm(code()));
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const one of recoveryCodes) {
      expect(one).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    }
    expect((await account()).secondFactor).toEqual({ recoveryCodesLeft: 10 });
    await expectProblem(await logIn(), "second-factor-missing");
    expect(await lines("second-factor.added")).toMatchObject([
      { actor: { kind: "operator", name: email }, subject: email, projectId: null, change: null },
    ]);
  });

  test("needs the password, each time another secret", async () => {
    await expectProblem(await ask("POST", "session/totp", { password: "wrong" }), "password-wrong");
    await expectProblem(await ask("POST", "session/totp", {}), "body-invalid");
    const first = await offered();
    const second = await offered();
    expect(second.secret).not.toBe(first.secret);
    await expectProblem(await confirm(first.code()), "code-wrong");
    await codesOf(await confirm(second.code()));
  });

  test("refuses what waits for no code, and a second one", async () => {
    await expectProblem(await confirm("000000"), "second-factor-absent");
    const { code } = await withTotp();
    await expectProblem(await confirm(code()), "second-factor-absent");
    await expectProblem(await ask("POST", "session/totp", { password }), "second-factor-present");
    expect((await logIn(code())).status).toBe(200);
  });

  test("counts wrong passwords and codes; what is right does not count", async () => {
    const { code } = await offered();
    for (let times = 0; times < 5; times += 1) {
      await expectProblem(await confirm("wrong"), "code-wrong");
      await expectProblem(
        await ask("POST", "session/totp", { password: "wrong" }),
        "password-wrong",
      );
    }
    await expectProblem(await confirm(code()), "too-many-attempts");
    await expectProblem(await ask("POST", "session/totp", { password }), "too-many-attempts");
    // Others, and who logs in anew, are not locked out by that.
    expect((await logIn()).status).toBe(200);
  });

  test("is the own: with no session, an API key, or from another site there is none", async () => {
    const key = { Authorization: `Bearer ${await bench.key()}` };
    const evil = { ...headers, Origin: "https://evil.example" };
    for (const [method, path, body] of [
      ["POST", "session/totp", { password }],
      ["POST", "session/totp/confirm", { code: "000000" }],
      ["DELETE", "session/totp", { password, code: "000000" }],
      ["POST", "session/recovery-codes", { password }],
    ] as const) {
      await expectProblem(await ask(method, path, body, {}), "session-missing");
      await expectProblem(await ask(method, path, body, key), "session-missing");
      await expectProblem(await ask(method, path, body, evil), "cross-site-refused");
    }
    expect((await account()).secondFactor).toBeNull();
  });
});

describe("log-in", () => {
  test("asks for the code after the password", async () => {
    const { code } = await withTotp();
    await expectProblem(
      await ask("POST", "session", { email, password: "wrong", secondFactor: code() }, {}),
      "log-in-refused",
    );
    for (let times = 0; times < 8; times += 1) {
      // It is asked for in a second step, which is no failure.
      await expectProblem(await logIn(), "second-factor-missing");
    }
    const wrong = await logIn("000000");
    await expectProblem(wrong, "second-factor-wrong");
    expect(wrong.headers.getSetCookie()).toEqual([]);
    expect(await lines("operator.log-in-refused")).toMatchObject([
      { subject: email, change: { reason: "second-factor" } },
      { change: { reason: "password" } },
    ]);
    expect((await logIn(` ${code().slice(0, 3)} ${code().slice(3)}`)).status).toBe(200);
    expect((await lines("operator.logged-in"))[0]).toMatchObject({
      change: { with: "password and totp" },
    });
  });

  test("takes each code once, however many ask at the same moment", async () => {
    const { code } = await withTotp();
    const all = await Promise.all(Array.from({ length: 4 }, () => logIn(code())));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    await expectProblem(await logIn(code()), "second-factor-wrong");
  });

  test("takes the code that set it up no more", async () => {
    const { code } = await offered();
    await codesOf(await confirm(code()));
    await expectProblem(await logIn(code()), "second-factor-wrong");
    expect(await lines("operator.logged-in")).toHaveLength(1);
  });

  test.for<[steps: number, taken: boolean]>([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])("takes a code from %d steps away: %s", async ([steps, taken]) => {
    const { code } = await withTotp();
    nowMs += 10 * stepMs;
    expect((await logIn(code(nowMs + steps * stepMs))).status).toBe(taken ? 200 : 401);
  });

  test("takes no code from before one that was taken", async () => {
    const { code } = await withTotp();
    const earlier = code();
    nowMs += stepMs;
    expect((await logIn(code())).status).toBe(200);
    await expectProblem(await logIn(earlier), "second-factor-wrong");
  });

  test("takes another operator's code and recovery code no more than a made-up one", async () => {
    const { code, recoveryCodes } = await withTotp();
    ({ headers } = await bench.operator("owner", { email: "florist@site.example" }));
    const florist = await withTotp();
    const asBia = (secondFactor: string) =>
      ask("POST", "session", { email: "florist@site.example", password, secondFactor }, {});
    await expectProblem(await asBia(code()), "second-factor-wrong");
    await expectProblem(await asBia(recoveryCodes[0] ?? ""), "second-factor-wrong");
    await expectProblem(await asBia(""), "second-factor-wrong");
    expect((await asBia(florist.code())).status).toBe(200);
  });

  test("takes recovery codes, each once, however they are typed", async () => {
    const { recoveryCodes } = await withTotp();
    const [first = "", second = "", third = ""] = recoveryCodes;
    expect((await logIn(first)).status).toBe(200);
    await expectProblem(await logIn(first), "second-factor-wrong");
    const typed = ` ${second.toUpperCase().replaceAll("-", " ").replaceAll("0", "O").replaceAll("1", "l")} `;
    expect((await logIn(typed)).status).toBe(200);
    const all = await Promise.all([logIn(third), logIn(third)]);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await account()).secondFactor).toEqual({ recoveryCodesLeft: 7 });
    expect((await lines("operator.logged-in"))[0]).toMatchObject({
      change: { with: "password and recovery-code" },
    });
  });

  test("is throttled: whoever has the password cannot try codes for long", async () => {
    const { code } = await withTotp();
    for (let times = 0; times < 5; times += 1) {
      await expectProblem(await logIn("000000"), "second-factor-wrong");
    }
    await expectProblem(await logIn(code()), "too-many-attempts");
    expect(await lines("operator.log-in-refused")).toHaveLength(6);
  });
});

describe("removing", () => {
  const remove = (body: object) => ask("DELETE", "session/totp", body);

  test.for(["totp", "recovery-code"] as const)("takes password and %s", async (kind) => {
    const { code, recoveryCodes } = await withTotp();
    const right = kind === "totp" ? code() : (recoveryCodes[3] ?? "");
    await expectProblem(await remove({ password: "wrong", code: right }), "password-wrong");
    await expectProblem(await remove({ password, code: "000000" }), "code-wrong");
    await expectProblem(await remove({ password }), "body-invalid");
    await expectProblem(await logIn(), "second-factor-missing");
    expect((await remove({ password, code: right })).status).toBe(204);
    expect((await logIn()).status).toBe(200);
    expect((await account()).secondFactor).toBeNull();
    await expectProblem(await remove({ password, code: right }), "second-factor-absent");
    expect(await lines("second-factor.removed")).toMatchObject([
      { actor: { name: email }, change: { with: kind } },
    ]);
    // What was is worth nothing for what comes.
    const next = await withTotp();
    await expectProblem(await logIn(recoveryCodes[4]), "second-factor-wrong");
    expect((await logIn(next.code())).status).toBe(200);
  });

  test("counts wrong codes", async () => {
    const { code } = await withTotp();
    for (let times = 0; times < 10; times += 1) {
      await expectProblem(await remove({ password, code: "000000" }), "code-wrong");
    }
    await expectProblem(await remove({ password, code: code() }), "too-many-attempts");
    expect((await account()).secondFactor).toEqual({ recoveryCodesLeft: 10 });
  });
});

describe("new recovery codes", () => {
  const replace = (given = password) => ask("POST", "session/recovery-codes", { password: given });

  test("take the place of those there are", async () => {
    const { recoveryCodes } = await withTotp();
    await expectProblem(await replace("wrong"), "password-wrong");
    const next = await codesOf(await replace());
    expect(next).toHaveLength(10);
    await expectProblem(await logIn(recoveryCodes[0]), "second-factor-wrong");
    expect((await logIn(next[0])).status).toBe(200);
    expect(await lines("recovery-codes.replaced")).toHaveLength(1);
  });

  test("are for whom codes are asked", async () => {
    await expectProblem(await replace(), "second-factor-absent");
    await offered();
    await expectProblem(await replace(), "second-factor-absent");
    expect(await lines("recovery-codes.replaced")).toEqual([]);
  });
});

test("who lost everything is let in by the command line, and starts anew", async () => {
  const { code } = await withTotp();
  const asker = { actor: { kind: "command-line", name: "root" }, address: null } as const;
  const recovered = await bench.access.operators.recover(email, asker);
  const logged = await ask("POST", "session", { email, password: recovered }, {});
  expect(logged.status).toBe(200);
  await expectProblem(await logIn(code()), "log-in-refused");
});

test("a second factor cannot be moved to another operator in the database", async () => {
  const { code } = await withTotp();
  const { id } = (await bench.store.operators.findByEmail(email)) ?? { id: 0 };
  const other = await bench.operator("owner", { email: "florist@site.example" });
  // It is sealed with whose it is.
  const sealed = (await bench.store.operators.findById(id))?.sealedTotpSecret ?? new Uint8Array();
  await bench.store.secondFactors.offerTotp(other.id, sealed);
  const response = await ask("POST", "session/totp/confirm", { code: code() }, other.headers);
  await expectProblem(response, "internal");
  expect((await bench.store.operators.findById(other.id))?.sealedTotpSecret).toBeNull();
});
