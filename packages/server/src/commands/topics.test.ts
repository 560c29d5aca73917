import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setUp, type ContractBench } from "../store/contract/bench.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import { makeData } from "../test/make-data.ts";
import { testPlaces } from "../test/places.ts";
import { runCommand } from "../test/run-command.ts";
import type { Terminal } from "./command.ts";

let bench: ReturnType<typeof testPlaces>;
let data: ContractBench;
beforeEach(async () => {
  bench = testPlaces();
  await makeData(bench.dataFolder);
  data = await setUp({
    open: () => openSqliteStore(join(bench.dataFolder, "sineta.db"), 0),
    remove: async () => undefined,
  });
});
afterEach(async () => {
  await data.store.close();
  rmSync(bench.folder, { recursive: true });
});

const sineta = (words: string[], ask?: Terminal["ask"]) =>
  runCommand(words, { ...bench, ...(ask === undefined ? {} : { ask }) });
const done = (out: string) => ({ status: 0, out, err: "" });
const find = (name: string) => data.store.topics.find(data.projectId, name);

test("what is done to topics leaves a line in the audit", async () => {
  const token = await data.add();
  await sineta(["topics", "add", "equipe", "--kept"]);
  await sineta(["topics", "add", "equipe"]);
  await sineta(["topics", "set", "equipe", "--open"]);
  await sineta(["topics", "join", "equipe", "--", token, "nobody"]);
  await sineta(["topics", "leave", "equipe", "--", "nobody"]);
  await sineta(["topics", "remove", "equipe", "--yes"]);
  const lines = await data.store.audit.list([data.projectId], { limit: 9 });
  expect(lines.map(({ action, change }) => [action, change])).toEqual([
    ["topic.removed", null],
    ["topic.members-changed", { joined: 1 }],
    ["topic.changed", { policy: "open" }],
    ["topic.created", { policy: "kept" }],
  ]);
  expect(new Set(lines.map(({ subject, actor }) => `${subject} ${actor.kind}`))).toEqual(
    new Set(["equipe command-line"]),
  );
});

