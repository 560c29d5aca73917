import { randomUUIDv7 } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limits, type NotificationContent } from "@sineta/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { payloadOf } from "../delivery/payload.ts";
import { receiptKey } from "../receipts/receipt-key.ts";
import { setUp, type ContractBench } from "../store/contract/bench.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import { publish } from "./publish.ts";

let folder: string;
let bench: ContractBench;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "sineta-publish-"));
  bench = await setUp({
    open: () => openSqliteStore(join(folder, "test.db"), 0),
    remove: async () => undefined,
  });
});
afterEach(async () => {
  await bench.store.close();
  rmSync(folder, { recursive: true });
});

const publishOne = (link: string) =>
  publish(
    {
      projectId: bench.projectId,
      origins: ["http://localhost:8080"],
      to: "all",
      notification: { title: "Olá", body: "x".repeat(1_870), link, icon: link },
    },
    { store: bench.store, newId: randomUUIDv7, nowMs: 1 },
  );

test("what fits is measured with the origin that browsers registered on, too", async () => {
  // Two links are resolved against the origin: a longer one makes the payload longer, twice.
  const link = `/${"y".repeat(900)}`;
  await expect(publishOne(link)).resolves.toMatch(/^[0-9a-f-]{36}$/);
  await bench.add({ origin: `https://${"a-long-name.".repeat(10)}example` });
  await expect(publishOne(link)).rejects.toMatchObject({ code: "notification-invalid" });
});

test("what is sealed may have 3,993 bytes, receipt key and actions among them, and no more", async () => {
  const origin = "http://localhost:8080";
  const notification = (body: string): NotificationContent => ({
    title: "Olá",
    body,
    link: `/${"y".repeat(1_500)}`,
    actions: [
      { action: "1", title: "Ver", link: `/${"z".repeat(500)}` },
      { action: "2", title: "Não", link: "https://loja.example/" },
    ],
  });
  const id = randomUUIDv7();
  /** As the sender makes it. */
  const sealedBytes = (body: string) =>
    payloadOf({ id, notification: notification(body) }, origin).withKey(
      receiptKey(Buffer.alloc(32), id, "A".repeat(43)),
    ).length;
  const publishWith = (body: string) =>
    publish(
      {
        projectId: bench.projectId,
        origins: [origin],
        to: "all",
        notification: notification(body),
      },
      { store: bench.store, newId: randomUUIDv7, nowMs: 1 },
    );
  const exact = "x".repeat(limits.plaintextBytes - sealedBytes(""));
  expect(sealedBytes(exact)).toBe(3_993);
  await expect(publishWith(exact)).resolves.toMatch(/^[0-9a-f-]{36}$/);
  await expect(publishWith(`${exact}x`)).rejects.toMatchObject({
    code: "notification-invalid",
    message: expect.stringContaining("takes 3994 bytes, 1 more than the 3993"),
  });
});
