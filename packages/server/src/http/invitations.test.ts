import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  invitationListSchema,
  invitationMadeSchema,
  operatorSchema,
  type HttpErrorCode,
} from "@sineta/protocol";
import { appBench, expectProblem, origin, type AppBench } from "../test/app-bench.ts";

let bench: AppBench;
let owner: Awaited<ReturnType<AppBench["operator"]>>;
beforeEach(async () => {
  bench = await appBench();
  owner = await bench.operator("owner", { email: "baker@site.example" });
});
afterEach(() => bench.close());

const path = "/v1/projects/default/invitations";
const florist = {
  email: "florist@site.example",
  name: "Florist",
  password: "oito pontes de pedra",
};

function send(method: string, address: string, headers: Record<string, string>, body?: unknown) {
  return bench.app.request(address, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
const page = { Origin: origin };
async function invite(body: object = { role: "editor" }) {
  const response = await send("POST", path, owner.headers, body);
  expect(response.status).toBe(201);
  const made = invitationMadeSchema.parse(await response.json());
  return { ...made, token: made.link.split("#")[1] ?? "" };
}
const look = (token: string) => send("POST", "/v1/invitations/look", page, { token });
const accept = (body: object, headers: Record<string, string> = page) =>
  send("POST", "/v1/invitations/accept", headers, body);

describe("an invitation", () => {
  test("is a link to the console that holds its token behind #", async () => {
    const { link, expiresAt } = await invite();
    expect(link).toMatch(/^https:\/\/site\.example\/painel\/convite#[\w-]{43}$/);
    expect(expiresAt).toBe("1970-01-08T00:00:01.000Z");
  });

  test("is listed without its token, and withdrawn", async () => {
    const made = await invite({ role: "owner", email: " Florist@Site.Example" });
    const list = async () => {
      const text = await (await send("GET", path, owner.headers)).text();
      expect(text).not.toContain(made.token);
      return invitationListSchema.parse(JSON.parse(text)).invitations;
    };
    expect(await list()).toEqual([
      {
        id: made.id,
        role: "owner",
        email: "florist@site.example",
        invitedBy: "baker@site.example",
        createdAt: "1970-01-01T00:00:01.000Z",
        expiresAt: made.expiresAt,
      },
    ]);
    const withdraw = () => send("DELETE", `${path}/${made.id}`, owner.headers);
    expect((await withdraw()).status).toBe(204);
    await expectProblem(await withdraw(), "invitation-gone");
    await expectProblem(await look(made.token), "invitation-gone");
    await expectProblem(await accept({ token: made.token, ...florist }), "invitation-gone");
    expect(await list()).toEqual([]);
  });

  test("tells whoever has it what it is for", async () => {
    await send("PATCH", "/v1/projects/default/settings", owner.headers, { displayName: "Padaria" });
    const { token } = await invite({ role: "viewer", email: florist.email });
    const response = await look(token);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.json()).toEqual({
      project: "default",
      displayName: "Padaria",
      role: "viewer",
      email: florist.email,
    });
    await expectProblem(await look("x"), "invitation-gone");
  });

  test("makes an operator who is logged in then, once", async () => {
    const { token } = await invite();
    const response = await accept({ token, ...florist });
    expect(response.status).toBe(200);
    expect(operatorSchema.parse(await response.json())).toMatchObject({
      email: florist.email,
      name: "Florist",
      roles: { default: "editor" },
    });
    const cookie = response.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
    const me = await send("GET", "/v1/session", { Cookie: cookie });
    expect(await me.json()).toMatchObject({ email: florist.email });
    await expectProblem(
      await accept({ token, ...florist, email: "grocer@site.example" }),
      "invitation-gone",
    );
    const { email, password } = florist;
    expect((await send("POST", "/v1/session", page, { email, password })).status).toBe(200);
    const actions = (await bench.store.audit.list([null, bench.project.id], { limit: 9 })).map(
      ({ action, actor }) => [action, actor.name],
    );
    expect(actions).toContainEqual(["invitation.accepted", florist.email]);
    expect(actions).toContainEqual(["invitation.created", "baker@site.example"]);
  });

  test("gives one who is logged in another role, by the token alone", async () => {
    const viewer = await bench.operator("viewer");
    const { token } = await invite();
    const response = await accept({ token }, viewer.headers);
    expect(await response.json()).toMatchObject({ id: viewer.id, roles: { default: "editor" } });
  });

  test("is left open by whoever may not take it", async () => {
    const { token } = await invite({ role: "editor", email: florist.email });
    const refused: [HttpErrorCode, object, Record<string, string>?][] = [
      ["invitation-for-another", { token, ...florist, email: "grocer@site.example" }],
      ["invitation-for-another", { token }, owner.headers],
      ["session-missing", { token }],
      ["session-missing", { token }, { ...page, Authorization: `Bearer ${await bench.key()}` }],
      ["session-ended", { token }, { ...page, Cookie: "sineta-session=x" }],
      ["cross-site-refused", { token, ...florist }, { Origin: "https://evil.example" }],
      ["cross-site-refused", { token, ...florist }, {}],
      ["cross-site-refused", { token }, { ...owner.headers, Origin: "https://evil.example" }],
      ["body-invalid", { token, email: florist.email }],
      ["body-invalid", { token, ...florist, name: " " }],
      ["body-invalid", { token, ...florist, email: "florist" }],
      ["password-short", { token, ...florist, password: "curta" }],
      ["password-common", { token, ...florist, password: "qwertyuiop1" }],
      ["password-like-email", { token, ...florist, password: "florist.site.example" }],
    ];
    for (const [code, body, headers] of refused) {
      const response = await accept(body, headers);
      await expectProblem(response, code);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect((await accept({ token, ...florist })).status).toBe(200);
  });

  test("that there is not has no password looked at: however many ask, nobody waits", async () => {
    const asked = Array.from({ length: 60 }, async () => accept({ token: "x", ...florist }));
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  });

  test("has one password of its own hashed at once, and five wait: another's is not kept out", async () => {
    const [{ token }, { token: other }] = [await invite(), await invite()];
    const asked = Array.from({ length: 50 }, async () => accept({ token, ...florist }));
    const apart = accept({ token: other, ...florist, email: "grocer@site.example" });
    const answers = await Promise.all(asked);
    const busy = answers.filter(({ status }) => status === 503);
    expect(busy).toHaveLength(44);
    for (const one of busy) {
      await expectProblem(one, "passwords-busy");
      expect(one.headers.get("Retry-After")).toBe("5");
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await apart).status).toBe(200);
  });

  test("for one address costs no password's work for another", async () => {
    const { token } = await invite({ role: "viewer", email: "grocer@site.example" });
    const asked = Array.from({ length: 60 }, async () => accept({ token, ...florist }));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([403]));
  });

  test("for an address that is taken asks to log in first", async () => {
    const { token } = await invite();
    const refused = await accept({ token, ...florist, email: "baker@site.example" });
    expect((await expectProblem(refused, "email-taken")).status).toBe(409);
  });

  test("does not tell by very many addresses who has an account: after five that are taken it ends", async () => {
    const { token } = await invite();
    for (let times = 0; times < 5; times += 1) {
      const taken = await accept({ token, ...florist, email: "baker@site.example" });
      await expectProblem(taken, "email-taken");
    }
    await expectProblem(
      await accept({ token, ...florist, email: "baker@site.example" }),
      "invitation-gone",
    );
    const gone = await accept({ token, ...florist });
    expect((await expectProblem(gone, "invitation-gone")).status).toBe(404);
  });

  test.for<[object, HttpErrorCode]>([
    [{ role: "king" }, "body-invalid"],
    [{}, "body-invalid"],
    [{ role: "editor", email: "x" }, "body-invalid"],
    [{ role: "editor", email: `${"x".repeat(250)}@y.example` }, "body-invalid"],
  ])("cannot be made from %j", async ([body, code]) => {
    const refused = await send("POST", path, owner.headers, body);
    expect((await expectProblem(refused, code)).status).toBe(400);
  });

  test("is for owners alone to make, see and withdraw", async () => {
    const { id } = await invite();
    for (const role of ["viewer", "editor"] as const) {
      const { headers } = await bench.operator(role);
      await expectProblem(await send("GET", path, headers), "role-missing");
      await expectProblem(await send("POST", path, headers, { role: "owner" }), "role-missing");
      await expectProblem(await send("DELETE", `${path}/${id}`, headers), "role-missing");
    }
    const key = { Authorization: `Bearer ${await bench.key()}` };
    const asked = await send("POST", path, key, { role: "owner" });
    expect((await expectProblem(asked, "session-missing")).status).toBe(401);
  });
});
