import { randomUUIDv7 } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
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
