import { randomUUIDv7 } from "node:crypto";
import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createApiKeys } from "../access/api-keys/api-keys.ts";
import { openDataFolder } from "../data-folder.ts";
import { makeData } from "../test/make-data.ts";
import { testPlaces } from "../test/places.ts";
import { startFull } from "../test/process.ts";
import { runCommand } from "../test/run-command.ts";
import { apiKeyTable } from "./api-keys.ts";
import type { Terminal } from "./command.ts";

let bench: ReturnType<typeof testPlaces>;
beforeEach(async () => {
  bench = testPlaces();
  await makeData(bench.dataFolder);
});
afterEach(() => rmSync(bench.folder, { recursive: true }));

const sineta = (words: string[], ask?: Terminal["ask"]) =>
  runCommand(words, { ...bench, ...(ask === undefined ? {} : { ask }) });

const testMessage = {
  target: { kind: "all" },
  data: null,
  ttlSeconds: 60,
  urgency: "normal",
  collapseKey: null,
  localTime: null,
  replaces: null,
} as const;

/** Makes a key; gives it with its prefix. */
async function create(name: string): Promise<{ key: string; prefix: string }> {
  const { out } = await sineta(["api-keys", "create", name]);
  const key = out.trim();
  return { key, prefix: key.slice(0, 15) };
}

/** Whether the server would let it in. */
async function isGood(key: string): Promise<boolean> {
  const store = await openDataFolder(bench.dataFolder, 0);
  try {
    const keys = createApiKeys({
      store: store.apiKeys,
      randomBytes: () => {
        throw new Error("no key is to be made");
      },
      now: () => Date.UTC(2026, 10, 20, 12, 34, 56),
    });
    const found = await keys.authenticate(key);
    if (found !== null) await keys.used(found.id);
    return found !== null;
  } finally {
    await store.close();
  }
}

