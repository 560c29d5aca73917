/** Operators log in by a passkey: in Chromium, with its virtual authenticator, at a real server. */
import type { Page } from "@playwright/test";
import { expect, test as base } from "./support/fixtures.ts";
import {
  addAuthenticator,
  ask,
  type Answer,
  type Authenticator,
  type Json,
  makePasskey,
  usePasskey,
} from "./support/passkeys.ts";
import type { SinetaServer } from "./support/server.ts";

const email = "baker@site.example";

type Console = {
  page: Page;
  authenticator: Authenticator;
  /** Logs in by the password. */
  logIn: (as?: string) => Promise<void>;
};

const test = base.extend<{ own: SinetaServer; console: Console }>({
  own: async ({ serve }, use) => use(await serve()),
  /** Two operators, one page, nobody logged in. */
  console: async ({ own, visit }, use) => {
    const passwords = new Map<string, string>();
    for (const one of [email, "florist@site.example"]) {
      const { stdout } = await own.run("operators", "create", one);
      passwords.set(one, /([0-9a-z]{5}-){3}[0-9a-z]{5}/.exec(stdout)?.[0] ?? "");
    }
    const { context, page } = await visit({ url: own.url });
    const authenticator = await addAuthenticator(context, page);
    await use({
      page,
      authenticator,
      async logIn(as = email) {
        const answer = await ask(page, "POST", "session", {
          email: as,
          password: passwords.get(as),
        });
        expect(answer.status).toBe(200);
      },
    });
  },
});

/** Of what is asked for, which is there. */
async function asked(page: Page, method: string, path: string, body?: object): Promise<Json> {
  const answer = await ask(page, method, path, body);
  expect(answer.status).toBeLessThan(300);
  return answer.body;
}
const creation = (page: Page) => asked(page, "POST", "session/passkeys/options", {});
const question = (page: Page) => asked(page, "POST", "passkey-login/options", {});
const add = (page: Page, credential: Json, name = "notebook"): Promise<Answer> =>
  ask(page, "POST", "session/passkeys", { name, credential });
const answerWith = (page: Page, credential: Json): Promise<Answer> =>
  ask(page, "POST", "passkey-login", { credential });
const logOut = (page: Page) => ask(page, "DELETE", "session");
const who = async (page: Page) => (await ask(page, "GET", "session")).body["email"];

/** The operator has a passkey, and nobody is logged in. */
async function withPasskey({ page, logIn }: Console): Promise<void> {
  await logIn();
  expect((await add(page, await makePasskey(page, await creation(page)))).status).toBe(201);
  await logOut(page);
}
async function expectRefused(page: Page, answer: Answer): Promise<void> {
  expect([answer.status, answer.code]).toEqual([401, "passkey-refused"]);
  expect((await ask(page, "GET", "session")).status).toBe(401);
}

