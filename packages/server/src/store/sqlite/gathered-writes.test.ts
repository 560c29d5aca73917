import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connect, type Connection } from "./connection.ts";
import { gatherWrites } from "./gathered-writes.ts";
import { groupWrites, type GroupedWrite } from "./grouped-writes.ts";

let database: DatabaseSync;
let connection: Connection;
let grouped: GroupedWrite;
beforeEach(() => {
  database = new DatabaseSync(":memory:");
  connection = connect(database);
  grouped = groupWrites(connection);
});
afterEach(() => database.close());

const keep = vi.fn(async (_: Connection, items: readonly number[]) => {
  if (items.includes(13)) throw new Error("not this one");
  return items.map((item) => item * 2);
});
beforeEach(() => {
  keep.mockClear();
});

const keptTogether = () => keep.mock.calls.map(([, items]) => [...items]);

test("those that come within one turn are kept together, and each gets its own result", async () => {
  const { write } = gatherWrites(grouped, keep);
  expect(await Promise.all([1, 2, 3].map(write))).toEqual([2, 4, 6]);
  expect(await write(4)).toBe(8);
  expect(keptTogether()).toEqual([[1, 2, 3], [4]]);
});

test("not more of them than are bearable, also in one transaction", async () => {
  grouped = groupWrites(connection, 5);
  const began = vi.spyOn(connection, "transaction");
  const { write } = gatherWrites(grouped, keep, 2);
  expect(await Promise.all([1, 2, 3, 4, 5].map(write))).toEqual([2, 4, 6, 8, 10]);
  expect(keptTogether()).toEqual([[1, 2], [3, 4], [5]]);
  expect(began).toHaveBeenCalledTimes(1);
  await Promise.all([1, 2, 3, 4, 5, 6, 7].map(write));
  expect(began).toHaveBeenCalledTimes(3);
});

test("those that come after something else are written after it, if it is told of", async () => {
  const order: string[] = [];
  const { write, closeList } = gatherWrites(grouped, async (_, items: readonly string[]) => {
    order.push(...items);
    return items;
  });
  const all = [write("first")];
  closeList();
  all.push(
    grouped(async () => order.push("something else").toString()),
    write("last"),
  );
  await Promise.all(all);
  expect(order).toEqual(["first", "something else", "last"]);
});

test("one that cannot be kept fails alone", async () => {
  const { write } = gatherWrites(grouped, keep);
  const results = await Promise.allSettled([12, 13, 14].map(write));
  expect(results).toMatchObject([
    { value: 24 },
    { status: "rejected", reason: { message: "not this one" } },
    { value: 28 },
  ]);
});

test("one that came alone is not tried again", async () => {
  const { write } = gatherWrites(grouped, keep);
  await expect(write(13)).rejects.toThrow("not this one");
  expect(keep).toHaveBeenCalledTimes(1);
});

test("where the disk is full, none is tried again by itself", async () => {
  const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
  keep.mockRejectedValueOnce(full);
  // As often as its group is.
  keep.mockRejectedValueOnce(full);
  const { write } = gatherWrites(grouped, keep);
  const results = await Promise.allSettled([1, 2, 3].map(write));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(keptTogether().every((items) => items.length === 3)).toBe(true);
});
