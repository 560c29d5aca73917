import { expect, test, vi } from "vitest";
import { createRecentImages, type ImageBytes } from "./recent-images.ts";

const picture = (byte: number): ImageBytes => ({ type: "png", bytes: Uint8Array.of(byte, byte) });

/** Reads so many others, more than are kept. */
async function readOthers(recent: ReturnType<typeof createRecentImages>) {
  for (let other = 0; other < 100; other += 1) {
    await recent.find(`other ${other}`, async () => picture(other));
  }
}

test("a picture that a pending answer holds is not read again, however many were asked for since", async () => {
  const recent = createRecentImages();
  const pending = (await recent.find("one", async () => picture(1)))?.bytes.buffer;
  await readOthers(recent);
  const load = vi.fn(async () => picture(1));
  const again = await recent.find("one", load);
  expect(load).not.toHaveBeenCalled();
  expect(again?.type).toBe("png");
  expect(again?.bytes).toEqual(Uint8Array.of(1, 1));
  expect(again?.bytes.buffer).toBe(pending);
});

test("requests that read a picture at the same time answer with one buffer", async () => {
  const recent = createRecentImages();
  const both = await Promise.all([
    recent.find("one", async () => picture(1)),
    recent.find("one", async () => picture(1)),
  ]);
  expect(both[0]?.bytes.buffer).toBe(both[1]?.bytes.buffer);
});

test("a picture that was forgotten is read again, although an answer holds it", async () => {
  const recent = createRecentImages();
  const pending = await recent.find("one", async () => picture(1));
  recent.forget("one");
  expect(await recent.find("one", async () => null)).toBeNull();
  expect(pending?.bytes).toEqual(Uint8Array.of(1, 1));
});
