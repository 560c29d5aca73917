import { TOTP, URI } from "otpauth";
import { afterEach, beforeEach, expect, test } from "vitest";
import { passkeyListSchema, totpOfferSchema } from "@sineta/protocol";
import {
  appBench,
  expectProblem,
  operatorPassword,
  origin,
  type AppBench,
} from "../test/app-bench.ts";
import { softwarePasskey } from "../test/software-passkey.ts";

const password = operatorPassword;
let bench: AppBench;
let baker: Awaited<ReturnType<AppBench["operator"]>>;
let nowMs: number;
beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 20, 12);
  bench = await appBench({ operatorsNow: () => nowMs });
  baker = await bench.operator("viewer", { email: "baker@site.example" });
});
afterEach(() => bench.close());

async function ask(method: string, path: string, body: object): Promise<unknown> {
  const response = await bench.app.request(`/v1/session${path}`, {
    method,
    headers: { ...baker.headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return response.status === 204 ? null : response.json();
}
async function withTotp(): Promise<() => string> {
  const { uri } = totpOfferSchema.parse(await ask("POST", "/totp", { password }));
  const totp = URI.parse(uri);
  if (!(totp instanceof TOTP)) throw new Error("this is no TOTP");
  return () => totp.generate({ timestamp: nowMs });
}
async function confirmed(): Promise<() => string> {
  const code = await withTotp();
  await ask("POST", "/totp/confirm", { code: code() });
  nowMs += 30_000;
  return code;
}
async function addPasskey(): Promise<number> {
  const passkey = softwarePasskey({ origin, rpId: "site.example" });
  const credential = passkey.make(await ask("POST", "/passkeys/options", { password }));
  const made = await ask("POST", "/passkeys", { name: "notebook", credential });
  return passkeyListSchema.parse(made).passkeys[0]?.id ?? 0;
}
const who = (cookie: string) => bench.app.request("/v1/session", { headers: { Cookie: cookie } });

/** Prepares, and gives what is then done. */
const changes: Record<string, () => Promise<() => Promise<unknown>>> = {
  "a new password": async () => () =>
    ask("PUT", "/password", { current: password, new: "oito pontes de pedra" }),
  "a second factor": async () => {
    const code = await withTotp();
    return () => ask("POST", "/totp/confirm", { code: code() });
  },
  "a second factor removed": async () => {
    const code = await confirmed();
    return () => ask("DELETE", "/totp", { password, code: code() });
  },
  "new recovery codes": async () => {
    await confirmed();
    return () => ask("POST", "/recovery-codes", { password });
  },
  "a passkey": async () => addPasskey,
  "a passkey removed": async () => {
    const id = await addPasskey();
    return () => ask("DELETE", `/passkeys/${id}`, {});
  },
};

test.for(Object.entries(changes))(
  "%s ends all other sessions of the operator, and nobody else's",
  async ([, prepare]) => {
    const change = await prepare();
    const florist = await bench.operator("owner", { email: "florist@site.example" });
    const device = { address: "192.0.2.9", userAgent: "stolen" };
    const elsewhere = await bench.access.sessions.start(
      { ...baker, verified: null },
      device,
      "password",
    );
    if (elsewhere === null || !("token" in elsewhere)) throw new Error("it did not begin");
    const cookie = `sineta-session=${elsewhere.token}`;
    expect((await who(cookie)).status).toBe(200);
    await change();
    await expectProblem(await who(cookie), "session-ended");
    expect((await who(baker.cookie)).status).toBe(200);
    expect((await who(florist.cookie)).status).toBe(200);
  },
);
