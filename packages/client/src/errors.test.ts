import type { MessagingErrorCode as CataloguedCode } from "@sineta/protocol";
import { expect, expectTypeOf, it } from "vitest";
import { failingAs, isNotAllowed, type MessagingErrorCode, MessagingError } from "./errors.ts";

it("has the codes of the catalogue, no more and no fewer", () => {
  expectTypeOf<MessagingErrorCode>().toEqualTypeOf<CataloguedCode>();
});

it("keeps what is a MessagingError already", async () => {
  const inner = new MessagingError("storage-failed");
  await expect(failingAs("subscribe-failed", () => Promise.reject(inner))).rejects.toBe(inner);
});

it("knows a browser's refusal, by itself or as the cause of subscribe-failed alone", () => {
  const cause = new DOMException("no", "NotAllowedError");
  expect(isNotAllowed(cause)).toBe(true);
  expect(isNotAllowed(new MessagingError("subscribe-failed", { cause }))).toBe(true);
  expect(isNotAllowed(new MessagingError("storage-failed", { cause }))).toBe(false);
  expect(isNotAllowed(new MessagingError("subscribe-failed"))).toBe(false);
  expect(isNotAllowed(undefined)).toBe(false);
});

it("names what happened, with the cause", async () => {
  const cause = new DOMException("failed", "AbortError");
  await expect(failingAs("subscribe-failed", () => Promise.reject(cause))).rejects.toMatchObject({
    name: "MessagingError",
    code: "subscribe-failed",
    message: "subscribe-failed",
    cause,
  });
});
