import { sql } from "kysely";
import type { Store } from "../port.ts";
import { connect, openDatabase } from "./connection.ts";
import { deliveryStore } from "./delivery.ts";
import { messageStore } from "./messages.ts";
import { groupWrites } from "./grouped-writes.ts";
import { migrate } from "./migrate.ts";
import { projectStore } from "./projects.ts";
import { registrationStore } from "./registrations.ts";

/**
 * Opens the database at `path` (made if it is not there) and brings its schema up to date. Any number of
 * processes may have it open; their writes wait for each other.
 * @throws CommandError `data-too-new`; the errors of `node:sqlite` if the file cannot be opened
 */
export async function openSqliteStore(path: string, nowMs: number): Promise<Store> {
  const database = openDatabase(path);
  try {
    migrate(database, nowMs);
  } catch (error) {
    database.close();
    throw error;
  }
  const connection = connect(database);
  const check = async () => {
    await sql`select 1 from projects limit 1`.execute(connection);
  };
  // Kysely closes the database only if it has run a query.
  await check();
  let closed: Promise<void> | undefined;
  return {
    projects: projectStore(connection),
    registrations: registrationStore(connection, groupWrites(connection)),
    messages: messageStore(connection),
    delivery: deliveryStore(connection),
    check,
    close: () => (closed ??= connection.destroy()),
  };
}
