/** The messages service on a database of its own, with a clock that the test sets. */
import { randomUUIDv7 } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MessageRequest } from "@sineta/protocol";
import { setUp, type ContractBench } from "../../store/contract/bench.ts";
import type { Asker } from "../../store/port.ts";
import { openSqliteStore } from "../../store/sqlite/open.ts";
import { writeEmptyDatabase } from "../../store/sqlite/testing/empty-database.ts";
import { fixedOrigins } from "../../test/fixed-origins.ts";
import type { EndpointPolicy } from "../../webpush/endpoint.ts";
import { createMessages } from "../create-messages.ts";
import type { MessageProject, Messages } from "../messages.ts";

export type MessagesBench = {
  data: ContractBench;
  messages: Messages;
  project: MessageProject;
  /** The clock, in milliseconds since 1970. */
  clock: { nowMs: number };
  /** Whether a server sends what is due. */
  delivers: boolean;
  publish: (over?: Partial<MessageRequest>, key?: string) => ReturnType<Messages["publish"]>;
  /** Publishes; gives the id. */
  mustPublish: (over?: Partial<MessageRequest>, key?: string) => Promise<string>;
  dryRun: (over?: Partial<MessageRequest>) => ReturnType<Messages["dryRun"]>;
  close: () => Promise<void>;
};

export const asker: Asker = {
  actor: { kind: "api-key", name: "sineta_test" },
  address: "192.0.2.1",
};
export const origin = "https://site.example";

/** The smallest message, changed so. */
export const requestWith = (over: Partial<MessageRequest> = {}): MessageRequest => ({
  target: { kind: "all" },
  notification: { title: "Olá" },
  ...over,
});

export async function messagesBench({
  endpointPolicy = { hosts: [], routes: [] },
  vapidSubject = "mailto:sineta@example.com",
}: { endpointPolicy?: EndpointPolicy; vapidSubject?: string } = {}): Promise<MessagesBench> {
  const folder = mkdtempSync(join(tmpdir(), "sineta-messages-"));
  const databasePath = join(folder, "test.db");
  writeEmptyDatabase(databasePath);
  const data = await setUp({
    open: () => openSqliteStore(databasePath, 0),
    remove: async () => undefined,
  });
  const clock = { nowMs: Date.parse("2026-11-20T12:00:00Z") };
  const messages = createMessages({
    store: data.store,
    endpointPolicy,
    vapidSubject,
    now: () => clock.nowMs,
    newId: randomUUIDv7,
    delivers: () => bench.delivers,
  });
  const project = { id: data.projectId, origins: fixedOrigins([origin]) };
  const bench: MessagesBench = {
    data,
    messages,
    project,
    clock,
    delivers: true,
    publish: (over, key) => messages.publish(project, requestWith(over), asker, key),
    async mustPublish(over, key) {
      const result = await bench.publish(over, key);
      if (result.kind === "refused") throw new Error(JSON.stringify(result));
      return result.published.id;
    },
    dryRun: (over) => messages.dryRun(project, requestWith(over)),
    async close() {
      await data.store.close();
      rmSync(folder, { recursive: true });
    },
  };
  return bench;
}
