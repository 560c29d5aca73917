import { sql } from "kysely";
import type { Connection } from "./connection.ts";

/**
 * Runs a write in a transaction that it may share with others; settles once that is durable. A write may be run a second time after it
 * was undone, so it changes nothing but what it is handed.
 */
export type GroupedWrite = <Result>(
  write: (transaction: Connection) => Promise<Result>,
  /** For how many it counts when its group begins. */
  size?: () => number,
) => Promise<Result>;

type Waiting = {
  size(): number;
  /** Keeps its result until the commit. Rejects with what the write rejects with. */
  run(transaction: Connection): Promise<void>;
  /** The same in a savepoint, and what the write rejects with is its result. Rejects only if the whole transaction is lost. */
  runApart(transaction: Connection): Promise<void>;
  settle(): void;
  fail(error: unknown): void;
};

/** How long the first of a group waits at most for others. */
const gatherMs = 5;

/**
 * A durable commit waits for the disk, however much it holds. So the writes that arrive together share one, and none is answered before
 * the commit. They arrive together as long as each turn of the event loop brings another: a turn takes in one new connection, however
 * many wait, and visitors come with a connection each. If one of them fails, all are undone and done again, each in a
 * savepoint of its own, so that it leaves the others alone: nearly none fails, and savepoints for all would cost 8 % of what it takes to
 * write a registration.
 */
export function groupWrites(
  connection: Connection,
  mostInGroup = 500,
  nowMs: () => number = () => performance.now(),
): GroupedWrite {
  const waiting: Waiting[] = [];

  async function flush(): Promise<void> {
    const group = nextGroup();
    if (waiting.length > 0) setImmediate(() => void flush());
    try {
      if (!(await commitTogether(connection, group))) await commitApart(connection, group);
      for (const write of group) write.settle();
    } catch (error) {
      for (const write of group) write.fail(error);
    }
  }

  function flushWhenAllAreHere(): void {
    const untilMs = nowMs() + gatherMs;
    let before = 0;
    const look = (): void => {
      let size = 0;
      for (const write of waiting) size += write.size();
      if (size === before || size >= mostInGroup || nowMs() >= untilMs) {
        void flush();
        return;
      }
      before = size;
      setImmediate(look);
    };
    setImmediate(look);
  }

  function nextGroup(): Waiting[] {
    let size = 0;
    const end = waiting.findIndex((write, place) => {
      size += write.size();
      return place > 0 && size > mostInGroup;
    });
    return waiting.splice(0, end < 0 ? waiting.length : end);
  }

  return (write, size = () => 1) =>
    new Promise((resolve, reject) => {
      let settle: () => void;
      async function run(transaction: Connection): Promise<void> {
        const result = await write(transaction);
        settle = () => resolve(result);
      }
      waiting.push({
        size,
        run,
        async runApart(transaction) {
          await sql`savepoint one_write`.execute(transaction);
          try {
            await run(transaction);
          } catch (error) {
            await sql`rollback to one_write`.execute(transaction).catch(() => {
              // SQLite has rolled back everything, as it does on a full disk: there is no savepoint any more.
              throw error;
            });
            settle = () => reject(error);
          }
          await sql`release one_write`.execute(transaction);
        },
        settle: () => settle(),
        fail: reject,
      });
      if (waiting.length === 1) flushWhenAllAreHere();
    });
}

/** @returns false if a write failed: then nothing is written. @throws what the commit fails with */
async function commitTogether(connection: Connection, group: readonly Waiting[]): Promise<boolean> {
  let allRun = false;
  try {
    await connection.transaction().execute(async (transaction) => {
      for (const write of group) await write.run(transaction);
      allRun = true;
    });
    return true;
  } catch (error) {
    // One alone needs no second try.
    if (allRun || group.length === 1) throw error;
    return false;
  }
}

async function commitApart(connection: Connection, group: readonly Waiting[]): Promise<void> {
  await connection.transaction().execute(async (transaction) => {
    for (const write of group) await write.runApart(transaction);
  });
}
