import { sql } from "kysely";
import type { ImageStore } from "../port.ts";
import { writeAudit } from "./audit.ts";
import type { Connection } from "./connection.ts";

export function imageStore(connection: Connection): ImageStore {
  return {
    add: (projectId, image, atMost, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const known = await heads(transaction, projectId)
          .where("hash", "=", image.hash)
          .executeTakeFirst();
        if (known !== undefined) return { kind: "known", image: known };
        const { count } = await transaction
          .selectFrom("images")
          .select((of) => of.fn.countAll<number>().as("count"))
          .where("project_id", "=", projectId)
          .executeTakeFirstOrThrow();
        if (count >= atMost) return { kind: "exhausted" };
        const { hash, type, widthPixels, heightPixels, bytes } = image;
        await transaction
          .insertInto("images")
          .values({
            project_id: projectId,
            hash,
            type,
            width_pixels: widthPixels,
            height_pixels: heightPixels,
            byte_count: bytes.length,
            created_at_ms: nowMs,
            bytes,
          })
          .execute();
        await writeAudit(transaction, audit, nowMs);
        const head = { hash, type, widthPixels, heightPixels };
        return {
          kind: "added",
          image: { ...head, byteCount: bytes.length, createdAtMs: nowMs },
        };
      }),

    list: (projectId) => heads(connection, projectId).orderBy("id", "desc").execute(),

    async read(hash) {
      const row = await connection
        .selectFrom("images")
        .select(["type", "bytes"])
        .where("hash", "=", hash)
        .limit(1)
        .executeTakeFirst();
      return row ?? null;
    },

    async uses(projectId, hash) {
      if (!(await has(connection, projectId, hash))) return null;
      const drafts = await draftsWith(projectId, hash).execute(connection);
      const messages = await messagesWith(projectId, hash).execute(connection);
      return { drafts: countIn(drafts), messages: countIn(messages) };
    },

    remove: (projectId, hash, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        if (!(await has(transaction, projectId, hash))) return "unknown";
        const messages = await messagesWith(projectId, hash).execute(transaction);
        if (countIn(messages) > 0) return "in-use";
        await transaction
          .deleteFrom("images")
          .where("hash", "=", hash)
          .where("project_id", "=", projectId)
          .execute();
        await writeAudit(transaction, audit, nowMs);
        return "removed";
      }),
  };
}

async function has(connection: Connection, projectId: number, hash: Uint8Array): Promise<boolean> {
  const known = await heads(connection, projectId).where("hash", "=", hash).executeTakeFirst();
  return known !== undefined;
}

export function draftsWith(projectId: number, hash: Uint8Array) {
  return sql<{ count: number }>`select count(*) as count from drafts
    where project_id = ${projectId} and instr(content, ${nameOf(hash)})`;
}

/** Only of those that have not ended the notification is read. */
export function messagesWith(projectId: number, hash: Uint8Array) {
  return sql<{ count: number }>`select count(*) as count from messages indexed by messages_by_state
    where state in ('scheduled', 'sending', 'paused') and project_id = ${projectId}
      and instr(notification, ${nameOf(hash)})`;
}

/** As it stands in the picture's address: of 256 bits, so nothing else reads like it. */
function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString("base64url");
}

function countIn({ rows }: { rows: { count: number }[] }): number {
  return rows[0]?.count ?? 0;
}

function heads(connection: Connection, projectId: number) {
  return connection
    .selectFrom("images")
    .select([
      "hash",
      "type",
      "width_pixels as widthPixels",
      "height_pixels as heightPixels",
      "byte_count as byteCount",
      "created_at_ms as createdAtMs",
    ])
    .where("project_id", "=", projectId);
}
