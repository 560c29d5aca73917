import type { MessageRequest, Published } from "@sineta/protocol";
import { expect, test } from "vitest";
import type { Answer } from "../../../api/ask.ts";
import { createPublication, type Attempt } from "./publication.ts";

const request = (title: string): MessageRequest => ({
  target: { kind: "all" },
  notification: { title },
});

function bench() {
  const sent: string[] = [];
  const settle: ((answer: Answer<Published>) => void)[] = [];
  let keys = 0;
  let kept: Attempt | null = null;
  const open = () =>
    createPublication({
      publish: (_request, key) => {
        sent.push(key);
        return new Promise((resolve) => settle.push(resolve));
      },
      newKey: () => `key ${(keys += 1)}`,
      last: () => kept,
      keep: (attempt) => (kept = attempt),
    });
  return { open, sent, settle };
}

test("a double click asks once", async () => {
  const { open, sent, settle } = bench();
  const publish = open();
  const [first, second] = [publish(request("a")), publish(request("a"))];
  settle[0]?.({ ok: false, code: "server-unreachable" });
  expect(await second).toEqual(await first);
  expect(sent).toEqual(["key 1"]);
});

test("after a lost answer the same request has the same key, also on a page that was loaded anew", async () => {
  const { open, sent, settle } = bench();
  const lost = open()(request("a"));
  settle[0]?.({ ok: false, code: "server-unreachable" });
  await lost;
  void open()(request("a"));
  void open()(request("b"));
  expect(sent).toEqual(["key 1", "key 1", "key 2"]);
});
