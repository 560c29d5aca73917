import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "./store/sqlite/connection.ts";
import { makeData } from "./test/make-data.ts";
import { testPlaces } from "./test/places.ts";
import { startInRemovedFolder } from "./test/process.ts";
import { runCommand } from "./test/run-command.ts";

let bench: ReturnType<typeof testPlaces>;
beforeEach(() => {
  bench = testPlaces();
});
afterEach(() => rmSync(bench.folder, { recursive: true }));

const sineta = (words: string[], environment: Record<string, string> = {}) =>
  runCommand(words, { ...bench, environment });

const files = () =>
  Object.fromEntries(
    readdirSync(bench.dataFolder).map((name) => [name, readFileSync(join(bench.dataFolder, name))]),
  );

/** The files of a data folder, and the tables of its database. */
function tablesIn(folder: string): { names: string[]; tables: unknown[] } {
  const names = readdirSync(folder);
  if (!names.includes("sineta.db")) return { names, tables: [] };
  const database = new DatabaseSync(join(folder, "sineta.db"));
  const tables = database.prepare("select name from sqlite_schema").all();
  database.close();
  return { names, tables };
}

describe("usage", () => {
  test("--help tells of every command; so does each command of itself", async () => {
    const { status, out } = await sineta(["--help"]);
    expect(status).toBe(0);
    for (const name of [
      "serve",
      "send",
      "messages",
      "topics",
      "keys",
      "user-key",
      "backup",
      "restore",
      "config",
    ]) {
      expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
      const own = await sineta([name, "--help"]);
      expect(own.status).toBe(0);
      expect(own.out).toContain(`Usage: sineta ${name}`);
    }
  });

  test("help send is send --help, whose first option stands below the others", async () => {
    const { status, out } = await sineta(["send", "--help"]);
    expect(await sineta(["help", "send"])).toEqual({ status, out, err: "" });
    expect(out).toMatch(/\n\n  --title +\w.*\n  --body /);
    expect(await sineta(["help"])).toEqual(await sineta(["--help"]));
    expect(await sineta(["help", "help"])).toEqual(await sineta(["--help"]));
    expect(await sineta(["help", "ring"])).toMatchObject({
      status: 2,
      err: "sineta: There is no command ring: see sineta --help.\n",
    });
    expect((await sineta(["sned"])).err).toBe(
      "sineta: There is no command sned: see sineta --help. Do you mean send?\n",
    );
  });

  test.for([
    [
      "--hepl",
      "There is no command --hepl, and flags stand behind the command: see sineta --help. Do you mean --help?",
    ],
    ["SEND x", "There is no command SEND: see sineta --help. Do you mean send?"],
    ["user", "There is no command user: see sineta --help. Do you mean user-key?"],
    ["key", "There is no command key: see sineta --help. Do you mean keys?"],
    [
      "--data=x keys",
      "There is no command --data=x, and flags stand behind the command: see sineta --help.",
    ],
    [
      "operators crete a@b.example",
      'There is no sineta operators "crete": see sineta operators --help. Do you mean create?',
    ],
    ["topics ad x", 'There is no sineta topics "ad": see sineta topics --help. Do you mean add?'],
    [
      "api-keys revok x",
      'There is no sineta api-keys "revok": see sineta api-keys --help. Do you mean revoke?',
    ],
    [
      "messages cancle 1",
      'There is no sineta messages "cancle": see sineta messages --help. Do you mean cancel?',
    ],
    [
      "messages CANCEL 1 --yes",
      'There is no sineta messages "CANCEL": see sineta messages --help. Do you mean cancel?',
    ],
    [
      "messages cancell",
      'There is no sineta messages "cancell": see sineta messages --help. Do you mean cancel?',
    ],
    [
      "send --schedule-at 1",
      "Unknown option '--schedule-at'. Do you mean --at? See sineta send --help.",
    ],
    [
      "settings orgins x",
      'There is no setting "orgins": see sineta settings --help. Do you mean origins?',
    ],
  ])("%s asks what is meant", async ([line, sentence]) => {
    const words = (line ?? "").split(" ");
    expect(await sineta(words)).toEqual({ status: 2, out: "", err: `sineta: ${sentence}\n` });
  });

  test.for(["--version", "-v"])("%s prints the version of the package", async (word) => {
    const file = readFileSync(new URL("../package.json", import.meta.url), "utf8");
    const { version }: { version: string } = JSON.parse(file);
    expect(await sineta([word])).toEqual({ status: 0, out: `${version}\n`, err: "" });
  });

  test.for([
    [["--titel", "x"], "Unknown option '--titel'. Do you mean --title? See sineta send --help."],
    [["--TITLE", "x"], "Unknown option '--TITLE'. Do you mean --title? See sineta send --help."],
    [["--log", "x"], "Unknown option '--log'. Do you mean --log-level? See sineta send --help."],
    [["--prot", "1"], "Unknown option '--prot'. Do you mean --port? See sineta send --help."],
    [["--champagne"], "Unknown option '--champagne'. See sineta send --help."],
    [["--title"], "Option '--title <value>' argument missing. See sineta send --help."],
    [
      ["Ol\u00e1"],
      "Unexpected argument 'Ol\u00e1'. This command does not take positional arguments. See sineta send --help.",
    ],
  ] as [string[], string][])(
    "send %j is answered in whole sentences",
    async ([words, sentence]) => {
      expect((await sineta(["send", ...words])).err).toBe(`sineta: ${sentence}\n`);
    },
  );

  test("send --title --body is answered in one line", async () => {
    const { err } = await sineta(["send", "--title", "--body", "x"]);
    expect(err).toMatch(/^sineta: Option '--title' argument is ambiguous\. .*--help\.\n$/);
  });

  test("a word too many through npm, which takes flags for its own: says how to hand them on", async () => {
    const npm = (script: string) => ({ npm_lifecycle_event: script });
    const hint = "Through npm the words need -- before them (npm run sineta -- send ...).";
    const { status, err } = await sineta(["send", "Ol\u00e1"], npm("sineta"));
    expect(status).toBe(2);
    expect(err).toContain(`${hint} See sineta send --help.`);
    expect((await sineta(["send", "Ol\u00e1"], npm("start"))).err).not.toContain("npm");
    expect((await sineta(["send", "--titel"], npm("sineta"))).err).not.toContain("npm");
  });

  test.for([
    [[], /Usage:/],
    [["ring"], /no command ring/],
    [["send", "--title", "x"], /--body is missing/],
    [["send", "--body", "x"], /--title is missing/],
    [
      ["send", "--title", "x", "--body", "x", "--action", "Ver"],
      /--action is "Ver": .*TITLE=ADDRESS/,
    ],
    [["messages", "a", "b"], /takes one id at most/],
    [["messages", "--all"], /--all/],
    [["serve", "--loud"], /--loud/],
    [["serve", "now"], /now/],
    [["config", "--port"], /--port/],
  ] as [string[], RegExp][])("%j is wrong usage: status 2", async ([words, message]) => {
    const { status, out, err } = await sineta(words);
    expect(status).toBe(2);
    expect(out + err).toMatch(message);
  });

  test("a wrong setting stops every command: status 1, one sentence", async () => {
    const { status, out, err } = await sineta(["keys"], { SINETA_PORT: "many" });
    expect(status).toBe(1);
    expect(out).toBe("");
    expect(err).toBe(
      'sineta: SINETA_PORT is "many": expected a port from 0 (any free one) to 65535.\n',
    );
  });
});

