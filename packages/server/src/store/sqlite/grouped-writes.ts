import { sql } from "kysely";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";

/** Runs a write in a transaction that it may share with others; settles once that is durable. */
export type GroupedWrite = <Result>(
  write: (transaction: Connection) => Promise<Result>,
) => Promise<Result>;

type Waiting = {
  /** Keeps its result until the commit. Rejects only if the whole transaction is lost. */
  run(transaction: Connection): Promise<void>;
  settle(): void;
  fail(error: unknown): void;
};

/**
 * A durable commit waits for the disk, however much it holds. So the writes that arrive while the event loop goes
 * round once share one: each in a savepoint of its own, so that one that fails leaves the others alone, and none is
 * answered before the commit.
 */
export function groupWrites(connection: Connection, mostInGroup = 500): GroupedWrite {
  const waiting: Waiting[] = [];

  async function flush(): Promise<void> {
    const group = waiting.splice(0, mostInGroup);
    if (waiting.length > 0) setImmediate(() => void flush());
    try {
      await connection.transaction().execute(async (transaction) => {
        for (const write of group) await write.run(transaction);
      });
      for (const write of group) write.settle();
    } catch (error) {
      for (const write of group) write.fail(error);
    }
  }

  return (write) =>
    new Promise((resolve, reject) => {
      let settle: () => void;
      waiting.push({
        async run(transaction) {
          await savepoint(transaction, {});
          try {
            const result = await write(transaction);
            settle = () => resolve(result);
          } catch (error) {
            await sql`rollback to one_write`.execute(transaction).catch(() => {
              // SQLite has rolled back everything, as it does on a full disk: there is no savepoint any more.
              throw error;
            });
            settle = () => reject(error);
          }
          await release(transaction, {});
        },
        settle: () => settle(),
        fail: reject,
      });
      if (waiting.length === 1) setImmediate(() => void flush());
    });
}

const savepoint = compileOnce(() => sql`savepoint one_write`);
const release = compileOnce(() => sql`release one_write`);
