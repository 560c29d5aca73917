import { DatabaseSync } from "node:sqlite";
import { KeyObject } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  passkeyListSchema,
  passkeyRequestOptionsSchema,
  type HttpErrorCode,
} from "@sineta/protocol";
import {
  appBench,
  expectProblem,
  operatorPassword,
  origin,
  type AppBench,
} from "../test/app-bench.ts";
import { softwarePasskey, type Twist } from "../test/software-passkey.ts";

const email = "baker@site.example";
const home = { origin, rpId: "site.example" };
const minuteMs = 60_000;
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
const askToMake = (body: object = {}, by = headers) =>
  ask("POST", "session/passkeys/options", body, by);
const creation = async (by = headers): Promise<unknown> => (await askToMake({}, by)).json();
const add = (credential: object, name = "notebook", by = headers) =>
  ask("POST", "session/passkeys", { name, credential }, by);
const askToLogIn = () => ask("POST", "passkey-login/options", {}, {});
const question = async (): Promise<unknown> => (await askToLogIn()).json();
const logIn = (credential: object) => ask("POST", "passkey-login", { credential }, {});
const lines = async () => bench.store.audit.list([null], { limit: 500 });

/** Of the operator who is logged in. */
async function added(name = "notebook", by = headers) {
  const passkey = softwarePasskey(home);
  expect((await add(passkey.make(await creation(by)), name, by)).status).toBe(201);
  return passkey;
}

