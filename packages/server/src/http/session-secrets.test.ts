import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { appBench, operatorPassword, origin, testAsker, type AppBench } from "../test/app-bench.ts";

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

test("no password, token or hash stands in the log, the audit or an error", async () => {
  const { store, access, app, project } = bench;
  const baker = await bench.operator("owner", { email: "baker@site.example" });
  const made = { typed: `typed ${randomBytes(9).toString("hex")}`, next: "oito pontes de pedra" };
  const answers: string[] = [];
  const cookies: string[] = [];
  async function ask(
    method: string,
    path: string,
    body?: object,
    headers: object = { Origin: origin },
  ) {
    const response = await app.request(path, {
      method,
      headers: { ...headers, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // A link is shown to whoever made it, this once.
    if (!text.includes("convite#")) answers.push(text);
    cookies.push(...response.headers.getSetCookie().map((one) => /=([^;]*)/.exec(one)?.[1] ?? ""));
    return text;
  }

  await ask("POST", "/v1/session", { email: baker.email, password: operatorPassword });
  await ask("POST", "/v1/session", { email: baker.email, password: made.typed });
  await ask("POST", "/v1/session", { email: made.typed, password: made.typed });
  await ask("POST", "/v1/session", { email: [made.typed], password: made.typed });
  const text = await ask(
    "POST",
    "/v1/projects/default/invitations",
    { role: "viewer" },
    baker.headers,
  );
  const token = /#([\w-]{43})/.exec(text)?.[1] ?? "";
  const second = await access.invitations.invite(
    { projectId: project.id, role: "editor", email: null },
    baker.id,
    testAsker,
  );
  await ask("POST", "/v1/invitations/look", { token });
  await ask("GET", "/v1/projects/default/invitations", undefined, baker.headers);
  const florist = { email: "florist@site.example", name: "Florist" };
  await ask("POST", "/v1/invitations/accept", { token, ...florist, password: "curta" });
  await ask("POST", "/v1/invitations/accept", { token, ...florist, password: made.next });
  await ask("POST", "/v1/invitations/accept", {
    token: second.token,
    ...florist,
    password: made.next,
  });
  const change = { current: operatorPassword, new: made.next };
  await ask("PUT", "/v1/session/password", { ...change, current: made.typed }, baker.headers);
  await ask("PUT", "/v1/session/password", change, baker.headers);
  await ask("GET", "/v1/sessions", undefined, baker.headers);
  await ask("GET", "/v1/projects/default/operators", undefined, baker.headers);
  const generated = await access.operators.recover(florist.email, testAsker);
  // Fails within: a hash that cannot be read, and a database that is gone.
  const broken = `$argon2id$broken${randomBytes(9).toString("hex")}`;
  await store.operators.recover(
    baker.id,
    broken,
    { ...testAsker, projectId: null, action: "x.broken", subject: "", change: null },
    1,
  );
  await ask("POST", "/v1/session", { email: baker.email, password: made.typed });

  const hashes = await Promise.all(
    [baker.email, florist.email].map(
      async (email) => (await store.operators.findByEmail(email))?.passwordHash,
    ),
  );
  const lines = await store.audit.list([null, project.id], { limit: 500 });
  const told = {
    log: bench.logged.join("\n"),
    audit: JSON.stringify(lines),
    answers: answers.join("\n"),
  };
  expect(told.log).toContain("request failed");
  expect(told.audit).toContain("operator.log-in-refused");
  expect(told.answers).toContain("log-in-refused");
  const secrets = [
    operatorPassword,
    made.typed,
    made.next,
    generated,
    token,
    second.token,
    baker.cookie.split("=")[1],
    ...cookies.filter((value) => value !== ""),
    ...hashes,
  ];
  expect(cookies.length).toBeGreaterThan(2);
  for (const secret of secrets) {
    expect(secret).toMatch(/.{10}/);
    for (const [where, all] of Object.entries(told)) {
      expect({ where, holds: all.includes(String(secret)) }).toEqual({ where, holds: false });
    }
  }
});
