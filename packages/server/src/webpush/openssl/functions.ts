/**
 * Functions of the OpenSSL that Node carries and shows to addons, called by node:ffi: where node:crypto makes objects
 * for each message, these use a few structs again and again (docs/decisions/0017).
 */
import { getFips } from "node:crypto";
import type { FunctionDefinitions, WrappedFunctionsFromDefinitions } from "node:ffi";

/** Where `size_t` has 64 bits, and this has been thought of. */
const architectures: ReadonlySet<string> = new Set(["x64", "arm64"]);

/** A null pointer: nothing there, or nothing given. */
export const none = 0n;

/** What OpenSSL reads or writes: memory of its own, so that nothing else lies beside it, which is never moved. */
export type Memory = { readonly bytes: Buffer; readonly at: bigint };

export type OpenSsl<Definitions extends FunctionDefinitions> = {
  readonly functions: WrappedFunctionsFromDefinitions<Definitions>;
  readonly memory: (byteCount: number) => Memory;
};

/**
 * Null where they cannot be had: without node:ffi, which is experimental and can be turned off
 * (`--no-experimental-ffi`), and in FIPS mode, which they would pass by.
 * @throws if OpenSSL does not have one of them
 */
export function openOpenSsl<const Definitions extends FunctionDefinitions>(
  definitions: Definitions,
): OpenSsl<Definitions> | null {
  if (!architectures.has(process.arch) || getFips() !== 0) return null;
  const ffi = process.getBuiltinModule("node:ffi");
  if (ffi === undefined) return null;
  const { functions } = ffi.dlopen(null, definitions);
  return {
    functions,
    memory(byteCount) {
      const bytes = Buffer.allocUnsafeSlow(byteCount);
      return { bytes, at: ffi.getRawPointer(bytes) };
    },
  };
}
