import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { randomBytes } from "node:crypto";
import { createInvitations } from "../access/operators/invitations.ts";
import { createOperators } from "../access/operators/operators.ts";
import { createPasswordTurns } from "../access/operators/password-turns.ts";
import { createPasswords } from "../access/operators/passwords.ts";
import { createSessions } from "../access/sessions/sessions.ts";
import { openDataFolder } from "../data-folder.ts";
import type { Store } from "../store/port.ts";
import { makeData } from "../test/make-data.ts";
import { testPlaces } from "../test/places.ts";
import { runCommand } from "../test/run-command.ts";
import type { Terminal } from "./command.ts";

let bench: ReturnType<typeof testPlaces>;
beforeEach(async () => {
  bench = testPlaces();
  await makeData(bench.dataFolder);
});
afterEach(() => rmSync(bench.folder, { recursive: true }));

const email = "baker@site.example";
const sineta = (words: string[], ask?: Terminal["ask"]) =>
  runCommand(words, { ...bench, ...(ask === undefined ? {} : { ask }) });
const operators = (words: string[], ask?: Terminal["ask"]) => sineta(["operators", ...words], ask);
const noQuestion = () => Promise.reject(new Error("it asked"));

async function withStore<Result>(work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openDataFolder(bench.dataFolder, 0);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
const passwords = createPasswords({ randomBytes });
/** Whether the server would let it in. */
const isGood = (password: string, address = email) =>
  withStore(async (store) => {
    const found = await store.operators.findByEmail(address);
    return (await passwords.verify(password, found?.passwordHash ?? null)).fits;
  });
const lines = () => withStore((store) => store.audit.list([null, 1], { limit: 50 }));
const roleOf = async (address: string) =>
  (await operators([])).out
    .split("\n")
    .find((line) => line.startsWith(address))
    ?.split(/ {2,}/)[2];

describe("sineta operators", () => {
  test("create prints a password that is let in, alone on stdout; no other word of it is kept", async () => {
    const { status, out, err } = await operators([
      "create",
      " Baker@Site.Example",
      "--name",
      "Baker",
    ]);
    expect(status).toBe(0);
    expect(out).toMatch(/^([0-9a-z]{5}-){3}[0-9a-z]{5}\n$/);
    expect(err).toMatch(/^baker@site\.example logs in with it, as owner.*not shown again/);
    expect(await isGood(out.trim())).toBe(true);
    expect(await lines()).toEqual([
      expect.objectContaining({
        actor: { kind: "command-line", name: expect.stringMatching(/./) },
        action: "operator.created",
        subject: email,
        change: { name: "Baker", role: "owner" },
      }),
    ]);
    const again = await operators(["create", email]);
    expect(again).toMatchObject({
      status: 1,
      out: "",
      err: expect.stringMatching(/already.*recover/),
    });
    expect(await isGood(out.trim())).toBe(true);
  });

  test("the list has names, roles and times, and nothing that steers a terminal", async () => {
    expect((await operators([])).out).toContain("There is no operator yet");
    await operators(["create", email, "--name", "Baker"]);
    await operators(["create", "florist@site.example", "--role", "viewer"]);
    const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const { out } = await operators([]);
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ["E-MAIL", "NAME", "ROLE", "MADE", "LAST LOG-IN"],
      [email, "Baker", "owner", time, "-"],
      ["florist@site.example", "florist@site.example", "viewer", time, "-"],
    ]);
  });

  test("invite prints a link that makes somebody an operator", async () => {
    await operators(["create", email]);
    for (const [words, kind] of [
      [["invite"], "accepted"],
      [["invite", "grocer@site.example", "--role", "editor"], "invitation-for-another"],
    ] as const) {
      const { status, out, err } = await operators([...words]);
      expect(status).toBe(0);
      expect(out).toMatch(/^http:\/\/localhost:8080\/painel\/convite#[\w-]{43}\n$/);
      expect(err).toContain("not shown again");
      const token = out.trim().split("#")[1] ?? "";
      const result = await withStore((store) => {
        const parts = { store: store.operators, randomBytes, now: Date.now };
        const { hashNew } = createOperators({ ...parts, passwords });
        const florist = {
          email: "florist@site.example",
          name: "Florist",
          password: "oito pontes de pedra",
        };
        const turns = createPasswordTurns();
        const invitations = createInvitations({ ...parts, hashNew, turns });
        return invitations.accept(token, florist, "192.0.2.1");
      });
      expect(result.kind).toBe(kind);
    }
    expect(await roleOf("florist@site.example")).toBe("viewer");
    expect((await lines()).map(({ action }) => action)).toContain("invitation.created");
  });

  test("a link is to where the settings say that the server is", async () => {
    const words = ["invite", "--role", "owner"];
    const { out } = await operators([...words, "--public-url", "https://sino.example"]);
    expect(out).toMatch(/^https:\/\/sino\.example\/painel\/convite#/);
    const { status, err } = await operators([...words, "--port", "0"]);
    expect({ status, err }).toEqual({
      status: 2,
      err: expect.stringContaining("SINETA_PUBLIC_URL"),
    });
  });

  test("recover ends all there was, for the one address, once it was given again", async () => {
    const old = (await operators(["create", email])).out.trim();
    const other = (await operators(["create", "florist@site.example"])).out.trim();
    const token = await withStore(async (store) => {
      const found = await store.operators.findByEmail(email);
      const sessions = createSessions({ store: store.sessions, randomBytes, now: Date.now });
      const who = { id: found?.id ?? 0, email };
      const device = { address: "", userAgent: "" };
      const started = await sessions.start({ ...who, verified: null }, device, "password");
      return started !== null && "token" in started ? started.token : "";
    });
    const isIn = () =>
      withStore(async (store) => {
        const sessions = createSessions({ store: store.sessions, randomBytes, now: Date.now });
        return (await sessions.find(token, "")) !== null;
      });
    const questions: string[] = [];
    const answering = (answer: string | null) =>
      operators(["recover", email], async (question) => {
        questions.push(question);
        return answer;
      });
    expect(await answering("y")).toEqual({ status: 1, out: "", err: `${email} stays as it is.\n` });
    expect(await answering(null)).toMatchObject({
      status: 2,
      out: "",
      err: expect.stringMatching(/--yes/),
    });
    expect([await isGood(old), await isIn()]).toEqual([true, true]);
    const { status, out } = await answering(` ${email} `);
    expect(status).toBe(0);
    expect(questions[0]).toContain(email);
    expect([await isGood(old), await isGood(out.trim()), await isIn()]).toEqual([
      false,
      true,
      false,
    ]);
    expect(await isGood(other, "florist@site.example")).toBe(true);
    expect((await lines())[0]).toMatchObject({ action: "operator.recovered", subject: email });
    expect(await operators(["recover", email, "--yes"], noQuestion)).toMatchObject({ status: 0 });
  });

  test("remove names the keys that its operator has made and that go on", async () => {
    await operators(["create", "baker@site.example"], noQuestion);
    await operators(["create", "florist@site.example"], noQuestion);
    const store = await openDataFolder(bench.dataFolder, 0);
    const { id: projectId } = await store.projects.ensure("default", 0);
    const florist = await store.operators.findByEmail("florist@site.example");
    const actor = { kind: "operator", name: "florist@site.example", id: florist?.id ?? 0 } as const;
    const change = { projectId, action: "api-key.created", subject: "", change: null };
    await store.apiKeys.add(
      {
        projectId,
        name: "shop",
        prefix: "sineta_1",
        hash: Buffer.alloc(32),
        scopes: ["send"],
        expiresAtMs: null,
      },
      { actor, address: null, ...change },
      0,
    );
    await store.close();
    const { out } = await operators(["remove", "florist@site.example", "--yes"], noQuestion);
    expect(out).toMatch(
      /is removed\.\n.* go on: sineta api-keys revoke.*\nsineta_1 +send +shop\n$/,
    );
    expect((await lines())[0]).toMatchObject({
      action: "operator.removed",
      change: { apiKeys: ["sineta_1"] },
    });
  });

  test("remove takes everything but the last owner", async () => {
    await operators(["create", email]);
    const last = await operators(["remove", email, "--yes"], noQuestion);
    expect(last).toMatchObject({
      status: 1,
      out: "",
      err: expect.stringMatching(/no other owner/),
    });
    await operators(["create", "florist@site.example"]);
    expect(await operators(["remove", email], async () => "no")).toMatchObject({ status: 1 });
    expect(await roleOf(email)).toBe("owner");
    expect(await operators(["remove", email], async () => email)).toEqual({
      status: 0,
      out: `The operator ${email} is removed.\n`,
      err: "",
    });
    expect(await roleOf(email)).toBeUndefined();
    expect((await lines())[0]).toMatchObject({ action: "operator.removed", subject: email });
  });

  test.for([["recover"], ["remove"]])(
    "%s tells of an address that nobody has, and asks nothing",
    async ([verb = ""]) => {
      const { status, err } = await operators([verb, "grocer@site.example"], noQuestion);
      expect({ status, err }).toEqual({
        status: 1,
        err: expect.stringContaining("There is no operator"),
      });
    },
  );

  test.for<[string[], RegExp]>([
    [["constructor"], /no sineta operators "constructor"/],
    [["create"], /needs the e-mail address/],
    [["create", "baker"], /"baker" is not an e-mail address/],
    [["create", email, "x"], /a word too many/i],
    [["create", email, "--yes"], /--yes does not belong/],
    [["invite", "--name", "x"], /--name does not belong/],
    [["recover", email, "--role", "owner"], /--role does not belong/],
    [["--yes"], /--yes does not belong/],
    [["create", email, "--role", "king"], /no role "king"/],
    [["create", email, "--name", " "], /1 to 100 characters/],
    [["create", email, "--name", "a\u001b[2J"], /1 to 100 characters/],
    [["create", email, "--role", "editor"], /first operator has to be an owner/],
    [["invite"], /first operator has to be an owner/],
  ])("%j is wrong usage: status 2", async ([words, message]) => {
    const { status, out, err } = await operators(words);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toMatch(message);
    expect(err).toMatch(/see sineta operators --help\.\n$/i);
    expect((await operators([])).out).toContain("no operator yet");
  });

  test("makes nothing in a folder that holds no data", async () => {
    const environment = { SINETA_DATA: `${bench.folder}/mistyped` };
    const words = ["operators", "create", email];
    const { status, out, err } = await runCommand(words, { ...bench, environment });
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).toContain("There is no Sineta data in");
  });
});
