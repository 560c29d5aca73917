import { readFileSync } from "node:fs";
import { Secret, TOTP } from "otpauth";
import { afterEach, beforeEach, expect, test } from "vitest";
import { recoveryCodesSchema, totpOfferSchema } from "@sineta/protocol";
import { appBench, operatorPassword, origin, type AppBench } from "../test/app-bench.ts";
import { softwarePasskey } from "../test/software-passkey.ts";

const email = "baker@site.example";
const password = operatorPassword;
let nowMs: number;
let bench: AppBench;
beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 20, 12);
  bench = await appBench({ operatorsNow: () => nowMs });
});
afterEach(() => bench.close());

test("no second factor, code, challenge or key stands in the log, the audit or an error", async () => {
  const { headers, id } = await bench.operator("owner", { email });
  const errors: string[] = [];
  async function ask(method: string, path: string, body: object, by: object = headers) {
    const response = await bench.app.request(`/v1/${path}`, {
      method,
      headers: { Origin: origin, ...by, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status >= 400) errors.push(text);
    return text;
  }
  const logIn = (secondFactor: string) =>
    ask("POST", "session", { email, password, secondFactor }, {});

  const offer = totpOfferSchema.parse(JSON.parse(await ask("POST", "session/totp", { password })));
  const totp = new TOTP({ secret: Secret.fromBase32(offer.secret) });
  const code = () => totp.generate({ timestamp: nowMs });
  const first = code();
  await ask("POST", "session/totp/confirm", { code: "none of yours" });
  const confirmed = await ask("POST", "session/totp/confirm", { code: first });
  const { recoveryCodes } = recoveryCodesSchema.parse(JSON.parse(confirmed));
  const [used = "", removed = ""] = recoveryCodes;
  await logIn("none of yours");
  await logIn(first);
  await logIn(used);
  await logIn(used);
  nowMs += 30_000;
  const second = code();
  await logIn(second);
  await ask("POST", "session/recovery-codes", { password: "none of yours" });

  const passkey = softwarePasskey({ origin, rpId: "site.example" });
  const creation: unknown = JSON.parse(await ask("POST", "session/passkeys/options", {}));
  const made = passkey.make(creation);
  await ask("POST", "session/passkeys", { name: "x", credential: { ...made, id: [made.id] } });
  await ask("POST", "session/passkeys", { name: "x", credential: made });
  await ask("POST", "session/passkeys", { name: "x", credential: made });
  const question: unknown = JSON.parse(await ask("POST", "passkey-login/options", {}));
  const answer = passkey.use(question);
  await ask("POST", "passkey-login", { credential: answer }, {});
  await ask("POST", "passkey-login", { credential: answer }, {});
  const evil = passkey.use(JSON.parse(await ask("POST", "passkey-login/options", {})), {
    origin: "https://evil.example",
  });
  await ask("POST", "passkey-login", { credential: evil }, {});

  const database = ["", "-wal"].map((end) => readFileSync(`${bench.databaseFile}${end}`, "latin1"));
  // Fails within: a sealed secret that is another's.
  const sealed = (await bench.store.operators.findById(id))?.sealedTotpSecret ?? new Uint8Array();
  const florist = await bench.operator("owner", { email: "florist@site.example" });
  await bench.store.secondFactors.offerTotp(florist.id, sealed);
  await ask("POST", "session/totp/confirm", { code: "none of yours" }, florist.headers);
  await ask("DELETE", "session/totp", { password, code: removed });

  const lines = await bench.store.audit.list([null, bench.project.id], { limit: 500 });
  const told = {
    log: bench.logged.join("\n"),
    audit: JSON.stringify(lines),
    errors: errors.join("\n"),
  };
  expect(told.log).toContain("request failed");
  for (const action of ["second-factor.added", "second-factor.removed", "passkey.added"]) {
    expect(told.audit).toContain(action);
  }
  for (const one of ["code-wrong", "second-factor-wrong", "passkey-invalid", "passkey-refused"]) {
    expect(told.errors).toContain(`"${one}"`);
  }
  const keys = (await bench.store.passkeys.passkeys(id)).map(({ publicKey }) => publicKey);
  expect(keys).toHaveLength(1);
  const secrets = [
    offer.secret,
    offer.uri,
    ...(["base64", "base64url", "hex"] as const).map((form) =>
      Buffer.from(totp.secret.bytes).toString(form),
    ),
    Buffer.from(sealed).toString("base64"),
    ...recoveryCodes,
    ...recoveryCodes.map((one) => one.replaceAll("-", "")),
    "none of yours",
    // Six digits alone stand in many a number: so as they would be quoted.
    ...[first, second].flatMap((one) => [`"${one}"`, ` ${one}`, `'${one}'`]),
    ...[creation, question].map((options) => Reflect.get(Object(options), "challenge")),
    made.id,
    ...[made, answer, evil].flatMap(({ response }) =>
      Object.values(response).filter((value) => typeof value === "string"),
    ),
    ...keys.map((key) => Buffer.from(key).toString("base64url")),
  ];
  for (const secret of secrets) {
    expect(secret).toMatch(/.{7}/);
    for (const [where, all] of Object.entries(told)) {
      expect({ where, secret, holds: all.includes(String(secret)) }).toMatchObject({
        holds: false,
      });
    }
  }
  // Whoever steals the database has no second factor by it either.
  const stolen = database.join("");
  expect(stolen).toContain(email);
  for (const secret of [
    offer.secret,
    Buffer.from(totp.secret.bytes).toString("latin1"),
    ...recoveryCodes,
    ...recoveryCodes.map((one) => one.replaceAll("-", "")),
  ]) {
    expect(stolen.includes(secret)).toBe(false);
  }
});
