import { beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../log.ts";
import { createUnknownKeys, type UnknownKeys } from "./unknown-keys.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const shop = { projectId: 1, origin: "https://loja.example" };
const blog = { projectId: 1, origin: "https://blog.example" };
const right = `B${"r".repeat(86)}`;
const wrong = `B${"w".repeat(86)}`;
const other = `B${"o".repeat(86)}`;
const made = (index: number) => `B${String(index).padEnd(86, "x")}`;

let nowMs: number;
let lines: Record<string, unknown>[];
let keys: UnknownKeys;
beforeEach(() => {
  nowMs = 0;
  lines = [];
  const log = createLog("trace", { write: (text) => lines.push(JSON.parse(text)) });
  keys = createUnknownKeys({ log, now: () => nowMs });
});

const origins = () => keys.list(1).map(({ origin }) => origin);

describe("the list", () => {
  test("has the key of an origin that was refused most often, whatever others are sent for it", () => {
    for (let index = 0; index < 5; index += 1) keys.refused(shop, made(index), right);
    nowMs = 3;
    keys.refused(shop, wrong, right);
    nowMs = 9;
    keys.refused(shop, wrong, right);
    for (let index = 5; index < 150; index += 1) keys.refused(shop, made(index), right);
    const item = { origin: shop.origin, keyStart: "Bwwwwwwwwwww", vapidKey: right };
    expect(keys.list(1)).toEqual([{ ...item, refused: 2, firstMs: 3, lastMs: 9 }]);
    // The page that was wrong is right again, and somebody goes on sending keys for it.
    nowMs = 5 * minuteMs;
    keys.refused(shop, other, right);
    nowMs = 11 * minuteMs;
    keys.accepted(shop);
    expect(keys.list(1)).toMatchObject([{ keyStart: "Booooooooooo", refused: 1 }]);
  });

  test("has the origin, both keys, and how often and when the server refused", () => {
    keys.refused(shop, wrong, right);
    nowMs = 5;
    keys.refused(blog, wrong, right);
    nowMs = 7;
    keys.refused(shop, wrong, right);
    nowMs = 8;
    keys.refused(shop, other, right);
    expect(keys.list(1)).toEqual([
      {
        origin: shop.origin,
        keyStart: "Bwwwwwwwwwww",
        vapidKey: right,
        refused: 2,
        firstMs: 0,
        lastMs: 7,
      },
      expect.objectContaining({ origin: blog.origin, refused: 1, firstMs: 5, lastMs: 5 }),
    ]);
    expect(keys.list(2)).toEqual([]);
  });

  test("forgets an origin a day after its last refusal", () => {
    keys.refused(shop, wrong, right);
    nowMs = dayMs - 1;
    expect(origins()).toEqual([shop.origin]);
    keys.refused(shop, wrong, right);
    nowMs = 2 * dayMs - 2;
    expect(origins()).toEqual([shop.origin]);
    nowMs = 2 * dayMs - 1;
    expect(origins()).toEqual([]);
  });

  test("forgets an origin whose page sends the right key after ten quiet minutes", () => {
    keys.refused(shop, wrong, right);
    nowMs = 5 * minuteMs;
    keys.refused(shop, wrong, right);
    keys.refused(blog, wrong, right);
    nowMs = 15 * minuteMs - 1;
    // Another page of the same origin may have the right key.
    keys.accepted(shop);
    expect(origins()).toEqual([shop.origin, blog.origin]);
    nowMs = 15 * minuteMs;
    keys.accepted(shop);
    expect(origins()).toEqual([blog.origin]);
    keys.accepted({ ...blog, projectId: 2 });
    expect(origins()).toEqual([blog.origin]);
  });
});

describe("the log", () => {
  test("tells once of each origin and key, with the key's first characters and the right key", () => {
    for (let index = 0; index < 3; index += 1) keys.refused(shop, wrong, right);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 40,
        origin: shop.origin,
        keyStart: "Bwwwwwwwwwww",
        vapidKey: right,
        msg: expect.stringContaining("`sineta keys` prints"),
      }),
    ]);
    keys.refused(shop, other, right);
    keys.refused(blog, wrong, right);
    expect(lines.map(({ origin, keyStart }) => [origin, keyStart])).toEqual([
      [shop.origin, "Bwwwwwwwwwww"],
      [shop.origin, "Booooooooooo"],
      [blog.origin, "Bwwwwwwwwwww"],
    ]);
  });

  test("has five lines for an origin, whatever keys are sent for it, and goes on with others", () => {
    for (let index = 0; index < 150; index += 1) {
      keys.refused(shop, made(index), right);
    }
    expect(lines).toHaveLength(5);
    keys.refused(blog, wrong, right);
    expect(lines).toHaveLength(6);
    expect(origins()).toEqual([shop.origin, blog.origin]);
  });
});
