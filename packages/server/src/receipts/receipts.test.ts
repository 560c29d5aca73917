import { expect, test } from "vitest";
import type { Receipt } from "@sineta/protocol";
import type { NewReceipt } from "../store/port.ts";
import { receiptKey } from "./receipt-key.ts";
import { createReceipts } from "./receipts.ts";

const receiptSecret = Buffer.alloc(32, 5);
const messageId = "0199c0de-0000-7000-8000-000000000001";
const token = "A".repeat(43);
// Made with openssl dgst -sha256 -mac HMAC -macopt hexkey:0505... over the two, a line feed between.
const key = "_MMRuLYBCt2YiKMXMPGbAQ";

const project = { id: 7, receiptSecret };

/** Takes a receipt, and says what was asked of the store, which knows everything. */
async function take(over: Partial<Receipt> = {}) {
  const asked: { receipt: NewReceipt; nowMs: number }[] = [];
  const store = {
    add: async (receipt: NewReceipt, nowMs: number) => {
      asked.push({ receipt, nowMs });
      return true;
    },
    clicksByAction: async () => new Map<string, number>(),
  };
  const receipts = createReceipts({ store, now: () => 42 });
  const receipt: Receipt = { messageId, token, key, event: "displayed", ...over };
  return { taken: await receipts.take({ project, receipt }), asked };
}

test("the key is HMAC-SHA256 over message id and token, cut to 16 bytes", () => {
  expect(receiptKey(receiptSecret, messageId, token)).toBe(key);
});

test("a receipt with the right key is kept, with the time of its arrival", async () => {
  const { taken, asked } = await take();
  expect(taken).toBe(true);
  expect(asked).toEqual([
    { receipt: { projectId: 7, messageId, token, event: "displayed", action: null }, nowMs: 42 },
  ]);
});

test("only a click has an action", async () => {
  const actionOf = async (event: Receipt["event"]) =>
    (await take({ event, action: "2" })).asked[0]?.receipt.action;
  expect(await actionOf("clicked")).toBe("2");
  expect(await actionOf("displayed")).toBeNull();
  expect(await actionOf("closed")).toBeNull();
});

const flipped = Array.from({ length: 16 }, (_, index): [string, Partial<Receipt>] => {
  const bytes = Buffer.from(key, "base64url");
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  return [`a key with byte ${index} changed`, { key: bytes.toString("base64url") }];
});
const wrong: [string, Partial<Receipt>][] = [
  ...flipped,
  // Its last character holds four bits that belong to no byte.
  ["another spelling of the key's bytes", { key: key.replace(/.$/, "R") }],
  ["a key that is too short", { key: key.slice(0, 8) }],
  ["no key", { key: "" }],
  ["the key of another message", { messageId: "0199c0de-0000-7000-8000-000000000002" }],
  ["the key of another token", { token: `B${token.slice(1)}` }],
  ["the message id in other letters", { messageId: messageId.toUpperCase() }],
];

test.for(wrong)("%s: refused before the store is asked", async ([, over]) => {
  expect(await take(over)).toEqual({ taken: false, asked: [] });
});
