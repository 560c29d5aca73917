import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { isDecodable } from "./webp-decoder.ts";

// Node has it, and its types do not.
declare const WebAssembly: { Instance: () => object };

vi.mock("node:fs/promises", { spy: true });
beforeEach(() => vi.restoreAllMocks());

const whole = readFileSync(new URL("testing/lossy.webp", import.meta.url));
const cut = whole.subarray(0, whole.length / 2);

test("a decoder that could not be loaded is loaded for the next picture", async () => {
  vi.mocked(readFile).mockRejectedValueOnce(new Error("EMFILE: too many open files"));
  await expect(isDecodable(whole)).rejects.toThrow("EMFILE");
  expect(await isDecodable(whole)).toBe(true);
});

test("a decoder that gets no memory is a failure of the server and not of the picture", async () => {
  expect(await isDecodable(whole)).toBe(true);
  const written = vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(WebAssembly, "Instance").mockImplementation(() => {
    throw new RangeError("Out of memory: Cannot allocate Wasm memory for new instance");
  });
  await expect(isDecodable(whole)).rejects.toThrow("Out of memory");
  expect(written).not.toHaveBeenCalled();
  vi.restoreAllMocks();
  expect(await isDecodable(whole)).toBe(true);
});

test("pictures that come together are judged each by itself", async () => {
  const pictures = [whole, cut, whole, cut];
  expect(await Promise.all(pictures.map(isDecodable))).toEqual([true, false, true, false]);
});
