// Applies a unit's system-call filter to this process, and becomes the command: confine.mjs FILTER COMMAND WORDS...
// FILTER is JSON: the names of allowed system calls, the numbers of allowed address families, and the error of all others.
import { dlopen, getRawPointer } from "node:ffi";

const [filter, command, ...words] = process.argv.slice(2);
const { systemCalls, families, errorNumber } = JSON.parse(filter);

// systemd filters system calls by libseccomp, too: see seccomp.h of its version 2.
const allow = 0x7fff0000;
const refuse = 0x00050000 | errorNumber;
const equal = 4;
const { functions: seccomp } = dlopen("libseccomp.so.2", {
  seccomp_init: { arguments: ["uint32"], return: "pointer" },
  seccomp_syscall_resolve_name: { arguments: ["pointer"], return: "int32" },
  seccomp_rule_add_array: {
    arguments: ["pointer", "uint32", "int32", "uint32", "pointer"],
    return: "int32",
  },
  seccomp_load: { arguments: ["pointer"], return: "int32" },
});

const context = seccomp.seccomp_init(refuse);

/** @param conditions of `struct scmp_arg_cmp` */
function allowCall(name, conditions = Buffer.alloc(0)) {
  const text = Buffer.from(`${name}\0`);
  const number = seccomp.seccomp_syscall_resolve_name(getRawPointer(text));
  // Negative: this processor does not have it.
  if (number < 0) return;
  const count = conditions.length / 24;
  const at = count === 0 ? 0n : getRawPointer(conditions);
  check(seccomp.seccomp_rule_add_array(context, allow, number, count, at), name);
}

function check(status, what) {
  if (status !== 0) throw new Error(`libseccomp: ${what}: ${status}`);
}

for (const name of systemCalls) if (name !== "socket") allowCall(name);
for (const family of families) {
  const condition = Buffer.alloc(24);
  condition.writeUInt32LE(0, 0);
  condition.writeUInt32LE(equal, 4);
  condition.writeBigUInt64LE(BigInt(family), 8);
  allowCall("socket", condition);
}
check(seccomp.seccomp_load(context), "load");
process.execve(command, [command, ...words], process.env);
