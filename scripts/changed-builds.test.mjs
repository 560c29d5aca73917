import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runChangedBuilds } from "./changed-builds.mjs";

const builds = [
  { folder: "packages/bell" },
  { folder: "apps/page" },
  { folder: "packages/server", takes: ["apps/page"] },
];

let root;
let ran;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sineta-builds-"));
  ran = [];
  write("package-lock.json", "{}");
  write("tsconfig.base.json", "{}");
  write("scripts/build.mjs", "");
  write("scripts/changed-builds.mjs", "");
  write("packages/words/package.json", JSON.stringify({ name: "words" }));
  write("packages/words/src/index.ts", "words");
  const devDependencies = { words: "1.0.0", other: "1.0.0" };
  write("packages/bell/package.json", JSON.stringify({ name: "bell", devDependencies }));
  write("packages/bell/src/index.ts", "bell");
  write("apps/page/package.json", JSON.stringify({ name: "page" }));
  write("apps/page/src/main.ts", "page");
  write("packages/server/package.json", JSON.stringify({ name: "server" }));
  write("packages/server/src/main.ts", "server");
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path, text) {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Copies a source to the output. */
function copies({ folder }) {
  ran.push(folder);
  const source = folder === "packages/bell" ? "index.ts" : "main.ts";
  write(`${folder}/dist/first.js`, "whole");
  write(`${folder}/dist/second.js`, readFileSync(join(root, folder, "src", source), "utf8"));
}

function built(run = copies) {
  ran = [];
  runChangedBuilds(root, builds, run);
  return ran;
}

const all = builds.map(({ folder }) => folder);

describe("the builds of the workspace", () => {
  test("run once, and not again while nothing changes", () => {
    expect(built()).toEqual(all);
    expect(built()).toEqual([]);
  });

  test.for([
    ["a changed file", () => write("packages/bell/src/index.ts", "changed")],
    ["an added file", () => write("packages/bell/src/more/added.ts", "")],
    ["a removed file", () => rmSync(join(root, "packages/bell/src/index.ts"))],
    ["a file of a package that it depends on", () => write("packages/words/src/index.ts", "other")],
    ["a changed setting", () => write("packages/bell/tsdown.config.ts", "")],
    ["a removed output", () => rmSync(join(root, "packages/bell/dist"), { recursive: true })],
    ["an output of which a file is gone", () => rmSync(join(root, "packages/bell/dist/first.js"))],
    ["an output that was written to", () => write("packages/bell/dist/second.js", "mine")],
    ["a lost record", () => rmSync(join(root, "packages/bell/.cache"), { recursive: true })],
  ])("of one package alone, for %s", ([, change]) => {
    built();
    change();
    expect(built(({ folder }) => ran.push(folder))).toEqual(["packages/bell"]);
  });

  test.for(["package-lock.json", "tsconfig.base.json", "scripts/build.mjs"])(
    "all run for a change of %s",
    (path) => {
      built();
      write(path, "changed");
      expect(built()).toEqual(all);
    },
  );

  test("one that takes another's output runs after it", () => {
    built();
    write("apps/page/src/main.ts", "changed");
    expect(built()).toEqual(["apps/page", "packages/server"]);
    expect(built()).toEqual([]);
  });

  test("begin with an empty output", () => {
    built();
    write("packages/bell/dist/left.js", "");
    built();
    expect(() => readFileSync(join(root, "packages/bell/dist/left.js"))).toThrow("ENOENT");
  });

  test("one that broke off runs again, though nothing has changed since", () => {
    built();
    write("packages/bell/src/index.ts", "changed");
    const breaksOff = ({ folder }) => {
      write(`${folder}/dist/first.js`, "wh");
      throw new Error("broke off");
    };
    expect(() => built(breaksOff)).toThrow("broke off");
    expect(built()).toEqual(["packages/bell"]);
    expect(built()).toEqual([]);
  });

  test("one whose old output stands again after it broke off runs again", () => {
    built();
    const before = readFileSync(join(root, "packages/bell/src/index.ts"), "utf8");
    write("packages/bell/src/index.ts", "changed");
    expect(() =>
      built(() => {
        throw new Error("broke off");
      }),
    ).toThrow("broke off");
    write("packages/bell/src/index.ts", before);
    expect(built()).toEqual(["packages/bell"]);
  });

  test("a file that changes while its build runs is built the next time", () => {
    built((build) => {
      copies(build);
      if (build.folder === "packages/bell") write("packages/bell/src/index.ts", "later");
    });
    expect(built()).toEqual(["packages/bell"]);
  });
});