describe("sineta api-keys", () => {
  test("create prints a key that is let in, alone on stdout, and says that it is shown once", async () => {
    for (const words of [["create"], ["create", "loja"]]) {
      const { status, out, err } = await sineta(["api-keys", ...words]);
      expect(status).toBe(0);
      expect(out).toMatch(/^sineta_[A-Za-z0-9_-]{43}\n$/);
      expect(err).toContain("not shown again");
      expect(err).toContain(`revoke ${out.slice(0, 15)} `);
      expect(await isGood(out.trim())).toBe(true);
    }
  });

  test("the list has names, and when each was made, used and revoked; no key stands in it", async () => {
    expect(await sineta(["api-keys"])).toEqual({
      status: 0,
      out: "There is no API key yet: sineta api-keys create makes one.\n",
      err: "",
    });
    const [first, second] = [await create("loja"), await create("")];
    await isGood(first.key);
    await sineta(["api-keys", "revoke", "--yes", second.prefix]);
    const { out } = await sineta(["api-keys"]);
    const [, ...lines] = out.trimEnd().split("\n");
    const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      [first.prefix, "loja", "send,read", time, "command line", "2026-11-20T12:34:56Z", "-", "-"],
      [second.prefix, "-", "send,read", time, "command line", "-", "-", time],
    ]);
    expect(out).not.toContain(first.key.slice(15));
  });

  test("a name obeys no terminal", () => {
    const key = { id: 1, projectId: 1, prefix: "sineta_a", scopes: [], createdAtMs: 0 };
    const unused = { lastUsedAtMs: null, expiresAtMs: null, revokedAtMs: null, createdBy: null };
    expect(apiKeyTable([{ ...key, ...unused, name: "a\u001b[2Jb\nc" }])).toBe(
      "PREFIX    NAME      SCOPES  MADE                  MADE BY  LAST USED  EXPIRES  REVOKED\n" +
        "sineta_a  a?[2Jb?c          1970-01-01T00:00:00Z  -        -          -        -\n",
    );
  });

  test("revoke asks for the prefix again", async () => {
    const { key, prefix } = await create("loja");
    const questions: string[] = [];
    const answering = (answer: string | null) =>
      sineta(["api-keys", "revoke", prefix], async (question) => {
        questions.push(question);
        return answer;
      });
    expect(await answering("y")).toEqual({ status: 1, out: "", err: `The key ${prefix} stays.\n` });
    expect(await answering(null)).toMatchObject({
      status: 2,
      out: "",
      err: expect.stringMatching(/Nobody answers.*--yes/),
    });
    expect(await isGood(key)).toBe(true);
    expect(await answering(` ${prefix} `)).toEqual({
      status: 0,
      out: `The key ${prefix} is revoked.\n`,
      err: "",
    });
    expect(questions).toHaveLength(3);
    expect(questions[0]).toContain(prefix);
    expect(await isGood(key)).toBe(false);
  });

  test("revoke --yes asks nothing, and ends this key alone", async () => {
    const [first, second] = [await create("a"), await create("b")];
    const ask = () => Promise.reject(new Error("it asked"));
    const { status } = await sineta(["api-keys", "revoke", first.prefix, "--yes"], ask);
    expect(status).toBe(0);
    expect([await isGood(first.key), await isGood(second.key)]).toEqual([false, true]);
    const again = await sineta(["api-keys", "revoke", first.prefix, "--yes"], ask);
    expect(again).toMatchObject({ status: 1, out: "", err: expect.stringMatching(/no API key/) });
  });

  test("revoke names what is still to be sent; --cancel-messages ends it, also afterwards", async () => {
    const { key, prefix } = await create("loja");
    const store = await openDataFolder(bench.dataFolder, 0);
    const found = await store.projects.ensure("default", 0);
    const [row] = await store.apiKeys.list(found.id);
    const audit = {
      actor: { kind: "api-key", name: prefix, id: row?.id ?? 0 },
      address: null,
      projectId: found.id,
      action: "message.published",
      subject: "",
      change: null,
    } as const;
    const publish = async (title: string, scheduledAtMs: number) => {
      const message = { ...testMessage, id: randomUUIDv7(), projectId: found.id, scheduledAtMs };
      await store.messages.publish({ ...message, notification: { title } }, 0, undefined, audit);
      return message.id;
    };
    const at = "2030-01-01T12:00:00Z";
    const late = await publish("late\u001b[2J", Date.parse(at) + 1000);
    const early = await publish("early", Date.parse(at));
    await store.close();

    const { status, out } = await sineta(["api-keys", "revoke", prefix, "--yes"]);
    expect(status).toBe(0);
    expect(out.split("\n")).toEqual([
      `The key ${prefix} is revoked.`,
      `2 messages of it will still be sent; sineta api-keys revoke ${prefix} --cancel-messages cancels them:`,
      `${early}  scheduled  ${at}  early`,
      `${late}  scheduled  2030-01-01T12:00:01Z  late?[2J`,
      "",
    ]);
    expect((await sineta(["messages", early])).out).toMatch(/\nby +API key loja\n/);
    const again = await sineta(["api-keys", "revoke", prefix, "--cancel-messages", "--yes"]);
    expect(again).toMatchObject({
      status: 0,
      out: expect.stringContaining("2 messages of it that had not ended are cancelled:"),
    });
    const third = await sineta(["api-keys", "revoke", prefix, "--cancel-messages", "--yes"]);
    expect(third.out).toBe(`The key ${prefix} is revoked.\n`);
    expect((await sineta(["messages"])).out.match(/ cancelled /g)).toHaveLength(2);
    expect(await isGood(key)).toBe(false);
  });

  test("a prefix that no key has is told of, before anything is asked", async () => {
    const { key } = await create("loja");
    const ask = () => Promise.reject(new Error("it asked"));
    for (const prefix of ["sineta_", "sineta_12345678", key]) {
      const { status, err } = await sineta(["api-keys", "revoke", prefix], ask);
      expect({ status, err }).toEqual({
        status: 1,
        err: expect.stringMatching(/There is no API key with this prefix.*sineta api-keys lists/),
      });
    }
    expect(await isGood(key)).toBe(true);
  });

  test.for<[string[], RegExp]>([
    [["constructor"], /no sineta api-keys "constructor"/],
    [["revoke"], /needs the key's prefix/],
    [["revoke", "a", "b"], /a word too many/i],
    [["create", "my", "shop"], /a word too many/i],
    [["create", "--yes"], /--yes does not belong/],
    [["--yes"], /--yes does not belong/],
    [["create", "x".repeat(101)], /one line of 1 to 100 characters/],
    [["create", "a\u202eb"], /without control characters or direction marks/],
  ])("%j is wrong usage: status 2", async ([words, message]) => {
    const { status, out, err } = await sineta(["api-keys", ...words]);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toMatch(message);
    expect(err).toMatch(/see sineta api-keys --help\.\n$/i);
    expect((await sineta(["api-keys"])).out).toContain("no API key yet");
  });

  test("makes nothing in a folder that holds no data", async () => {
    const environment = { SINETA_DATA: `${bench.folder}/mistyped` };
    const words = ["api-keys", "create"];
    const { status, out, err } = await runCommand(words, { ...bench, environment });
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).toContain("There is no Sineta data in");
  });
});

describe("on a full disk", () => {
  const sinetaWithin = (blocks: number, words: string[]) =>
    startFull(words, bench, { blocks }).ended;
  const full = {
    status: 1,
    stdout: "",
    stderr: expect.stringMatching(/^sineta: The disk of the data folder is full, [^\n]*\n$/),
  };

  test("a command that can store nothing says so, and what was stored before stays", async () => {
    const kept: string[] = [];
    let last = await sinetaWithin(512, ["api-keys", "create"]);
    for (let count = 0; count < 200 && last.status === 0; count += 1) {
      kept.push(last.stdout.trim());
      last = await sinetaWithin(512, ["api-keys", "create"]);
    }
    expect(last).toEqual(full);
    expect(kept.length).toBeGreaterThan(0);
    for (const key of kept) expect(await isGood(key)).toBe(true);
    const { out } = await sineta(["api-keys"]);
    expect(out.match(/sineta_/g)?.length ?? 0).toBe(kept.length);
  });

  test("so does one that cannot even open the database", async () => {
    expect(await sinetaWithin(8, ["api-keys"])).toEqual(full);
  });
});
