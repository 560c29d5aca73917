// Reads what a systemd unit says, as far as packages/server/deploy/systemd says it.
import { readFileSync } from "node:fs";
import { run } from "../tarballs.mjs";

/**
 * @param {string} path
 * @returns {{ all: (key: string) => string[]; one: (key: string) => string }} the values of a setting in their order, and the only
 *   one of a setting that stands there once
 */
export function readUnit(path) {
  const settings = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => /^\w+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]);
  const all = (key) => settings.filter(([name]) => name === key).map(([, value]) => value);
  const one = (key) => {
    const values = all(key);
    if (values.length !== 1) throw new Error(`${path} has ${values.length} lines ${key}=`);
    return values[0];
  };
  return { all, one };
}

/**
 * The system calls that the lines `SystemCallFilter=` allow, by systemd's own sets.
 *
 * @param {string[]} lines the first of them allows
 * @returns {Set<string>}
 */
export function allowedSystemCalls(lines) {
  const sets = systemCallSets();
  const expand = (word) => (word.startsWith("@") ? sets.get(word).flatMap(expand) : [word]);
  // Systemd always allows these, so that a process can begin and end.
  const allowed = new Set(expand("@default"));
  for (const line of lines) {
    const isDenied = line.startsWith("~");
    const calls = line.replace("~", "").split(/\s+/).flatMap(expand);
    for (const call of calls) {
      if (isDenied) allowed.delete(call);
      else allowed.add(call);
    }
  }
  return allowed;
}

function systemCallSets() {
  const sets = new Map();
  let members = [];
  for (const line of run("systemd-analyze", ["--no-pager", "syscall-filter"], "/").split("\n")) {
    if (line.startsWith("@")) sets.set(line, (members = []));
    else if (/^ +[@\w]/.test(line)) members.push(line.trim());
  }
  return sets;
}
