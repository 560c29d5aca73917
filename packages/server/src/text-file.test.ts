import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readTextFile, readTextFileIfThere, type TextFile } from "./text-file.ts";

const nobodyId = 65_534;
const isRoot = process.getuid?.() === 0;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sineta-text-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = (path = "a.txt"): TextFile => ({
  path: join(folder, path),
  name: "The file of --tokens",
  code: "usage",
});

/** A file that holds this, as some editor has saved it. */
function saved(bytes: string | Uint8Array): TextFile {
  writeFileSync(file().path, bytes);
  return file();
}

const latin1 = (text: string) => Buffer.from(text, "latin1");
const utf16 = (text: string) => Buffer.from(text, "utf16le");

function utf16BigEndian(text: string): Buffer {
  return utf16(text).swap16();
}

/** As another user than root, who may read everything. */
function asNobody<Result>(work: () => Result): Result {
  if (!isRoot) return work();
  process.seteuid?.(nobodyId);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}

function refusal(reading: () => unknown): unknown {
  try {
    return reading();
  } catch (error) {
    return error;
  }
}

test.for<[bytes: string, text: string]>([
  ["", ""],
  ["pão\n", "pão\n"],
  ["\uFEFFpão\r\n", "pão\r\n"],
  ["今日は\n", "今日は\n"],
  ["a character that is no other: \uFFFD", "a character that is no other: \uFFFD"],
])("%j is read as %j", ([bytes, text]) => {
  expect(readTextFile(saved(bytes))).toBe(text);
});

describe("a file that is not in UTF-8 is refused with what it is in", () => {
  test.for<[name: string, bytes: Uint8Array, why: string]>([
    ["UTF-16", utf16("pão"), "is not in UTF-8 but in UTF-16: save it as UTF-8"],
    ["UTF-16 with its mark", utf16("\uFEFFpão"), "is not in UTF-8 but in UTF-16: save it as UTF-8"],
    [
      "UTF-16, big end first",
      utf16BigEndian("\uFEFFpão"),
      "is not in UTF-8 but in UTF-16: save it as UTF-8",
    ],
    [
      "UTF-16 without any ASCII",
      utf16("\uFEFF今日"),
      "is not in UTF-8 but in UTF-16: save it as UTF-8",
    ],
    ["no text", Buffer.from("um\0 pão"), "is no text"],
    ["nothing but NULs", Buffer.alloc(2_000), "is no text"],
    ["UTF-32", Buffer.from("fffe0000610000006200000063000000", "hex"), "is no text"],
    ["Latin-1", latin1("um pão"), "is not in UTF-8: save it as UTF-8"],
    ["Latin-1 further down", latin1("a\nb\npão"), "is not in UTF-8: save it as UTF-8"],
    [
      "a character that was cut",
      Buffer.from("a\nã").subarray(0, 3),
      "is not in UTF-8: save it as UTF-8",
    ],
  ])("%s", ([, bytes, why]) => {
    expect(refusal(() => readTextFile(saved(bytes)))).toMatchObject({
      code: "usage",
      message: `The file of --tokens, ${file().path}, ${why}.`,
    });
  });

  test("but where the file may hold any bytes", () => {
    const anyBytes = true;
    expect(readTextFile({ ...saved(latin1("# pão\na=1\n")), anyBytes })).toBe("# p\uFFFDo\na=1\n");
    expect(readTextFile({ ...saved(Uint8Array.of(1, 0, 2, 3)), anyBytes })).toBe(
      "\u0001\0\u0002\u0003",
    );
    const wide = { ...saved(utf16("a=1\n")), anyBytes: true };
    expect(refusal(() => readTextFile(wide))).toMatchObject({
      message: expect.stringContaining("in UTF-16"),
    });
  });
});

