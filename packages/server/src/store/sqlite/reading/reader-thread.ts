/** Runs in a thread of its own: reads the database over a connection of its own, one query after the other. */
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { statementsOf } from "../statements.ts";
import type { Answer, Query, ReaderData, ToReader } from "./between.ts";

/** SQLite makes a reader wait only while somebody recovers or closes the database. */
const busyTimeoutMs = 5_000;

const port = parentPort;
if (port === null) throw new Error("this runs in a thread that start-reader.ts starts");
const { path }: ReaderData = workerData;
const database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
const prepare = statementsOf(database);

/** A query is a transaction of its own: it sees all that was committed before, and once it has ended it holds up no checkpoint. */
function answerTo({ sql, parameters }: Query): Answer {
  try {
    const rows: unknown[] = [];
    // Within a call of `all` no bound of the heap would end the thread, whatever it took.
    for (const row of prepare(sql).iterate(parameters)) rows.push(row);
    return { rows };
  } catch (error) {
    return { error, fields: fieldsOf(error) };
  }
}

function fieldsOf(error: unknown): object {
  return error instanceof Error ? Object.fromEntries(Object.entries(error)) : {};
}

port.on("message", (message: ToReader) => {
  if (message.kind === "read") {
    port.postMessage(answerTo(message.query));
    return;
  }
  database.close();
  port.close();
});
