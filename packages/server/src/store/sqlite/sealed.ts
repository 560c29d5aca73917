import type { SealedPlace, SealedStore } from "../port.ts";
import { writeAudit } from "./audit.ts";
import type { Connection } from "./connection.ts";

type Sealed = { place: SealedPlace; sealed: Uint8Array };

export function sealedStore(connection: Connection): SealedStore {
  return {
    all: () => connection.transaction().execute((transaction) => allSealed(transaction)),

    replace: (changes, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const now = await allSealed(transaction);
        const isAsBefore =
          now.length === changes.length &&
          changes.every(({ place, before }) => now.some((one) => isSame(one, place, before)));
        if (!isAsBefore) return false;
        for (const { place, after } of changes) await put(transaction, place, after);
        await writeAudit(transaction, audit, nowMs);
        return true;
      }),
  };
}

function isSame(one: Sealed, place: SealedPlace, sealed: Uint8Array): boolean {
  return (
    JSON.stringify(one.place) === JSON.stringify(place) && Buffer.compare(one.sealed, sealed) === 0
  );
}

async function allSealed(transaction: Connection): Promise<Sealed[]> {
  const keys = await transaction
    .selectFrom("vapid_keys")
    .select(["id", "public_key", "sealed_private_key"])
    .orderBy("id")
    .execute();
  const secrets = await transaction
    .selectFrom("project_secrets")
    .select(["project_id", "purpose", "sealed_secret"])
    .orderBy("project_id")
    .orderBy("purpose")
    .execute();
  const totps = await transaction
    .selectFrom("operators")
    .select(["id", "sealed_totp_secret"])
    .where("sealed_totp_secret", "is not", null)
    .orderBy("id")
    .execute();
  return [
    ...keys.map((row) => ({
      place: { kind: "vapid-key" as const, id: row.id, publicKey: row.public_key },
      sealed: row.sealed_private_key,
    })),
    ...secrets.map((row) => ({
      place: {
        kind: "project-secret" as const,
        projectId: row.project_id,
        purpose: row.purpose,
      },
      sealed: row.sealed_secret,
    })),
    ...totps.flatMap(({ id, sealed_totp_secret: sealed }) =>
      sealed === null ? [] : [{ place: { kind: "totp-secret" as const, operatorId: id }, sealed }],
    ),
  ];
}

async function put(transaction: Connection, place: SealedPlace, sealed: Uint8Array): Promise<void> {
  switch (place.kind) {
    case "vapid-key":
      await transaction
        .updateTable("vapid_keys")
        .set({ sealed_private_key: sealed })
        .where("id", "=", place.id)
        .execute();
      return;
    case "project-secret":
      await transaction
        .updateTable("project_secrets")
        .set({ sealed_secret: sealed })
        .where("project_id", "=", place.projectId)
        .where("purpose", "=", place.purpose)
        .execute();
      return;
    case "totp-secret":
      await transaction
        .updateTable("operators")
        .set({ sealed_totp_secret: sealed })
        .where("id", "=", place.operatorId)
        .execute();
      return;
    default:
      place satisfies never;
  }
}
