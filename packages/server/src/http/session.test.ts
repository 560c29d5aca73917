import { randomBytes } from "node:crypto";
import { TOTP, URI } from "otpauth";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { operatorSchema, sessionListSchema, type HttpErrorCode } from "@sineta/protocol";
import { createPasswords } from "../access/operators/passwords.ts";
import {
  appBench,
  expectProblem,
  operatorPassword,
  testPasswordWork,
  origin,
  testAsker,
  type AppBench,
} from "../test/app-bench.ts";

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

const email = "baker@site.example";
const right = { email, password: operatorPassword };

/** Asks as a page of the console does; null leaves a header out. */
function ask(
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string | null> } = {},
) {
  const all = new Headers({ Origin: origin, "User-Agent": "Firefox" });
  if (body !== undefined) all.set("Content-Type", "application/json");
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) all.delete(name);
    else all.set(name, value);
  }
  return bench.app.request(path, {
    method,
    headers: all,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
const logIn = (body: unknown = right, headers: Record<string, string | null> = {}) =>
  ask("POST", "/v1/session", { body, headers });
const who = (cookie: string) => ask("GET", "/v1/session", { headers: { Cookie: cookie } });

/** What the answer's cookies are, as a browser sends them back. */
function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}
/** Logs in; gives the cookies. */
async function logged(body: unknown = right): Promise<string> {
  const response = await logIn(body);
  expect(response.status).toBe(200);
  return cookiesOf(response);
}
const lines = () => bench.store.audit.list([null, bench.project.id], { limit: 500 });

/** Gives recovery codes, each of which is a second factor once. */
async function giveSecondFactor(id: number): Promise<[string, string]> {
  const offered = await bench.access.secondFactors.offer({ id, email });
  const totp = URI.parse(offered?.uri ?? "");
  // The bench's clock stands still.
  const code = totp instanceof TOTP ? totp.generate({ timestamp: 1_000 }) : "";
  const confirmed = await bench.access.secondFactors.confirm(
    { id, sessionId: null },
    code,
    testAsker,
  );
  const [one, other] = typeof confirmed === "string" ? [] : confirmed.recoveryCodes;
  if (one === undefined || other === undefined) throw new Error("there are no recovery codes");
  return [one, other];
}

describe("log-in", () => {
  test("answers who it is, sets a cookie that is good, and leaves a line", async () => {
    const { id } = await bench.operator("editor", { email });
    const response = await logIn({ ...right, email: " Baker@Site.Example " });
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const answer = operatorSchema.parse(await response.json());
    expect(answer).toEqual({ id, email, name: "editor", roles: { default: "editor" } });
    const cookies = cookiesOf(response);
    expect(await (await who(cookies)).json()).toEqual({
      ...answer,
      secondFactor: null,
      passkeys: [],
    });
    expect((await lines())[0]).toMatchObject({
      actor: { kind: "operator", name: email },
      action: "operator.logged-in",
      subject: email,
      change: { with: "password", device: "Firefox" },
    });
    // Another one each time.
    expect(await logged()).not.toBe(cookies);
  });

  test("the cookie is the host's alone over https, and for no script or other site anywhere", async () => {
    await bench.operator("owner", { email });
    const plain = (await logIn()).headers.getSetCookie();
    expect(plain).toEqual([
      expect.stringMatching(
        /^sineta-session=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Strict$/,
      ),
      expect.stringMatching(
        /^sineta-device=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    await bench.close();
    bench = await appBench({ httpsOnly: true });
    await bench.operator("owner", { email });
    const response = await logIn();
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-sineta-session=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
      expect.stringMatching(
        /^__Host-sineta-device=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ]);
    expect((await who(cookiesOf(response))).status).toBe(200);
    expect((await who(cookiesOf(response).replaceAll("__Host-", ""))).status).toBe(401);
  });

  test("refuses a wrong password and an unknown address alike, and writes down who was meant", async () => {
    await bench.operator("owner", { email });
    const wrong = await logIn({ email, password: "wrong" });
    const unknown = await logIn({ email: "nobody@site.example", password: operatorPassword });
    expect(await wrong.text()).toBe(await unknown.clone().text());
    await expectProblem(unknown, "log-in-refused");
    for (const { headers } of [wrong, unknown]) expect(headers.getSetCookie()).toEqual([]);
    expect((await lines()).slice(0, 2)).toMatchObject([
      {
        actor: { kind: "nobody" },
        action: "operator.log-in-refused",
        subject: "(no operator's)",
      },
      { subject: email, change: { reason: "password" } },
    ]);
  });

  test("asks for the second factor of whoever has one, after the password", async () => {
    const { id } = await bench.operator("owner", { email });
    const [one, other] = await giveSecondFactor(id);
    const unknown = await logIn({ email, password: "wrong", secondFactor: one });
    await expectProblem(unknown, "log-in-refused");
    for (let times = 0; times < 8; times += 1) {
      // It is asked for in a second step, which is no failure.
      await expectProblem(await logIn(), "second-factor-missing");
    }
    const wrong = await logIn({ ...right, secondFactor: "wrong" });
    await expectProblem(wrong, "second-factor-wrong");
    expect(wrong.headers.getSetCookie()).toEqual([]);
    expect((await lines())[0]).toMatchObject({ change: { reason: "second-factor" } });
    expect((await logIn({ ...right, secondFactor: one })).status).toBe(200);
    for (let times = 0; times < 4; times += 1) await logIn({ ...right, secondFactor: "wrong" });
    await expectProblem(await logIn({ ...right, secondFactor: other }), "too-many-attempts");
  });

  test("of strangers is throttled; who has logged in here before still gets in", async () => {
    await bench.operator("owner", { email });
    const cookies = await logged();
    for (let times = 0; times < 5; times += 1) {
      await expectProblem(await logIn({ email, password: "wrong" }), "log-in-refused");
    }
    const refused = await logIn();
    await expectProblem(refused, "too-many-attempts");
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(800);
    expect((await lines())[0]).toMatchObject({ change: { reason: "too-many-attempts" } });
    expect((await logIn(right, { Cookie: cookies })).status).toBe(200);
    // The mark alone, without the session, is enough for that; one that was made up is not.
    const device = cookies.split("; ").find((one) => one.startsWith("sineta-device=")) ?? "";
    expect((await logIn(right, { Cookie: device })).status).toBe(200);
    const made = await logIn(right, { Cookie: `${device}x` });
    await expectProblem(made, "too-many-attempts");
    // Nor does it let in without the password.
    await expectProblem(
      await logIn({ email, password: "x" }, { Cookie: device }),
      "log-in-refused",
    );
    expect((await who(device)).status).toBe(401);
  });

  test("hashes a password anew whose hash was made by other parameters, and ends nothing", async () => {
    const { id, cookie } = await bench.operator("owner", { email });
    const store = bench.store.operators;
    const hashOf = async () => (await store.findByEmail(email))?.passwordHash ?? "";
    const kept = await hashOf();
    const old =
      "$argon2id$v=19$m=16,t=1,p=1$c2FsdHNhbHQ$Flf+Dvz2NT6hK4Z2w94TPIWr2mpd6FWlQFuyPfhiBB8";
    await store.rehash(id, { from: kept, to: old });
    const passwords = createPasswords({ randomBytes, work: testPasswordWork });
    await expect(passwords.verify("wrong", old)).resolves.toMatchObject({ outdated: true });
    await expectProblem(await logIn(), "log-in-refused");
    expect(await hashOf()).toBe(old);
    await store.rehash(id, { from: old, to: await hashBy({ memory: 16, passes: 1 }) });
    const response = await logIn();
    expect(response.status).toBe(200);
    const anew = await hashOf();
    expect(anew).toContain("$m=8,t=1,p=1$");
    expect(await passwords.verify(operatorPassword, anew)).toEqual({ fits: true, outdated: false });
    expect((await who(cookie)).status).toBe(200);
    // The mark that came along belongs to the new hash.
    for (let times = 0; times < 5; times += 1) await logIn({ email, password: "wrong" });
    expect((await logIn(right, { Cookie: cookiesOf(response) })).status).toBe(200);
  });

  test.for<[code: HttpErrorCode, body: unknown]>([
    ["body-invalid", { email }],
    ["body-invalid", { email, password: 1 }],
    ["body-invalid", { email, password: "x".repeat(1001) }],
    ["body-invalid", { email, password: "x", more: 1 }],
    ["body-too-large", { email, password: "x".repeat(20_000) }],
  ])("%s: %j", async ([code, body]) => {
    expect(await expectProblem(await logIn(body), code)).toMatchObject({ code });
  });
});

describe("log-in from elsewhere", () => {
  test.for<Record<string, string | null>>([
    { Origin: "https://evil.example" },
    { Origin: null },
    { Origin: "null" },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
    { "Sec-Fetch-Site": "none" },
  ])("%j logs nobody in", async (headers) => {
    await bench.operator("owner", { email });
    const response = await logIn(right, headers);
    await expectProblem(response, "cross-site-refused");
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("a form cannot send it", async () => {
    const response = await logIn(right, { "Content-Type": "text/plain" });
    expect((await expectProblem(response, "content-type-unsupported")).status).toBe(415);
  });
});

describe("a session", () => {
  test("ends at log-out, for whoever has its cookie", async () => {
    await bench.operator("owner", { email });
    const cookies = await logged();
    const response = await ask("DELETE", "/v1/session", { headers: { Cookie: cookies } });
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sineta-session=; Max-Age=0; Path=\//),
    ]);
    await expectProblem(await who(cookies), "session-ended");
    expect((await lines())[0]).toMatchObject({ action: "session.ended", subject: email });
  });

  test("is not ended by another site's page", async () => {
    await bench.operator("owner", { email });
    const cookies = await logged();
    for (const headers of [{ Origin: "https://evil.example" }, { Origin: null }]) {
      const all = { Cookie: cookies, ...headers };
      await expectProblem(
        await ask("DELETE", "/v1/session", { headers: all }),
        "cross-site-refused",
      );
    }
    expect((await who(cookies)).status).toBe(200);
  });

  test("none, or an API key: there is nobody", async () => {
    const key = `Bearer ${await bench.key()}`;
    for (const [method, path] of [
      ["GET", "/v1/session"],
      ["DELETE", "/v1/session"],
      ["GET", "/v1/sessions"],
      ["DELETE", "/v1/sessions/1"],
    ] as const) {
      expect((await expectProblem(await ask(method, path), "session-missing")).status).toBe(401);
      const headers = { Authorization: key };
      await expectProblem(await ask(method, path, { headers }), "session-missing");
    }
  });

  test("is listed with device and times; each can be ended by its operator alone", async () => {
    const { headers } = await bench.operator("owner", { email });
    const florist = await bench.operator("owner");
    const cookies = await logged();
    const list = async () => {
      const response = await ask("GET", "/v1/sessions", { headers });
      return sessionListSchema.parse(await response.json()).sessions;
    };
    const [other, own] = await list();
    const startedAt = "1970-01-01T00:00:01.000Z";
    expect(other).toEqual({
      id: expect.any(Number),
      device: "Firefox",
      address: "",
      startedAt,
      lastUsedAt: startedAt,
      current: false,
    });
    expect(own).toMatchObject({ device: "test", address: "192.0.2.1", current: true });
    const end = (id: number | string, by: Record<string, string>) =>
      ask("DELETE", `/v1/sessions/${id}`, { headers: by });
    await expectProblem(await end(other?.id ?? 0, florist.headers), "session-unknown");
    for (const id of ["0", "x", "1e3", "9".repeat(30)]) {
      await expectProblem(await end(id, headers), "session-unknown");
    }
    expect((await who(cookies)).status).toBe(200);
    expect((await end(other?.id ?? 0, headers)).status).toBe(204);
    await expectProblem(await who(cookies), "session-ended");
    expect(await list()).toEqual([own]);
  });

  test("ends when the same browser logs in again; no cookie that came along becomes one", async () => {
    await bench.operator("owner", { email });
    const first = await logged();
    const second = cookiesOf(await logIn(right, { Cookie: first }));
    await expectProblem(await who(first), "session-ended");
    expect((await who(second)).status).toBe(200);
    const planted = `sineta-session=${"A".repeat(43)}`;
    const third = cookiesOf(await logIn(right, { Cookie: planted }));
    expect(third).not.toContain(planted);
    await expectProblem(await who(planted), "session-ended");
    expect((await who(second)).status).toBe(200);
  });

  test("knows of another role at once", async () => {
    const { id, headers } = await bench.operator("editor", { email });
    await bench.operator("owner");
    const role = { projectId: bench.project.id, role: "viewer" } as const;
    await bench.access.operators.setRole(id, role, testAsker);
    expect(await (await who(headers.Cookie)).json()).toMatchObject({
      roles: { default: "viewer" },
    });
  });
});

describe("the own password", () => {
  const next = "oito pontes de pedra";
  const change = (
    headers: Record<string, string>,
    body: unknown = { current: operatorPassword, new: next },
  ) => ask("PUT", "/v1/session/password", { headers, body });

  test("is changed by whoever knows it; all other sessions end", async () => {
    const { headers, cookie } = await bench.operator("owner", { email });
    const others = await logged();
    const changed = await change(headers);
    expect(changed.status).toBe(204);
    expect((await who(cookie)).status).toBe(200);
    await expectProblem(await who(others), "session-ended");
    await expectProblem(await logIn(), "log-in-refused");
    await logged({ email, password: next });
    expect((await lines()).map(({ action }) => action)).toContain("operator.password-changed");
    // Strangers do not shut this browser out, and a mark from before is worth nothing.
    for (let times = 0; times < 5; times += 1) await logIn({ email, password: "wrong" });
    const anew = { email, password: next };
    await expectProblem(await logIn(anew, { Cookie: others }), "too-many-attempts");
    expect((await logIn(anew, { Cookie: cookiesOf(changed) })).status).toBe(200);
  });

  test("stays if the current one is wrong, and guessing has an end", async () => {
    const { headers } = await bench.operator("owner", { email });
    const wrong = { current: "wrong", new: next };
    for (let times = 0; times < 10; times += 1) {
      await expectProblem(await change(headers, wrong), "password-wrong");
    }
    const refused = await change(headers);
    await expectProblem(refused, "too-many-attempts");
    expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
    // Whoever guesses in a session that was left open locks nobody out.
    await logged();
  });

  test.for<[HttpErrorCode, string]>([
    ["password-short", "k3-vB!q9_"],
    ["password-long", "kv".repeat(101)],
    ["password-common", "Password123!"],
    ["password-like-email", "baker.site-2026"],
  ])("stays if the new one is refused: %s", async ([code, password]) => {
    const { headers } = await bench.operator("owner", { email });
    const refused = await change(headers, { current: operatorPassword, new: password });
    expect((await expectProblem(refused, code)).status).toBe(400);
    await logged();
  });

  test("is not changed by another site's page", async () => {
    const { headers } = await bench.operator("owner", { email });
    const evil = { ...headers, Origin: "https://evil.example" };
    expect((await expectProblem(await change(evil), "cross-site-refused")).status).toBe(403);
  });
});

async function hashBy({ memory, passes }: { memory: number; passes: number }): Promise<string> {
  const { argon2Sync } = await import("node:crypto");
  const nonce = randomBytes(16);
  const parameters = {
    message: operatorPassword,
    nonce,
    parallelism: 1,
    tagLength: 32,
    memory,
    passes,
  };
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replaceAll("=", "");
  const tag = argon2Sync("argon2id", parameters);
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${base64(nonce)}$${base64(tag)}`;
}