describe("a file that cannot be read is refused with the reason:", () => {
  const sentence = (path: string, why: string) => ({
    code: "usage",
    message: `The file of --tokens, ${join(folder, path)}, ${why}.`,
  });

  test("there is none", () => {
    expect(refusal(() => readTextFile(file()))).toMatchObject(sentence("a.txt", "is not there"));
    expect(readTextFileIfThere(file())).toBeNull();
    saved("");
    const below = "a.txt/b.txt";
    expect(refusal(() => readTextFile(file(below)))).toMatchObject(sentence(below, "is not there"));
  });

  test("it is a folder", () => {
    mkdirSync(file().path);
    const why = "is a folder, not a file: put the file in its place";
    expect(refusal(() => readTextFile(file()))).toMatchObject(sentence("a.txt", why));
    expect(refusal(() => readTextFileIfThere(file()))).toMatchObject(sentence("a.txt", why));
  });

  test("its owner may not read it", () => {
    chmodSync(saved("secret").path, 0o000);
    if (isRoot) for (const path of [folder, file().path]) chownSync(path, nobodyId, nobodyId);
    const why = "does not let its owner in (permission denied): run chmod u+rwX on it";
    expect(refusal(() => asNobody(() => readTextFile(file())))).toMatchObject(
      sentence("a.txt", why),
    );
  });

  test.runIf(isRoot)("it is another user's, or in a folder that is", () => {
    chmodSync(folder, 0o755);
    chmodSync(saved("secret").path, 0o600);
    const refusalOf = (path: string) => refusal(() => asNobody(() => readTextFile(file(path))));
    const its = "belongs to another user, the one with the uid 0 (permission denied)";
    const letRead = `${its}: let this user read it, or run Sineta as that user`;
    expect(refusalOf("a.txt")).toMatchObject(sentence("a.txt", letRead));
    mkdirSync(join(folder, "hidden"), { mode: 0o700 });
    symlinkSync("hidden/c.txt", file("link.txt").path);
    for (const path of ["hidden/b.txt", "link.txt"]) {
      const why = `cannot be reached: ${join(folder, "hidden")} ${letRead}`;
      expect(refusalOf(path)).toMatchObject(sentence(path, why));
    }
    chownSync(folder, nobodyId, nobodyId);
    const give = `${its}: give it to the owner of its folder`;
    expect(refusalOf("a.txt")).toMatchObject(sentence("a.txt", give));
  });

  test("it is a link to itself or to nothing, or its name is too long", () => {
    symlinkSync("a.txt", file().path);
    const loop = "is a link that leads to itself: put the file in its place";
    expect(refusal(() => readTextFile(file()))).toMatchObject(sentence("a.txt", loop));
    symlinkSync("gone.txt", file("b.txt").path);
    const nothing = sentence(
      "b.txt",
      "is a link to nothing: make what it leads to, or remove the link",
    );
    expect(refusal(() => readTextFile(file("b.txt")))).toMatchObject(nothing);
    expect(refusal(() => readTextFileIfThere(file("b.txt")))).toMatchObject(nothing);
    const long = "a".repeat(300);
    const why = "has too long a name: give it a shorter one";
    expect(refusal(() => readTextFile(file(long)))).toMatchObject(sentence(long, why));
  });

  test("it is larger than any such file, or has no end", () => {
    const large = file("large.txt");
    writeFileSync(large.path, "");
    truncateSync(large.path, 600_000_000);
    const why = "is too large: it may have 100 MB";
    expect(refusal(() => readTextFile(large))).toMatchObject(sentence("large.txt", why));
    const endless = { ...file(), path: "/dev/zero" };
    expect(refusal(() => readTextFile(endless))).toMatchObject({
      message: `The file of --tokens, /dev/zero, ${why}.`,
    });
  });

  test("the operating system gives another one", () => {
    // Linux lets nobody read this one from its beginning.
    const path = "/proc/self/mem";
    expect(refusal(() => readTextFile({ ...file(), path }))).toMatchObject({
      message: `The file of --tokens, ${path}, cannot be read (EIO).`,
    });
  });
});
