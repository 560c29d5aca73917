import { statSync } from "node:fs";
import { sql } from "kysely";
import type { Store } from "../port.ts";
import { apiKeyStore } from "./api-keys.ts";
import { audienceDays, audienceNow } from "./audience-figures.ts";
import { auditStore } from "./audit.ts";
import { breakerStore } from "./breakers.ts";
import { connect, openDatabase } from "./connection.ts";
import { deliveryStore } from "./delivery.ts";
import { draftStore } from "./drafts.ts";
import { imageStore } from "./images.ts";
import { messageStore } from "./messages.ts";
import { groupWrites } from "./grouped-writes.ts";
import { hasPendingMigrations, migrate } from "./migrate.ts";
import { operatorStore } from "./operators.ts";
import { passkeyStore } from "./passkeys.ts";
import { projectStore } from "./projects.ts";
import { receiptStore } from "./receipts.ts";
import { listRegistrations } from "./registration-list.ts";
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
  let closed: Promise<void> | undefined;
  return {
    projects: projectStore(connection),
    registrations: registrationStore(connection, write),
    audience: {
      now: (projectId) => audienceNow(connection, projectId),
      days: (projectId, from, to) => audienceDays(connection, projectId, from, to),
      list: listRegistrations(connection),
      story: registrationStory(connection),
      remove: removeRegistration(write),
    },
    topics: topicStore(connection),
    messages: messageStore(connection, write),
    receipts: receiptStore(connection, write),
    delivery: deliveryStore(connection),
    breakers: breakerStore(connection),
    apiKeys: apiKeyStore(connection),
    audit: auditStore(connection),
    sealed: sealedStore(connection),
    retention: retentionStore(connection),
    operators: operatorStore(connection),
    sessions: sessionStore(connection),
    secondFactors: secondFactorStore(connection),
    passkeys: passkeyStore(connection),
    drafts: draftStore(connection),
    images: imageStore(connection),
    check,
    close: () => (closed ??= connection.destroy()),
  };
}

/** Whether the database at `path` was written by an earlier version, and not brought up to date since. */
export function isOutdated(path: string): boolean {
  const database = openDatabase(path);
  try {
    return hasPendingMigrations(database);
  } finally {
    database.close();
  }
}

/** Tells one file from another at the same path; null if there is none. */
function fileId(path: string): string | null {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  return file === undefined ? null : `${file.dev}:${file.ino}`;
}