describe("making", () => {
  test("keeps what the authenticator made, under its name", async () => {
    const response = await add(softwarePasskey(home).make(await creation()), " notebook da Baker ");
    expect(response.status).toBe(201);
    const { passkeys } = passkeyListSchema.parse(await response.json());
    expect(passkeys).toEqual([
      {
        id: expect.any(Number),
        name: "notebook da Baker",
        createdAt: "2026-11-20T12:00:00.000Z",
        lastUsedAt: null,
        host: "site.example",
        elsewhere: false,
      },
    ]);
    expect(await (await ask("GET", "session/passkeys")).json()).toEqual({ passkeys });
    expect(await (await ask("GET", "session")).json()).toMatchObject({ passkeys });
    const { id } = (await bench.store.operators.findByEmail(email)) ?? { id: 0 };
    expect((await bench.store.passkeys.passkeys(id))[0]?.transports).toEqual(["internal"]);
    expect((await lines())[0]).toMatchObject({
      actor: { kind: "operator", name: email },
      action: "passkey.added",
      subject: email,
      change: { name: "notebook da Baker" },
    });
  });

  test("asks for the password 10 minutes after log-in", async () => {
    nowMs += 10 * minuteMs;
    expect((await askToMake()).status).toBe(200);
    nowMs += 1;
    await expectProblem(await askToMake(), "password-missing");
    await expectProblem(await askToMake({ password: "wrong" }), "password-wrong");
    expect((await askToMake({ password: operatorPassword })).status).toBe(200);
    for (let times = 0; times < 9; times += 1) {
      await expectProblem(await askToMake({ password: "wrong" }), "password-wrong");
    }
    await expectProblem(await askToMake({ password: operatorPassword }), "too-many-attempts");
  });

  test("has to be done within 5 minutes", async () => {
    const made = softwarePasskey(home).make(await creation());
    nowMs += 5 * minuteMs;
    await expectProblem(await add(made), "passkey-invalid");
    const anew = softwarePasskey(home).make(await creation());
    nowMs += 5 * minuteMs - 1;
    expect((await add(anew)).status).toBe(201);
  });

  test.for<Twist>([
    { origin: "https://evil.example" },
    { origin: "http://site.example" },
    { origin: `${origin}:8443` },
    { rpId: "evil.example" },
    { type: "webauthn.get" },
    { challenge: Buffer.alloc(32).toString("base64url") },
    // Somebody was there, and did not show who; nobody was there.
    { flags: 0x01 },
    { flags: 0x04 },
  ])("keeps nothing that was answered with %j", async (twist) => {
    const made = softwarePasskey(home).make(await creation(), twist);
    await expectProblem(await add(made), "passkey-invalid");
    await expectProblem(await add(made), "passkey-invalid");
    expect(await (await ask("GET", "session/passkeys")).json()).toEqual({ passkeys: [] });
  });

  test("takes no certificates, which were not asked for: they would have to be looked up elsewhere", async () => {
    // Only now: it needs what the library for passkeys has loaded by then.
    const { BasicConstraintsExtension, X509CertificateGenerator } = await import("@peculiar/x509");
    const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
      "sign",
      "verify",
    ]);
    const maker = await X509CertificateGenerator.createSelfSigned({
      name: "C=BR, O=Sino, OU=Authenticator Attestation, CN=Sino",
      notBefore: new Date(0),
      notAfter: new Date(4e12),
      keys,
      signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
      extensions: [new BasicConstraintsExtension(false)],
    });
    const key = KeyObject.from(keys.privateKey);
    const certificate = new Uint8Array(maker.rawData);
    const vouched = softwarePasskey(home).make(await creation(), {
      attestedBy: { certificate, key },
    });
    await expectProblem(await add(vouched), "passkey-invalid");
    // Some browsers hand on what vouches for nothing but itself.
    const own = softwarePasskey(home).make(await creation(), { attestedBy: "itself" });
    expect((await add(own)).status).toBe(201);
  });

  test("says of each passkey for which host it was made, and whether that is another one", async () => {
    await added();
    const database = new DatabaseSync(bench.databaseFile);
    database.exec(`insert into passkeys
      (operator_id, credential_id, public_key, counter, transports, name, created_at_ms, rp_id)
      select operator_id, cast(host as blob), x'01', 0, '', 'old', 5, iif(host = '', null, host)
      from passkeys, (select 'painel.example' as host union all select '')`);
    database.close();
    const { passkeys } = passkeyListSchema.parse(
      await (await ask("GET", "session/passkeys")).json(),
    );
    expect(passkeys.map(({ host, elsewhere }) => [host, elsewhere])).toEqual(
      expect.arrayContaining([
        ["site.example", false],
        ["painel.example", true],
        // Made before this was kept: nothing is known of it.
        [null, false],
      ]),
    );
  });

  test("ends at 20, at whichever step", async () => {
    const passkey = softwarePasskey(home);
    const options = await creation();
    const { id } = (await bench.store.operators.findByEmail(email)) ?? { id: 0 };
    const [own] = await bench.access.sessions.list(id);
    for (let count = 0; count < 20; count += 1) {
      await bench.store.passkeys.addPasskey(
        {
          operatorId: id,
          credentialId: Buffer.alloc(32, count),
          publicKey: Buffer.alloc(70),
          counter: 0,
          transports: [],
          name: "one of many",
          rpId: null,
        },
        20,
        own?.id ?? 0,
        {
          actor: { kind: "nobody", name: "" },
          address: null,
          projectId: null,
          action: "x.y",
          subject: "",
          change: null,
        },
        nowMs,
      );
    }
    await expectProblem(await add(passkey.make(options)), "passkeys-exhausted");
    await expectProblem(await askToMake(), "passkeys-exhausted");
    expect(await bench.store.passkeys.passkeys(id)).toHaveLength(20);
  });

  test("names those that there are, so that no authenticator makes a second; nobody has another's", async () => {
    const passkey = await added();
    const options = await creation();
    const { id } = passkey.use(await question());
    expect(options).toMatchObject({ excludeCredentials: [{ id, transports: ["internal"] }] });
    const florist = await bench.operator("owner", { email: "florist@site.example" });
    const others = await creation(florist.headers);
    expect(others).toMatchObject({ excludeCredentials: [] });
    await expectProblem(await add(passkey.make(others), "x", florist.headers), "passkey-known");
  });

  test.for<[body: object, code: HttpErrorCode]>([
    [{}, "body-invalid"],
    [{ name: "x", credential: {} }, "body-invalid"],
    [{ name: "x", credential: { id: "ä" } }, "body-invalid"],
    [{ name: "x".repeat(20_000) }, "body-too-large"],
  ])("%j: %s", async ([body, code]) => {
    expect((await expectProblem(await ask("POST", "session/passkeys", body), code)).code).toBe(
      code,
    );
  });

  test("has a name that can be shown", async () => {
    const made = softwarePasskey(home).make(await creation());
    for (const name of ["", "  ", "x".repeat(101), "a\u202eb", "a\nb"]) {
      await expectProblem(await add(made, name), "body-invalid");
    }
    expect((await add(made)).status).toBe(201);
  });
});

