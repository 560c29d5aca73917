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

    remove: (projectId, hash, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom("images")
          .where("hash", "=", hash)
          .where("project_id", "=", projectId)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return false;
        await writeAudit(transaction, audit, nowMs);
        return true;
      }),
  };
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