test("an operator makes a passkey, and logs in by it alone", async ({ own, console }) => {
  const { page } = console;
  await console.logIn();
  const options = await creation(page);
  expect(options).toMatchObject({
    rp: { id: "localhost", name: "Sineta" },
    user: { name: email },
    attestation: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const added = await add(page, await makePasskey(page, options), "notebook da Baker");
  expect(added).toMatchObject({
    status: 201,
    body: { passkeys: [{ name: "notebook da Baker", lastUsedAt: null }] },
  });
  await logOut(page);

  const asking = await question(page);
  // Whoever asks is told of nobody's passkeys.
  expect(asking).toEqual({
    rpId: "localhost",
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    timeout: 300_000,
    userVerification: "required",
  });
  const logged = await answerWith(page, await usePasskey(page, asking));
  expect(logged).toMatchObject({ status: 200, body: { email, roles: { default: "owner" } } });
  expect(await ask(page, "GET", "session")).toMatchObject({
    body: {
      email,
      secondFactor: null,
      passkeys: [{ name: "notebook da Baker", lastUsedAt: expect.any(String) }],
    },
  });
  // And again, which needs a count that has grown.
  await logOut(page);
  expect((await answerWith(page, await usePasskey(page, await question(page)))).status).toBe(200);

  const { body } = await ask(page, "GET", "projects/default/audit?limit=500");
  const lines = JSON.stringify(body);
  for (const action of ["passkey.added", '"with":"passkey"']) expect(lines).toContain(action);
  expect(lines).not.toContain(String(asking["challenge"]));
  expect(own.url).toContain("localhost");
});

test("an authenticator that has one makes no second", async ({ console }) => {
  const { page } = console;
  await console.logIn();
  await add(page, await makePasskey(page, await creation(page)));
  await expect(makePasskey(page, await creation(page))).rejects.toThrow("InvalidStateError");
});

test("each answer is taken once", async ({ console }) => {
  const { page } = console;
  await console.logIn();
  const made = await makePasskey(page, await creation(page));
  expect((await add(page, made)).status).toBe(201);
  expect((await add(page, made)).code).toBe("passkey-invalid");
  await logOut(page);
  const answer = await usePasskey(page, await question(page));
  expect((await answerWith(page, answer)).status).toBe(200);
  await logOut(page);
  await expectRefused(page, await answerWith(page, answer));
  // Two at the same moment are one.
  const another = await usePasskey(page, await question(page));
  const both = await Promise.all([answerWith(page, another), answerWith(page, another)]);
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("a passkey made for one operator is no other's", async ({ console }) => {
  const { page } = console;
  await console.logIn();
  const made = await makePasskey(page, await creation(page));
  await console.logIn("florist@site.example");
  expect(await who(page)).toBe("florist@site.example");
  expect((await add(page, made)).code).toBe("passkey-invalid");
  await console.logIn();
  expect((await add(page, made)).status).toBe(201);
  // Nor is the question for making one good for a log-in, or the other way round.
  const challenge = String((await creation(page))["challenge"]);
  const answer = await usePasskey(page, { ...(await question(page)), challenge });
  await logOut(page);
  await expectRefused(page, await answerWith(page, answer));
  const forLogIn = String((await question(page))["challenge"]);
  await console.logIn("florist@site.example");
  const other = await makePasskey(page, { ...(await creation(page)), challenge: forLogIn });
  expect((await add(page, other)).code).toBe("passkey-invalid");
  expect((await ask(page, "GET", "session/passkeys")).body).toEqual({ passkeys: [] });
});

test("an answer given on another origin is refused", async ({ console, serve }) => {
  const { page } = console;
  await withPasskey(console);
  const home = page.url();
  const asking = await question(page);
  // The same host, so that the passkey is offered there; another port.
  const elsewhere = await serve();
  await page.goto(elsewhere.url);
  const answer = await usePasskey(page, asking);
  expect((await answerWith(page, answer)).code).toBe("passkey-refused");
  await page.goto(home);
  await expectRefused(page, await answerWith(page, answer));
  await console.logIn();
  const options = await creation(page);
  await page.goto(elsewhere.url);
  const made = await makePasskey(page, { ...options, excludeCredentials: [] });
  await page.goto(home);
  expect((await add(page, made)).code).toBe("passkey-invalid");
});

test("a passkey that was removed opens nothing", async ({ console }) => {
  const { page } = console;
  await withPasskey(console);
  expect((await answerWith(page, await usePasskey(page, await question(page)))).status).toBe(200);
  const { body } = await ask(page, "GET", "session/passkeys");
  const id = /"id":(\d+)/.exec(JSON.stringify(body))?.[1];
  await console.logIn("florist@site.example");
  expect((await ask(page, "DELETE", `session/passkeys/${id}`)).code).toBe("passkey-unknown");
  await console.logIn();
  expect((await ask(page, "DELETE", `session/passkeys/${id}`)).status).toBe(204);
  expect((await ask(page, "DELETE", `session/passkeys/${id}`)).code).toBe("passkey-unknown");
  await logOut(page);
  await expectRefused(page, await answerWith(page, await usePasskey(page, await question(page))));
});

test("a passkey whose count went back is refused: it is a copy", async ({ console }) => {
  const { page, authenticator } = console;
  await withPasskey(console);
  await authenticator.setCount(41);
  expect((await answerWith(page, await usePasskey(page, await question(page)))).status).toBe(200);
  await logOut(page);
  await authenticator.setCount(7);
  await expectRefused(page, await answerWith(page, await usePasskey(page, await question(page))));
  await authenticator.setCount(50);
  expect((await answerWith(page, await usePasskey(page, await question(page)))).status).toBe(200);
});

test("that somebody is there is not enough: it has to be shown who", async ({ console }) => {
  const { page, authenticator } = console;
  await withPasskey(console);
  await authenticator.setVerified(false);
  // A page of somebody who has stolen the device asks for less.
  const options = { ...(await question(page)), userVerification: "discouraged" };
  await expectRefused(page, await answerWith(page, await usePasskey(page, options)));
});

test("the one who lost everything loses the passkeys, too", async ({ own, console }) => {
  const { page } = console;
  await withPasskey(console);
  expect((await own.run("operators", "recover", email, "--yes")).status).toBe(0);
  await expectRefused(page, await answerWith(page, await usePasskey(page, await question(page))));
});
