import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { SealedSecret } from "./sealed-secret.ts";

/** What a back-up says of itself, in its table `backup`. */
export type Label = {
  /** The version of Sineta that made it. */
  version: string;
  createdAtMs: number;
  /** Of the secret that opens its keys. */
  secretFingerprint: string;
  /** Null: the operator keeps the secret apart. */
  sealedSecret: SealedSecret | null;
};

const table = `
create table backup (
  version text not null,
  created_at_ms integer not null,
  secret_fingerprint text not null,
  -- Null in all of these: the operator keeps the secret apart.
  sealed_secret blob,
  salt blob,
  memory_kib integer,
  passes integer,
  lanes integer
) strict;
`;

export function writeLabel(database: DatabaseSync, label: Label): void {
  const { version, createdAtMs, secretFingerprint, sealedSecret } = label;
  // A database that was a back-up, and was put in place by hand, has the label of then.
  database.exec("pragma secure_delete = on; drop table if exists backup");
  database.exec(table);
  database
    .prepare("insert into backup values (?, ?, ?, ?, ?, ?, ?, ?)")
    .run(
      version,
      createdAtMs,
      secretFingerprint,
      sealedSecret?.sealed ?? null,
      sealedSecret?.salt ?? null,
      sealedSecret?.memory ?? null,
      sealedSecret?.passes ?? null,
      sealedSecret?.parallelism ?? null,
    );
}

export function hasLabel(database: DatabaseSync): boolean {
  const named = "select 1 from sqlite_schema where type = 'table' and name = 'backup'";
  return database.prepare(named).get() !== undefined;
}

/** @returns null if the database has no label, so is no back-up */
export function readLabel(database: DatabaseSync): Label | null {
  if (!hasLabel(database)) return null;
  const rows = database.prepare("select * from backup");
  // Of a damaged file a number may be larger than JavaScript's.
  rows.setReadBigInts(true);
  const row = rows.get();
  return row === undefined ? null : labelOf(row);
}

function labelOf(row: Record<string, SQLOutputValue>): Label {
  const { sealed_secret: sealed, salt } = row;
  return {
    version: String(row["version"]),
    createdAtMs: Number(row["created_at_ms"]),
    secretFingerprint: String(row["secret_fingerprint"]),
    sealedSecret:
      sealed instanceof Uint8Array && salt instanceof Uint8Array
        ? {
            sealed,
            salt,
            memory: Number(row["memory_kib"]),
            passes: Number(row["passes"]),
            parallelism: Number(row["lanes"]),
          }
        : null,
  };
}