describe("sineta topics", () => {
  test.each([`-${"A".repeat(42)}`, `--${"A".repeat(41)}`])(
    "takes a token that begins with a dash for a word: %s",
    async (token) => {
      await sineta(["topics", "add", "equipe"]);
      for (const behind of [[token], ["--", token]]) {
        const { status, err } = await sineta(["topics", "join", "equipe", ...behind]);
        expect(status).toBe(1);
        expect(err).toMatch(
          new RegExp(`^sineta: There is no registration with this token.*\\n${token}\\n$`),
        );
      }
    },
  );

  test("lists what was added, with policy and live registrations", async () => {
    expect(await sineta(["topics"])).toEqual(
      done("There is no topic yet: sineta topics add NAME makes one.\n"),
    );
    expect(await sineta(["topics", "add", "pao-quente"])).toEqual(
      done("The topic pao-quente is open: any visitor may join it.\n"),
    );
    expect((await sineta(["topics", "add", "equipe", "--kept"])).out).toContain(
      "equipe is kept: the site's backend alone",
    );
    const [stays, leaves] = [await data.add(), await data.add()];
    for (const token of [stays, leaves]) {
      expect(await sineta(["topics", "join", "equipe", "--", token])).toEqual(
        done("The registration is in the topic equipe.\n"),
      );
    }
    const leaving = await data.store.registrations.find(data.projectId, leaves);
    await data.store.registrations.leave(leaving?.id ?? 0, 2);
    expect(await sineta(["topics"])).toEqual(
      done(
        "NAME        POLICY  REGISTRATIONS  DISPLAY NAME\n" +
          "equipe      kept    1\n" +
          "pao-quente  open    0\n",
      ),
    );
  });

  test("join and leave may be repeated", async () => {
    await sineta(["topics", "add", "bread", "--kept"]);
    const token = await data.add();
    for (const [verb, count] of [
      ["join", 1],
      ["join", 1],
      ["leave", 0],
      ["leave", 0],
    ] as const) {
      expect((await sineta(["topics", verb, "bread", "--", token])).status).toBe(0);
      expect(await data.store.topics.list(data.projectId)).toMatchObject([{ liveCount: count }]);
    }
  });

  test("join and leave take many tokens, from a file too; one that is named twice counts once", async () => {
    await sineta(["topics", "add", "bread", "--kept"]);
    const tokens = [await data.add(), await data.add(), await data.add(), await data.add()];
    const [first = "", second = ""] = tokens;
    // As an editor on Windows leaves it.
    writeFileSync(join(bench.folder, "vip.txt"), `\uFEFF${tokens.slice(1).join("\r\n\r\n")}\r\n`);
    const join3 = ["topics", "join", "bread", "--tokens", "vip.txt", "--", first, second];
    expect(await sineta(join3)).toEqual(done("4 registrations are in the topic bread.\n"));
    expect(await data.store.topics.list(data.projectId)).toMatchObject([{ liveCount: 4 }]);
    expect(await sineta(["topics", "leave", "bread", "--tokens", "vip.txt"])).toEqual(
      done("3 registrations are not in the topic bread.\n"),
    );
    expect(await data.store.topics.list(data.projectId)).toMatchObject([{ liveCount: 1 }]);
  });

  test("a file of tokens that is not there, or holds none, is wrong usage", async () => {
    await sineta(["topics", "add", "bread"]);
    writeFileSync(join(bench.folder, "empty.txt"), "\n \n");
    for (const [file, message] of [
      ["missing.txt", /--tokens, .*missing\.txt, is not there\./],
      ["empty.txt", /needs the registration's token/],
    ] as const) {
      const { status, err } = await sineta(["topics", "join", "bread", "--tokens", file]);
      expect({ status, err }).toEqual({ status: 2, err: expect.stringMatching(message) });
    }
  });

  test("tokens of nobody are listed, the others are done: status 1", async () => {
    await sineta(["topics", "add", "bread"]);
    const [live, left] = [await data.add(), await data.add()];
    const leaving = await data.store.registrations.find(data.projectId, left);
    await data.store.registrations.leave(leaving?.id ?? 0, 2);
    const words = ["topics", "join", "bread", "--", "no\u001b[31mbody", live, left];
    expect(await sineta(words)).toEqual({
      status: 1,
      out: "The registration is in the topic bread.\n",
      err: expect.stringMatching(/^sineta: There is no registration with these 2 tokens: .*\n/),
    });
    const { err } = await sineta(words);
    expect(err.split("\n").slice(1)).toEqual(["no?[31mbody", left, ""]);
    expect(await data.store.topics.list(data.projectId)).toMatchObject([{ liveCount: 1 }]);
  });

  test("set changes the policy, and who is in it stays", async () => {
    await sineta(["topics", "add", "bread"]);
    await sineta(["topics", "join", "bread", "--", await data.add()]);
    expect((await sineta(["topics", "set", "bread", "--kept"])).out).toContain("bread is kept now");
    expect(await data.store.topics.list(data.projectId)).toMatchObject([
      { policy: "kept", liveCount: 1 },
    ]);
    await sineta(["topics", "set", "bread", "--open"]);
    expect(await find("bread")).toMatchObject({ policy: "open" });
  });

  test("a display name is given, changed and taken away", async () => {
    const add = ["topics", "add", "promocoes", "--display-name", "Promoções do dia"];
    expect((await sineta(add)).out).toContain(
      'The console calls the topic promocoes "Promoções do dia".\n',
    );
    expect((await sineta(["topics"])).out).toContain(
      "promocoes  open    0              Promoções do dia\n",
    );
    const set = (text: string, ...more: string[]) =>
      sineta(["topics", "set", "promocoes", "--display-name", text, ...more]);
    expect(await set("Promoções", "--kept")).toEqual(
      done(
        "The topic promocoes is kept now: the site's backend alone may put browsers into it, and you. Who is in it stays.\n" +
          'The console calls the topic promocoes "Promoções".\n',
      ),
    );
    expect(await set("")).toEqual(done('The console calls the topic promocoes "promocoes".\n'));
    const [line] = await data.store.audit.list([data.projectId], { limit: 1 });
    expect([line?.action, line?.change]).toEqual(["topic.changed", { displayName: "" }]);
  });

  test("remove asks for the name again", async () => {
    await sineta(["topics", "add", "bread"]);
    await sineta(["topics", "join", "bread", "--", await data.add()]);
    const questions: string[] = [];
    const answering = (answer: string | null) =>
      sineta(["topics", "remove", "bread"], async (question) => {
        questions.push(question);
        return answer;
      });
    expect(await answering("y")).toEqual({ status: 1, out: "", err: "The topic bread stays.\n" });
    expect(await answering(null)).toMatchObject({
      status: 2,
      err: expect.stringMatching(/Nobody answers.*--yes/),
    });
    expect(await find("bread")).not.toBeNull();
    expect(await answering(" bread ")).toEqual(done("The topic bread is removed.\n"));
    expect(questions).toHaveLength(3);
    expect(questions[0]).toContain("bread");
    expect(await find("bread")).toBeNull();
  });

  test("remove --yes asks nothing", async () => {
    await sineta(["topics", "add", "bread"]);
    const ask = () => Promise.reject(new Error("it asked"));
    expect((await sineta(["topics", "remove", "bread", "--yes"], ask)).status).toBe(0);
    expect(await find("bread")).toBeNull();
  });

  test("what is not there, or is there already, is told with what to do: status 1", async () => {
    await sineta(["topics", "add", "bread"]);
    const left = await data.add();
    const leaving = await data.store.registrations.find(data.projectId, left);
    await data.store.registrations.leave(leaving?.id ?? 0, 2);
    const cases: [string[], RegExp][] = [
      [["add", "bread", "--kept"], /There is a topic bread already: .*sineta topics set/],
      [["set", "cake", "--kept"], /There is no topic "cake": .*sineta topics add/],
      [["remove", "cake", "--yes"], /There is no topic "cake"/],
      [["join", "cake", left], /There is no topic "cake"/],
      [["join", "bread", "nobody"], /no registration with this token/],
      [["leave", "bread", "--", left], /no registration with this token/],
    ];
    for (const [words, message] of cases) {
      const { status, out, err } = await sineta(["topics", ...words]);
      expect({ status, out }).toEqual({ status: 1, out: "" });
      expect(err).toMatch(message);
    }
    expect(await find("bread")).toMatchObject({ policy: "open" });
  });

  test.for<[string[], RegExp]>([
    [["constructor"], /no sineta topics "constructor"/],
    [["add"], /needs the topic's name/],
    [["add", ""], /cannot be called ""/],
    [["add", "a b"], /cannot be called "a b"/],
    [["add", ".."], /not \. or \.\./],
    [["add", "a", "b"], /a word too many/i],
    [["add", "a", "--open", "--kept"], /not both/],
    [["add", "a", "--yes"], /--yes does not belong/],
    [["set", "a"], /--open, --kept or --display-name/],
    [["add", "a", "--display-name", "a\nb"], /--display-name has to be/],
    [["remove", "a", "--display-name", "b"], /--display-name does not belong/],
    [["join", "a"], /needs the registration's token/],
    [["join", "a", "--kept", "b"], /--kept does not belong/],
    [["add", "a", "--tokens", "missing.txt"], /--tokens does not belong/],
    [["--kept"], /--kept does not belong/],
  ])("%j is wrong usage: status 2", async ([words, message]) => {
    const { status, out, err } = await sineta(["topics", ...words]);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toMatch(message);
    expect(err).toMatch(/see sineta topics --help\.\n$/i);
    expect(await data.store.topics.list(data.projectId)).toEqual([]);
  });
});

describe("sineta user-key", () => {
  test("prints the key alone on stdout, the same each time", async () => {
    const first = await sineta(["user-key"]);
    expect(first).toMatchObject({ status: 0, err: expect.stringContaining("Keep it secret") });
    expect(first.out).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
    expect(await sineta(["user-key"])).toEqual(first);
  });
});

test.for([["topics"], ["topics", "add", "bread"], ["user-key"]])(
  "%j in a folder that holds no data makes nothing",
  async (words) => {
    const environment = { SINETA_DATA: join(bench.folder, "mistyped") };
    const { status, err } = await runCommand(words, { ...bench, environment });
    expect(status).toBe(1);
    expect(err).toContain("There is no Sineta data in");
  },
);

test("what somebody else may have typed moves no terminal", async () => {
  const words = ["send", "--title", "t", "--body", "b", "--to", "topic:\u202e\u001b[31mred"];
  const unknown = await sineta(words);
  expect(unknown.err).toContain("red");
  const mistyped = await sineta(["\u001b[31mred"]);
  expect(mistyped.err).toContain("no command ?[31mred");
  for (const { err } of [unknown, mistyped]) expect(err.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

describe("sineta send", () => {
  const send = (to: string) => sineta(["send", "--title", "Olá", "--body", "x", "--to", to]);

  test("--to topic:NAME and user:ID publishes to that target", async () => {
    await sineta(["topics", "add", "bread"]);
    for (const [to, target] of [
      ["topic:bread", { kind: "topic", topic: "bread" }],
      ["user:baker shop", { kind: "user", userId: "baker shop" }],
    ] as const) {
      const { status, out } = await send(to);
      expect(status).toBe(0);
      const message = await data.store.messages.find(data.projectId, out.slice(0, 36));
      expect(message?.target).toEqual(target);
    }
  });

  test.for<[string, number, RegExp]>([
    ["topic:cake", 1, /There is no topic "cake"/],
    ["topic:", 1, /There is no topic ""/],
    ["user:", 2, /--to user: needs the user's id/],
  ])("--to %s is refused", async ([to, status, message]) => {
    const sent = await send(to);
    expect(sent).toMatchObject({ status, out: "" });
    expect(sent.err).toMatch(message);
    expect(await data.store.messages.list(data.projectId, 1)).toEqual([]);
  });
});
