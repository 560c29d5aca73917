import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

// Node has it, and its types do not.
declare const WebAssembly: { compile(code: Uint8Array): Promise<object> };

/** Null: it is no picture. */
type Decoder = { decode: (bytes: ArrayBuffer) => object | null };

let loading: Promise<() => Promise<Decoder>> | undefined;

/** Pictures that come together are decoded one after the other, which bounds the memory. */
let before: Promise<unknown> = Promise.resolve();

/**
 * Whether libwebp decodes a still picture to its last pixel. It is loaded when the first one comes.
 * @throws what the operating system says where it has no memory or descriptor for the decoder
 */
export function isDecodable(bytes: Uint8Array): Promise<boolean> {
  const answer = before.then(() => decodes(bytes));
  before = answer.catch(() => undefined);
  return answer;
}

async function decodes(bytes: Uint8Array): Promise<boolean> {
  loading ??= load();
  const makeDecoder = await loading.catch((error: unknown) => {
    // The next picture tries again.
    loading = undefined;
    throw error;
  });
  // A decoder keeps the memory that its largest picture took: each picture gets another one.
  const { decode } = await makeDecoder();
  try {
    return decode(Uint8Array.from(bytes).buffer) !== null;
  } catch {
    return false;
  }
}

async function load(): Promise<() => Promise<Decoder>> {
  const path = createRequire(import.meta.url).resolve("@jsquash/webp/codec/dec/webp_dec.wasm");
  const [{ initEmscriptenModule }, { default: factory }, code] = await Promise.all([
    import("@jsquash/webp/utils.js"),
    import("@jsquash/webp/codec/dec/webp_dec.js"),
    readFile(path),
  ]);
  const compiled = await WebAssembly.compile(code);
  // It would write to stderr, past the log.
  return () => initEmscriptenModule(factory, compiled, { printErr: () => undefined });
}
