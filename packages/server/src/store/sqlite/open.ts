import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { isBusy } from "../busy.ts";
import type { Store } from "../port.ts";
import { apiKeyStore } from "./api-keys.ts";
import { audienceDays, audienceNow, audienceReturns } from "./audience-figures.ts";
import { assignPushServices } from "./assign-push-services.ts";
import { auditStore } from "./audit.ts";
import { breakerStore } from "./breakers.ts";
import { busyTimeoutMs, connect, openDatabase, type Connection } from "./connection.ts";
import { deliveryStore } from "./delivery.ts";
import { draftStore } from "./drafts.ts";
import { holdStore } from "./hold.ts";
import { imageStore } from "./images.ts";
import { messageStore } from "./messages.ts";
import { groupWrites, type GroupedWrite } from "./grouped-writes.ts";
import { migrate, schemaState, type SchemaState } from "./migrate.ts";

export type { SchemaState };
import { operatorStore } from "./operators.ts";
import { passkeyStore } from "./passkeys.ts";
import { projectStore } from "./projects.ts";
import { connectReaders } from "./reading/connect-readers.ts";
import { createReaders, type ReadersOptions } from "./reading/readers.ts";
import { receiptStore } from "./receipts.ts";
import { listDetailed, listRegistrations } from "./registration-list.ts";
import { registrationStory, removeRegistration } from "./registration-story.ts";
import { registrationStore } from "./registrations.ts";
import { secondFactorStore } from "./second-factors.ts";
import { sessionStore } from "./sessions.ts";
import { retentionStore } from "./retention.ts";
import { sealedStore } from "./sealed.ts";
import { topicStore } from "./topics.ts";

/**
 * Opens the database at `path` (made if it is not there) and brings its schema up to date. Any number of
 * processes may have it open; their writes wait for each other.
 * @param beside for a process that others wait for: long reads run on threads. Without it every read runs where it is asked for
 * @throws CommandError `data-too-new`; the errors of `node:sqlite` if the file cannot be opened
 */
export async function openSqliteStore(
  path: string,
  nowMs: number,
  beside?: ReadersOptions,
): Promise<Store> {
  const database = openDatabase(path);
  try {
    migrate(database, nowMs);
    assignPushServices(database);
  } catch (error) {
    database.close();
    throw error;
  }
  const connection = connect(database);
  const readers = beside === undefined ? null : createReaders(path, beside);
  const reading = readers === null ? connection : connectReaders(readers);
  const write = groupWrites(connection);
  const opened = fileId(path);
  const check = async () => {
    if (fileId(path) !== opened) {
      throw new Error(
        `The database ${path} was deleted or replaced while in use, so what is stored now is lost: ` +
          "put it back and start the server again.",
      );
    }
    // Reading works on a full disk too. This writes a page, whatever the value was.
    await write((transaction) => sql`pragma user_version = 0`.execute(transaction));
  };
  // Kysely closes the database only if it has run a query.
  await sql`select 1 from projects limit 1`.execute(connection);
  // In this order: whoever closes a database last writes the log back, which readers may not.
  const close = async () => {
    await readers?.close();
    await connection.destroy();
  };
  let closed: Promise<void> | undefined;
  return {
    ...storesOn({ connection, reading, write }),
    check,
    close: () => (closed ??= close()),
  };
}

/** What all stores stand on. */
type Connections = {
  connection: Connection;
  /**
   * For what an operator waits for and what may be long: nobody else waits for it. What visitors, senders, log-ins and the delivery need does not go
   * there, since it is over before a thread has heard of it; nor what a decision to write is taken by.
   */
  reading: Connection;
  write: GroupedWrite;
};

export function storesOn({
  connection,
  reading,
  write,
}: Connections): Omit<Store, "check" | "close"> {
  return {
    projects: projectStore(connection),
    registrations: registrationStore(connection, write, reading),
    audience: {
      now: (projectId) => audienceNow(reading, projectId),
      days: (projectId, from, to) => audienceDays(reading, projectId, from, to),
      returns: (projectId, from, to) => audienceReturns(reading, projectId, from, to),
      list: listRegistrations(reading),
      listDetailed: listDetailed(reading),
      story: registrationStory(reading),
      remove: removeRegistration(write),
    },
    topics: topicStore(connection),
    messages: messageStore(connection, write, reading),
    receipts: receiptStore(write, reading),
    delivery: deliveryStore(connection, reading),
    breakers: breakerStore(connection),
    hold: holdStore(connection, write, reading),
    apiKeys: apiKeyStore(connection),
    audit: auditStore(connection, reading),
    sealed: sealedStore(connection),
    retention: retentionStore(connection, reading),
    operators: operatorStore(connection),
    sessions: sessionStore(connection),
    secondFactors: secondFactorStore(connection),
    passkeys: passkeyStore(connection),
    drafts: draftStore(connection),
    images: imageStore(connection),
  };
}

/** How far the schema of the database at `path` is. Changes nothing, also where it is damaged. */
export function schemaStateAt(path: string): SchemaState {
  // The last to close a database removes its log, and one that is damaged may need it. A reader would leave one that was not there.
  const readOnly = existsSync(`${path}-wal`);
  const database = new DatabaseSync(path, { readOnly, timeout: busyTimeoutMs });
  try {
    return schemaState(database);
  } finally {
    database.close();
  }
}

/**
 * How far the schema of the database at `path` is once no other process writes to it; `writing` if one goes on for so long.
 * Changes nothing.
 */
export function schemaStateAfterWriter(path: string, patienceMs: number): SchemaState | "writing" {
  const database = new DatabaseSync(path, { timeout: patienceMs });
  try {
    database.exec("begin immediate");
    return schemaState(database);
  } catch (error) {
    if (isBusy(error)) return "writing";
    throw error;
  } finally {
    database.close();
  }
}

/** Tells one file from another at the same path; null if there is none. */
function fileId(path: string): string | null {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  return file === undefined ? null : `${file.dev}:${file.ino}`;
}