describe("log-in", () => {
  test("by a passkey takes no e-mail address, no password, and no code", async () => {
    const passkey = await added();
    const response = await logIn(passkey.use(await question()));
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.json()).toMatchObject({ email, roles: { default: "viewer" } });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sineta-session=[\w-]{43}; .*HttpOnly; SameSite=Strict$/),
      expect.stringMatching(/^sineta-device=/),
    ]);
    expect((await lines())[0]).toMatchObject({
      action: "operator.logged-in",
      subject: email,
      change: { with: "passkey" },
    });
  });

  test.for<Twist>([
    { origin: "https://evil.example" },
    { origin: "http://site.example" },
    { rpId: "evil.example" },
    { type: "webauthn.create" },
    { challenge: Buffer.alloc(32).toString("base64url") },
    { flags: 0x01 },
    { flags: 0x04 },
    { userHandle: null },
    { userHandle: Buffer.alloc(32).toString("base64url") },
    { counter: 0 },
    { counter: 1 },
  ])("is refused if it is answered with %j", async (twist) => {
    const passkey = await added();
    const response = await logIn(passkey.use(await question(), twist));
    await expectProblem(response, "passkey-refused");
    expect(response.headers.getSetCookie()).toEqual([]);
    expect((await lines())[0]).toMatchObject({
      actor: { kind: "nobody" },
      action: "operator.log-in-refused",
      subject: email,
      change: { reason: "passkey" },
    });
    // What is right is taken: from a new question, and a count that grows.
    expect((await logIn(passkey.use(await question()))).status).toBe(200);
  });

  test("takes counts that stay 0, as those of passkeys that are on many devices do", async () => {
    const passkey = softwarePasskey(home);
    await add(passkey.make(await creation(), { counter: 0 }));
    for (let times = 0; times < 2; times += 1) {
      expect((await logIn(passkey.use(await question(), { counter: 0 }))).status).toBe(200);
    }
  });

  test("has to be answered within 5 minutes", async () => {
    const passkey = await added();
    const late = passkey.use(await question());
    nowMs += 5 * minuteMs;
    await expectProblem(await logIn(late), "passkey-refused");
    const inTime = passkey.use(await question());
    nowMs += 5 * minuteMs - 1;
    expect((await logIn(inTime)).status).toBe(200);
  });

  test("an answer by another key, or to another's passkey, is refused", async () => {
    const own = await added();
    const florist = await bench.operator("owner", { email: "florist@site.example" });
    const bias = await added("x", florist.headers);
    const { id } = own.use(await question());
    await expectProblem(
      await logIn(bias.use(await question(), { credentialId: id })),
      "passkey-refused",
    );
    const { id: unknown } = softwarePasskey(home).use(await question());
    await expectProblem(
      await logIn(own.use(await question(), { credentialId: unknown })),
      "passkey-refused",
    );
    expect((await lines())[0]).toMatchObject({ subject: "(no operator's)" });
    const { response } = own.use(await question());
    const garbled = {
      ...own.use(await question()),
      response: { ...response, clientDataJSON: "e30" },
    };
    await expectProblem(await logIn(garbled), "passkey-refused");
  });

  test("is for pages of the console", async () => {
    const passkey = await added();
    const answer = passkey.use(await question());
    for (const by of [{ Origin: "https://evil.example" }, { "Sec-Fetch-Site": "cross-site" }]) {
      const asked = await ask("POST", "passkey-login/options", {}, by);
      await expectProblem(asked, "cross-site-refused");
      await expectProblem(
        await ask("POST", "passkey-login", { credential: answer }, by),
        "cross-site-refused",
      );
    }
    expect((await logIn(answer)).status).toBe(200);
  });

  test("is limited for each address", async () => {
    for (let times = 0; times < 30; times += 1) {
      passkeyRequestOptionsSchema.parse(await question());
    }
    const refused = await askToLogIn();
    await expectProblem(refused, "too-many-requests");
    expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
    await expectProblem(await logIn({}), "too-many-requests");
  });
});

test("the own passkeys are for nobody else, and no other site's page", async () => {
  await added();
  const key = { Authorization: `Bearer ${await bench.key()}` };
  const evil = { ...headers, Origin: "https://evil.example" };
  for (const [method, path, body] of [
    ["POST", "session/passkeys/options", {}],
    ["POST", "session/passkeys", {}],
    ["DELETE", "session/passkeys/1", undefined],
  ] as const) {
    await expectProblem(await ask(method, path, body, {}), "session-missing");
    await expectProblem(await ask(method, path, body, key), "session-missing");
    await expectProblem(await ask(method, path, body, evil), "cross-site-refused");
  }
  await expectProblem(await ask("GET", "session/passkeys", undefined, {}), "session-missing");
  for (const id of ["0", "x", "9".repeat(30)]) {
    await expectProblem(await ask("DELETE", `session/passkeys/${id}`), "passkey-unknown");
  }
  const florist = await bench.operator("owner");
  const others = await ask("DELETE", "session/passkeys/1", undefined, florist.headers);
  await expectProblem(others, "passkey-unknown");
  expect((await ask("DELETE", "session/passkeys/1")).status).toBe(204);
  expect((await lines())[0]).toMatchObject({
    action: "passkey.removed",
    change: { name: "notebook" },
  });
});
