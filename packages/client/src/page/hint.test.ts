import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { hint } from "./hint.ts";

const load = vi.hoisted(() => vi.fn<() => never>());
vi.mock("./hints.ts", load);

beforeEach(() => {
  load.mockImplementation(() => {
    throw new TypeError("no hints.js");
  });
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const asked = () => load.mock.calls.length;

it("throws nothing and says nothing if the file with the sentences cannot be loaded", async () => {
  vi.stubGlobal("location", new URL("http://localhost:5173/"));
  const tell = vi.fn<() => void>();
  expect(hint(tell)).toBeUndefined();
  // Until then the failure of the file would count as a failure of this test.
  await vi.dynamicImportSettled();
  expect(asked()).toBe(1);
  expect(tell).not.toHaveBeenCalled();
  expect(console.warn).not.toHaveBeenCalled();
});

it("loads nothing and says nothing on a page that is not on loopback, and on a server", async () => {
  for (const location of [new URL("https://loja.example/"), undefined]) {
    vi.stubGlobal("location", location);
    hint(() => undefined);
  }
  await vi.dynamicImportSettled();
  expect(asked()).toBe(0);
  expect(console.warn).not.toHaveBeenCalled();
});
