import type { MessagingErrorCode as CataloguedCode } from "@sineta/protocol";
import { expect, expectTypeOf, it } from "vitest";
import { failingAs, type MessagingErrorCode, MessagingError } from "./errors.ts";

it("has the codes of the catalogue, no more and no fewer", () => {
  expectTypeOf<MessagingErrorCode>().toEqualTypeOf<CataloguedCode>();
});

it("keeps what is a MessagingError already, and the browser's refusal", async () => {
  const inner = new MessagingError("storage-failed");
  const refusal = new DOMException("no", "NotAllowedError");
  await expect(failingAs("subscribe-failed", () => Promise.reject(inner))).rejects.toBe(inner);
  await expect(failingAs("subscribe-failed", () => Promise.reject(refusal))).rejects.toBe(refusal);
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
