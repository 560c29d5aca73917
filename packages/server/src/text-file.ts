import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import type { CommandErrorCode } from "@sineta/protocol";
import { CommandError } from "./command-error.ts";
import { isOwn, permissionDenied } from "./permission-denied.ts";

export type TextFile = {
  path: string;
  /** What its sentence begins with, such as `The file of --tokens`. */
  name: string;
  /** That of its error. */
  code: CommandErrorCode;
  /** Whether it may hold bytes that are not UTF-8: each becomes U+FFFD. */
  anyBytes?: boolean;
  /** Whether a pipe is refused: its writer may never come. */
  refusesPipe?: boolean;
};

/** Some four million tokens. */
const mostMegabytes = 100;
const partBytes = 1_000_000;

/**
 * What stands in a text file that an operator names or has written, without a byte order mark.
 * @throws CommandError with the file's code, if it is not there, cannot be read or is not in UTF-8
 */
export function readTextFile(file: TextFile): string {
  const text = readTextFileIfThere(file);
  if (text === null) throw refused(file, "is not there");
  return text;
}

/**
 * The same; null if there is no such file.
 * @throws CommandError with the file's code, if it cannot be read or is not in UTF-8
 */
export function readTextFileIfThere(file: TextFile): string | null {
  const bytes = readBytes(file);
  if (bytes === null) return null;
  if (isUtf16(bytes)) throw refused(file, "is not in UTF-8 but in UTF-16: save it as UTF-8");
  if (file.anyBytes !== true) {
    if (bytes.includes(0)) throw refused(file, "is no text");
    if (!isUtf8(bytes)) throw refused(file, "is not in UTF-8: save it as UTF-8");
  }
  // Unlike toString(), leaves out the byte order mark that some editors put in front.
  return new TextDecoder().decode(bytes);
}

function readBytes(file: TextFile): Buffer | null {
  try {
    return readAtMost(file);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code !== "ENOENT" && code !== "ENOTDIR") {
      if (code === "EACCES") throw refused(file, whyDenied(file.path), error);
      throw refused(file, whyUnreadable[code] ?? `cannot be read (${code})`, error);
    }
    const isLink = code === "ENOENT" && lstatSync(file.path, { throwIfNoEntry: false });
    if (isLink)
      throw refused(file, "is a link to nothing: make what it leads to, or remove the link", error);
    return null;
  }
}

/** From whatever it is: a pipe says no size. */
function readAtMost(file: TextFile): Buffer {
  const parts: Buffer[] = [];
  const { O_RDONLY, O_NONBLOCK } = constants;
  const opened = openSync(file.path, file.refusesPipe === true ? O_RDONLY | O_NONBLOCK : O_RDONLY);
  try {
    if (file.refusesPipe === true && fstatSync(opened).isFIFO()) {
      throw refused(file, "is a pipe, not a file: put the file in its place");
    }
    for (;;) {
      const part = Buffer.alloc(partBytes);
      const length = readSync(opened, part);
      if (length === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, length));
      if (parts.length > mostMegabytes) {
        throw refused(file, `is too large: it may have ${mostMegabytes} MB`);
      }
    }
  } finally {
    closeSync(opened);
  }
}

/** By the codes of open(2) and read(2). */
const whyUnreadable: Readonly<Record<string, string>> = {
  EPERM: "may not be read by this user: give this user the right to",
  EISDIR: "is a folder, not a file: put the file in its place",
  ENXIO: "is a socket, not a file: put the file in its place",
  ELOOP: "is a link that leads to itself: put the file in its place",
  ENAMETOOLONG: "has too long a name: give it a shorter one",
  EMFILE: "cannot be opened because too many files are open: raise the limit (ulimit -n)",
  ENFILE:
    "cannot be opened because too many files are open on this machine: raise the limit (sysctl fs.file-max)",
};

function whyDenied(path: string): string {
  const denied = permissionDenied(path, (found) =>
    isOwn(dirname(found))
      ? "give it to the owner of its folder"
      : "let this user read it, or run Sineta as that user",
  );
  return denied.path === path ? denied.why : `cannot be reached: ${denied.path} ${denied.why}`;
}

/** With its mark; or without, where most characters are ASCII, with a NUL before or behind each, but not both. */
function isUtf16(bytes: Uint8Array): boolean {
  const beginning = bytes.subarray(0, 1_000);
  const nulsAt = (odd: number) =>
    beginning.filter((byte, index) => byte === 0 && index % 2 === odd).length;
  const [fewer = 0, more = 0] = [nulsAt(0), nulsAt(1)].toSorted((one, other) => one - other);
  // As in UTF-32, and in what is no text.
  if (fewer > beginning.length / 8) return false;
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  return more > beginning.length / 4;
}

function refused({ path, name, code }: TextFile, why: string, cause?: unknown): CommandError {
  return new CommandError(code, `${name}, ${path}, ${why}.`, { cause });
}
