import { isDeepStrictEqual } from "node:util";
import { settingsSchema, type ProjectSettings } from "@sineta/protocol";
import type { ProjectStore } from "../port.ts";
import { writeAudit } from "./audit.ts";
import type { Connection } from "./connection.ts";
import { usageOf } from "./quotas.ts";
import { liveOn } from "./registrations.ts";

export function projectStore(connection: Connection): ProjectStore {
  return {
    async ensure(name, nowMs) {
      await connection
        .insertInto("projects")
        .values({ name, created_at_ms: nowMs })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return connection
        .selectFrom("projects")
        .select(["id", "name"])
        .where("name", "=", name)
        .executeTakeFirstOrThrow();
    },

    async vapidKeys(projectId) {
      const rows = await connection
        .selectFrom("vapid_keys")
        .select(["id", "public_key", "sealed_private_key", "created_at_ms"])
        .where("project_id", "=", projectId)
        .orderBy("id", "desc")
        .execute();
      return rows.map((row) => ({
        id: row.id,
        publicKey: row.public_key,
        sealedPrivateKey: row.sealed_private_key,
        createdAtMs: row.created_at_ms,
      }));
    },

    addFirstVapidKey: (projectId, key, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const existing = await transaction
          .selectFrom("vapid_keys")
          .select("id")
          .where("project_id", "=", projectId)
          .executeTakeFirst();
        if (existing !== undefined) return false;
        await transaction
          .insertInto("vapid_keys")
          .values({
            project_id: projectId,
            public_key: key.publicKey,
            sealed_private_key: key.sealedPrivateKey,
            created_at_ms: nowMs,
            retired_at_ms: null,
          })
          .execute();
        return true;
      }),

    async secret(projectId, purpose) {
      const row = await connection
        .selectFrom("project_secrets")
        .select("sealed_secret")
        .where("project_id", "=", projectId)
        .where("purpose", "=", purpose)
        .executeTakeFirst();
      return row?.sealed_secret ?? null;
    },

    async addFirstSecret(projectId, purpose, sealedSecret, nowMs) {
      const { numInsertedOrUpdatedRows } = await connection
        .insertInto("project_secrets")
        .values({
          project_id: projectId,
          purpose,
          sealed_secret: sealedSecret,
          created_at_ms: nowMs,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    settings: (projectId) => settingsOf(connection, projectId),

    liveByPageOrigin: (projectId) => liveOn(connection, projectId).execute(),

    usage: (projectId, nowMs) => usageOf(connection, projectId, nowMs),

    changeSettings: (projectId, change, entry, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const current = await settingsOf(transaction, projectId);
        const then: ProjectSettings = {
          displayName: change.displayName ?? current.displayName,
          receipts: change.receipts ?? current.receipts,
          origins: change.origins ?? current.origins,
          registrationsQuota: change.registrationsQuota ?? current.registrationsQuota,
          messagesPerHourQuota: change.messagesPerHourQuota ?? current.messagesPerHourQuota,
        };
        const changed = settingNames.filter(
          (name) => !isDeepStrictEqual(then[name], current[name]),
        );
        if (changed.length === 0) return current;
        await transaction
          .updateTable("projects")
          .set({
            display_name: then.displayName,
            receipts: then.receipts ? 1 : 0,
            origins: JSON.stringify(then.origins),
            registrations_quota: then.registrationsQuota,
            messages_per_hour_quota: then.messagesPerHourQuota,
          })
          .where("id", "=", projectId)
          .execute();
        const valuesIn = (settings: ProjectSettings) =>
          Object.fromEntries(changed.map((name) => [name, settings[name]]));
        const told = { ...valuesIn(then), before: valuesIn(current) };
        await writeAudit(transaction, { ...entry, projectId, change: told }, nowMs);
        return then;
      }),
  };
}

const settingNames = [
  "displayName",
  "receipts",
  "origins",
  "registrationsQuota",
  "messagesPerHourQuota",
] as const;

async function settingsOf(connection: Connection, projectId: number): Promise<ProjectSettings> {
  const row = await connection
    .selectFrom("projects")
    .select([
      "display_name",
      "receipts",
      "origins",
      "registrations_quota",
      "messages_per_hour_quota",
    ])
    .where("id", "=", projectId)
    .executeTakeFirstOrThrow();
  return {
    displayName: row.display_name,
    receipts: row.receipts === 1,
    origins: settingsSchema.shape.origins.parse(JSON.parse(row.origins)),
    registrationsQuota: row.registrations_quota,
    messagesPerHourQuota: row.messages_per_hour_quota,
  };
}