describe("config", () => {
  test("prints every setting with its source", async () => {
    writeFileSync(join(bench.folder, ".env"), "SINETA_HOST=::1");
    const { status, out, err } = await sineta(["config", "--port", "9"], {
      SINETA_LOG_LEVEL: "warn",
      DATABASE_URL: "postgres://user:password@db/x",
    });
    expect(status).toBe(0);
    expect(out).toMatch(/^SINETA_HOST +::1 +\.env$/m);
    expect(out).toMatch(/^SINETA_PORT +9 +flag$/m);
    expect(out).toMatch(/^SINETA_LOG_LEVEL +warn +environment$/m);
    expect(out).toMatch(/^SINETA_DATA +data +default$/m);
    expect(out).toMatch(/^DATABASE_URL +\*{4} +environment$/m);
    expect(err).toContain("SQLite only");
    expect(out + err).not.toContain("password");
  });
});

describe("in a folder without data", () => {
  type Folder = { make: (folder: string) => void; says: string };
  const missing =
    "There is no Sineta data in FOLDER: name the server's folder with SINETA_DATA, or start sineta serve first.";
  const empty =
    "The database FOLDER/sineta.db is empty: move it away and put a back-up there with sineta restore FILE, or set SINETA_DATA to another folder.";
  const without: Record<string, Folder> = {
    "that is not there": { make: () => undefined, says: missing },
    "that is empty": { make: mkdirSync, says: missing },
    "with an empty database": {
      make: (folder) => {
        mkdirSync(folder);
        writeFileSync(join(folder, "sineta.db"), "");
      },
      says: empty,
    },
    "with a database without tables": {
      make: (folder) => {
        mkdirSync(folder);
        openDatabase(join(folder, "sineta.db")).close();
      },
      says: empty,
    },
    "with the database of another program": {
      make: (folder) => {
        mkdirSync(folder);
        const database = new DatabaseSync(join(folder, "sineta.db"));
        database.exec("create table messages (id)");
        database.close();
      },
      says: "The database FOLDER/sineta.db is another program's: set SINETA_DATA to another folder.",
    },
  };
  const commands = [
    ["send", "--title", "Olá", "--body", "x"],
    ["messages"],
    ["messages", "cancel", "0199c0de"],
    ["status"],
    ["topics"],
    ["topics", "add", "bread"],
    ["settings"],
    ["settings", "receipts", "off"],
    ["operators"],
    ["operators", "create", "baker@site.example"],
    ["api-keys"],
    ["api-keys", "create", "--scopes", "send"],
    ["keys"],
    ["secrets", "rotate"],
    ["backup", "one.db"],
    ["user-key"],
  ];
  test.for(
    Object.entries(without).flatMap(([name, { make, says }]) =>
      commands.map((words) => ({ name, make, says, words })),
    ),
  )("$name, $words says so and makes nothing", async ({ make, says, words }) => {
    make(bench.dataFolder);
    const before = existsSync(bench.dataFolder) ? tablesIn(bench.dataFolder) : null;
    expect(await sineta(words)).toEqual({
      status: 1,
      out: "",
      err: `sineta: ${says.replace("FOLDER", bench.dataFolder)}\n`,
    });
    expect(existsSync(bench.dataFolder) ? tablesIn(bench.dataFolder) : null).toEqual(before);
  });

  test("a command in a folder that was removed says so", async () => {
    expect(await startInRemovedFolder(["status"], bench).ended).toEqual({
      status: 1,
      stdout: "",
      stderr: "sineta: The folder that you are in is not there any more: go to another.\n",
    });
  });

  test("a setting that is misspelt is told below the error", async () => {
    expect((await sineta(["keys"], { SINETA_DTA: "/srv/sineta" })).err).toBe(
      `sineta: There is no Sineta data in ${bench.dataFolder}: ` +
        "name the server's folder with SINETA_DATA, or start sineta serve first.\n" +
        "SINETA_DTA is set but not used: there is no such setting. Do you mean SINETA_DATA?\n",
    );
  });
});

