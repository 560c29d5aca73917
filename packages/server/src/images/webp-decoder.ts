import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

// Node has it, and its types do not.
declare const WebAssembly: { compile(code: Uint8Array): Promise<object> };

type Decoder = (bytes: ArrayBuffer) => Promise<unknown>;

let loading: Promise<Decoder> | undefined;

/** Whether libwebp decodes a still picture to its last pixel. It is loaded when the first one comes. */
export async function isDecodable(bytes: Uint8Array): Promise<boolean> {
  const decode = await (loading ??= load());
  return decode(Uint8Array.from(bytes).buffer).then(
    () => true,
    () => false,
  );
}

async function load(): Promise<Decoder> {
  const path = createRequire(import.meta.url).resolve("@jsquash/webp/codec/dec/webp_dec.wasm");
  const [{ default: decode, init }, code] = await Promise.all([
    import("@jsquash/webp/decode.js"),
    readFile(path),
  ]);
  const compiled = await WebAssembly.compile(code);
  return async (bytes) => {
    // A decoder keeps the memory that its largest picture took: each picture gets another one.
    await init(compiled);
    return decode(bytes);
  };
}
