import { afterEach, expect, it, vi } from "vitest";
import { oneAfterTheOther } from "./lock.ts";
import { fakeBrowser } from "./test/browser.ts";

afterEach(() => void vi.unstubAllGlobals());

it("says storage-failed if the lock itself fails", async () => {
  fakeBrowser();
  const cause = new DOMException("The request was denied.", "SecurityError");
  vi.spyOn(navigator.locks, "request").mockRejectedValue(cause);
  await expect(oneAfterTheOther("look", async () => "done")).rejects.toMatchObject({
    code: "storage-failed",
    cause,
  });
});

it("hands on what the work throws", async () => {
  fakeBrowser();
  const error = new URIError("URI malformed");
  await expect(oneAfterTheOther("look", () => Promise.reject(error))).rejects.toBe(error);
});