describe("keys", () => {
  test("prints the public key, the same each time, and never the private one", async () => {
    await makeData(bench.dataFolder);
    const first = await sineta(["keys"]);
    expect(first.status).toBe(0);
    expect(first.out).toMatch(/^B[A-Za-z0-9_-]{86}\n$/);
    expect((await sineta(["keys"])).out).toBe(first.out);
  });

  test("a missing or a foreign secret is told, and no new key is made", async () => {
    await makeData(bench.dataFolder);
    const { out } = await sineta(["keys"]);
    const path = join(bench.dataFolder, "secret");
    const secret = readFileSync(path);

    rmSync(path);
    const missing = await sineta(["keys"]);
    expect(missing).toMatchObject({ status: 1, out: "" });
    expect(missing.err).toContain(`${path} is missing`);
    expect(Object.keys(files())).not.toContain("secret");

    writeFileSync(path, Buffer.alloc(32, 1).toString("base64url"));
    const foreign = await sineta(["keys"]);
    expect(foreign).toMatchObject({ status: 1, out: "" });
    expect(foreign.err).toContain("does not fit");

    writeFileSync(path, secret);
    expect((await sineta(["keys"])).out).toBe(out);
  });
});

describe("send", () => {
  test("with a flag that stands there twice is wrong usage, not the last one's", async () => {
    const words = ["send", "--title", "Olá", "--body", "x", "--to", "A".repeat(43), "--to", "all"];
    const { status, out, err } = await sineta(words);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toBe("sineta: --to stands there twice. See sineta send --help.\n");
  });
});

