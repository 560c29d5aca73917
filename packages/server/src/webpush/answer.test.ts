import { expect, test, vi } from "vitest";
import { readAnswer } from "./answer.ts";

test("a body in pieces of a byte each is heard to 4 kB, and copied no more often than one in large pieces", async () => {
  const copies = [vi.spyOn(Buffer, "concat"), vi.spyOn(Buffer, "allocUnsafe")];
  const onEnough = vi.fn<() => void>();
  const answer = readAnswer({
    whyBroken: () => {
      throw new Error("it is whole");
    },
    onEnough,
  });
  answer.begin(400, {});
  const text = "0123456789abcdef".repeat(1000);
  for (let at = 0; at < text.length; at += 1) answer.data(Buffer.from(text[at] ?? "", "latin1"));
  const exchange = await answer.done;
  expect(exchange).toMatchObject({ kind: "answered", status: 400 });
  expect("body" in exchange && Buffer.from(exchange.body).toString()).toBe(text.slice(0, 4096));
  expect(onEnough).toHaveBeenCalledTimes(1);
  const copied = copies
    .flatMap(({ mock }) => mock.results)
    .reduce((bytes, { value }) => bytes + value.length, 0);
  expect(copied).toBeLessThan(16_384);
});

test("what has come of a body counts when no more of it is waited for", async () => {
  const answer = readAnswer({
    whyBroken: () => {
      throw new Error("it has begun");
    },
    onEnough: () => undefined,
  });
  answer.begin(503, { "retry-after": "5" });
  const piece = Buffer.from("later");
  answer.data(piece);
  // It is a copy.
  piece.fill(0);
  answer.data(Buffer.from(", please"));
  answer.finish();
  const exchange = await answer.done;
  expect("body" in exchange && Buffer.from(exchange.body).toString()).toBe("later, please");
});
