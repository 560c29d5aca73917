import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLog } from "../../../log.ts";
import { connect, openDatabase, type Connection } from "../connection.ts";
import { connectReaders } from "./connect-readers.ts";
import { createReaders, type Readers } from "./readers.ts";

let folder: string;
let database: DatabaseSync;
let writing: Connection;
let readers: Readers;
let reading: Connection;
const logged = vi.fn<(line: string) => void>();
const log = createLog("error", { write: logged });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sineta-readers-"));
  database = openDatabase(join(folder, "test.db"));
  database.exec("create table kept (id integer primary key, value)");
  writing = connect(database);
  readers = createReaders(join(folder, "test.db"), { log });
  reading = connectReaders(readers);
});
afterEach(async () => {
  await readers.close();
  database.close();
  rmSync(folder, { recursive: true });
  logged.mockReset();
});

const ask = async (connection: Connection, value: unknown) =>
  (await sql`select ${value} as value, typeof(${value}) as type`.execute(connection)).rows;

/** As its caller gets it, without where in the code it was thrown. */
async function errorOf(asked: Promise<unknown>) {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error("there was no error");
  return Object.assign(Object.fromEntries(Object.entries(error)), {
    name: error.name,
    message: error.message,
  });
}

/**
 * A read of the table takes until the function is called that this gives, however long that is: without a log beside it, a
 * database that is being written has readers wait. Others than of a table wait for nobody.
 */
async function holdUp(): Promise<() => void> {
  database.exec("pragma journal_mode = delete");
  // Each thread knows what tables there are.
  await Promise.all([heldRead(), heldRead()]);
  database.exec("begin exclusive");
  return () => database.exec("commit");
}

const heldRead = () => sql`select count(*) as count from kept`.execute(reading);

describe("what is read is what the connection that writes would read", () => {
  test.for([
    ["nothing", null],
    ["a text", "pão de queijo"],
    ["an empty text", ""],
    ["a whole number", 42],
    ["a fraction", -1.5],
    ["the largest exact number", Number.MAX_SAFE_INTEGER],
    ["a bigint", 7n],
    ["bytes", new Uint8Array([0, 1, 255])],
    ["no bytes", new Uint8Array()],
    ["bytes that are part of more", Buffer.from("a piece of a pool").subarray(2, 7)],
  ] as const)("for %s", async ([, value]) => {
    expect(await ask(reading, value)).toEqual(await ask(writing, value));
  });

  test.for([
    ["an integer beyond 2^53", () => sql`select 9007199254740993 as value`],
    ["a parameter beyond 64 bits", () => sql`select ${2n ** 64n} as value`],
    ["what is no SQL", () => sql`selec`],
    ["what fails while it runs", () => sql`select json_extract('{', '$.a')`],
    ["a table that is not there", () => sql`select * from nothing`],
    ["a parameter that is undefined", () => sql`select ${undefined}`],
    ["a parameter that is no number", () => sql`select ${Number.NaN}`],
    ["a parameter that is a date", () => sql`select ${new Date(0)}`],
  ] as const)("and so is the error, for %s", async ([, query]) => {
    const error = await errorOf(query().execute(reading));
    expect(error).toEqual(await errorOf(query().execute(writing)));
    expect(await ask(reading, 1)).toHaveLength(1);
    expect(logged).not.toHaveBeenCalled();
  });

  test("for tens of thousands of rows", async () => {
    const many = sql`with recursive number (n) as (select 1 union all select n + 1 from number where n < 30000)
      select n, 'text ' || n as text, iif(n % 2, null, n / 4.0) as fraction from number`;
    const { rows } = await many.execute(reading);
    expect(rows).toHaveLength(30_000);
    expect(rows).toEqual((await many.execute(writing)).rows);
  });

  test("after each write, at once", async () => {
    for (let round = 1; round <= 50; round += 1) {
      await sql`insert into kept (value) values (${round})`.execute(writing);
      const seen = await Promise.all([heldRead(), heldRead()]);
      expect(seen.map(({ rows }) => rows)).toEqual([[{ count: round }], [{ count: round }]]);
    }
  });
});

test("nothing is written there, nor read in transactions or row by row", async () => {
  expect(await errorOf(sql`delete from kept`.execute(reading))).toMatchObject({ errcode: 8 });
  await expect(reading.transaction().execute(() => Promise.resolve())).rejects.toThrow(
    "no transactions",
  );
  const rows = reading.selectFrom("projects").selectAll().stream();
  await expect(rows.next()).rejects.toThrow("page by page");
});

test("a read that takes its time keeps neither this thread waiting nor the next read", async () => {
  const goOn = await holdUp();
  let ended = false;
  const held = heldRead().finally(() => (ended = true));
  expect(await ask(reading, "meanwhile")).toMatchObject([{ value: "meanwhile" }]);
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  expect(ended).toBe(false);
  goOn();
  expect((await held).rows).toEqual([{ count: 0 }]);
});

test("what finds every thread busy waits, and has its turn", async () => {
  const goOn = await holdUp();
  const ended: string[] = [];
  const named = (name: string, read: Promise<unknown>) => read.then(() => ended.push(name));
  const held = [named("held", heldRead()), named("held", heldRead())];
  const next = [1, 2, 3].map((value) => named(`next ${value}`, ask(reading, value)));
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  expect(ended).toEqual([]);
  goOn();
  await Promise.all([...held, ...next]);
  expect(ended.filter((name) => name.startsWith("next"))).toHaveLength(3);
});

test("once it has ended, a read holds up no checkpoint", async () => {
  await sql`insert into kept (value) values ('one'), ('two')`.execute(writing);
  expect((await sql`select * from kept limit 1`.execute(reading)).rows).toHaveLength(1);
  await sql`insert into kept (value) values ('three')`.execute(writing);
  expect(database.prepare("pragma wal_checkpoint(truncate)").get()).toMatchObject({ busy: 0 });
});

test("a read that fills the thread's memory fails, which is told; the next one has another thread", async () => {
  const endless = sql`with recursive number (n) as (select 1 union all select n + 1 from number)
    select printf('%.500c', 'x') || n as text from number`;
  const error = await endless.execute(reading).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    message: "the thread that read has ended, so there is no answer",
    cause: { code: "ERR_WORKER_OUT_OF_MEMORY" },
  });
  expect(logged).toHaveBeenCalledOnce();
  expect(logged.mock.lastCall?.[0]).toContain("a thread that reads the database has ended");
  expect(await ask(reading, 1)).toHaveLength(1);
});

test("no thread is there before the first read, and where none can read, that is told", async () => {
  const nowhere = join(folder, "nothing.db");
  await createReaders(nowhere, { log }).close();
  expect(logged).not.toHaveBeenCalled();
  const none = createReaders(nowhere, { log });
  await expect(ask(connectReaders(none), 1)).rejects.toMatchObject({
    cause: { message: "unable to open database file" },
  });
  expect(logged).toHaveBeenCalledOnce();
  await none.close();
});

test("closing lets what is read end, and nothing else", async () => {
  const goOn = await holdUp();
  const held = [heldRead(), heldRead()];
  const late = errorOf(ask(reading, 1));
  await nextTurn();
  const closing = readers.close();
  expect(await late).toMatchObject({ message: "the database is closed" });
  expect(await errorOf(ask(reading, 2))).toMatchObject({ message: "the database is closed" });
  goOn();
  expect((await Promise.all(held)).map(({ rows }) => rows)).toEqual([
    [{ count: 0 }],
    [{ count: 0 }],
  ]);
  await closing;
  await readers.close();
  expect(logged).not.toHaveBeenCalled();
});