describe("send without a running server", () => {
  beforeEach(() => makeData(bench.dataFolder));

  test("takes a value that begins with a dash, as a token or a title may", async () => {
    const unknown = await sineta([
      "send",
      "--to",
      `-${"A".repeat(42)}`,
      "--title",
      "x",
      "--body",
      "x",
    ]);
    expect(unknown).toMatchObject({ status: 1, out: "" });
    expect(unknown.err).toContain("there is no registration with this token");
    const { status, err } = await sineta(["send", "--title", "-20% hoje", "--body", "x"]);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect((await sineta(["messages"])).out).toContain("-20% hoje");
    // A value that is missing is not made up from the next flag.
    expect(await sineta(["send", "--title", "--body", "x"])).toMatchObject({ status: 2 });
  });

  const titleRefused =
    /^sineta: --title cannot be sent: expected one line of 1 to 200 characters, at least one of them visible, without control characters\./;
  const bodyRefused =
    /--body cannot be sent: expected empty, or 1 to 2000 characters, at least one of them visible, without control characters other than line breaks\./;
  const linkRefused = (option: string) =>
    RegExp(
      `^sineta: --${option} cannot be sent: expected at most 2048 characters: an http:// or https:// address without user and password`,
    );

  const actionRefused =
    /^sineta: --action cannot be sent: expected at most 3 times one line of 1 to 60 characters, at least one of them visible, without control characters, then = and at most 2048/;

  test("says that the message waits", async () => {
    const { status, out } = await sineta(["send", "--title", "Olá", "--body", "x"]);
    expect(status).toBe(0);
    expect(out).toMatch(/^[0-9a-f-]{36} waits: no server runs on .*sineta serve will send it\.\n$/);
  });

  test.for([
    [["--title", "", "--body", "x"], titleRefused],
    [["--title", " ", "--body", "x"], titleRefused],
    [["--title", "\u200b", "--body", "x"], titleRefused],
    [["--title", "a\nb", "--body", "x"], titleRefused],
    [["--title", "x", "--body", "a\u001bb"], bodyRefused],
    [["--title", "x".repeat(201), "--body", "x"], titleRefused],
    [["--title", "x", "--body", "x".repeat(2001)], bodyRefused],
    [
      ["--title", "", "--body", "x".repeat(2001)],
      RegExp(`${titleRefused.source} ${bodyRefused.source}`),
    ],
    [["--title", "x", "--body", "x", "--link", "//evil.example"], linkRefused("link")],
    [["--title", "x", "--body", "x", "--link", "javascript:alert(1)"], linkRefused("link")],
    [["--title", "x", "--body", "x", "--link", `/${"x".repeat(2048)}`], linkRefused("link")],
    [["--title", "x", "--body", "x", "--icon", "data:x"], linkRefused("icon")],
    [["--title", "x", "--body", "x", "--action", "Ver="], actionRefused],
    [["--title", "x", "--body", "x", "--action", "=/x"], actionRefused],
    [["--title", "x", "--body", "x", "--action", `${"x".repeat(61)}=/x`], actionRefused],
    [["--title", "x", "--body", "x", "--action", "Ver=javascript:alert(1)"], actionRefused],
    [
      [
        "--title",
        "x",
        "--body",
        "x",
        ...["a", "b", "c", "d"].flatMap((t) => ["--action", `${t}=/`]),
      ],
      actionRefused,
    ],
    [
      ["--title", "x", "--body", "\u{1F514}".repeat(1000)],
      /takes 42\d\d bytes, 2\d\d more than the 3993 .*: shorten --title/,
    ],
    [["--title", "x", "--body", "x", "--to", "A".repeat(43)], /no registration with this token/],
    [["--title", "x", "--body", "x", "--to", "nobody"], /no registration with this token/],
  ] as [string[], RegExp][])("%j is refused: status 1", async ([words, message]) => {
    const { status, out, err } = await sineta(["send", ...words]);
    expect(status).toBe(1);
    expect(out).toBe("");
    expect(err).toMatch(message);
    expect(err.trim().split("\n")).toHaveLength(1);
  });
});

describe("messages", () => {
  test("none, and one that is not there", async () => {
    await makeData(bench.dataFolder);
    expect(await sineta(["messages"])).toEqual({
      status: 0,
      out: "No message has been sent yet.\n",
      err: "",
    });
    expect(await sineta(["messages", "0199c0de"])).toEqual({
      status: 1,
      out: "",
      err: "sineta: There is no message with this id: sineta messages lists the latest ones.\n",
    });
  });
});
