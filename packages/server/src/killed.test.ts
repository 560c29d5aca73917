import { randomBytes, randomUUIDv7 } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Receipt } from "@sineta/protocol";
import { openDefaultProject } from "./projects/open.ts";
import { receiptKey } from "./receipts/receipt-key.ts";
import type { NewMessage } from "./store/port.ts";
import { openSqliteStore } from "./store/sqlite/open.ts";
import { testBrowser } from "./test/browser.ts";
import { siteClient } from "./test/http-client.ts";
import { testPlaces } from "./test/places.ts";
import { readyLine, startSineta, type TestProcess } from "./test/process.ts";

let bench: ReturnType<typeof testPlaces>;
let processes: TestProcess[];
beforeEach(() => {
  processes = [];
  bench = testPlaces();
});
afterEach(async () => {
  for (const child of processes) child.kill("SIGKILL");
  await Promise.all(processes.map(({ ended }) => ended));
  rmSync(bench.folder, { recursive: true });
});

const databasePath = () => join(bench.dataFolder, "sineta.db");

function integrity(): unknown {
  const database = new DatabaseSync(databasePath());
  const checked = database.prepare("pragma integrity_check").all();
  const foreignKeys = database.prepare("pragma foreign_key_check").all();
  database.close();
  return { integrity: checked.map((row) => row["integrity_check"]), foreignKeys };
}

const newMessage = (projectId: number): NewMessage => ({
  id: randomUUIDv7(),
  projectId,
  target: { kind: "token", token: "none" },
  notification: { title: "Olá" },
  data: null,
  collapseKey: null,
  localTime: null,
  replaces: null,
  ttlSeconds: 60,
  urgency: "normal",
  scheduledAtMs: 0,
});

/** All browsers have one address here. */
const settings = {
  SINETA_PORT: "0",
  SINETA_REGISTRATIONS_PER_MINUTE: "1000000",
  SINETA_RECEIPTS_PER_MINUTE: "1000000",
};
const sound = { integrity: ["ok"], foreignKeys: [] };

describe("a server killed with SIGKILL", { timeout: 120_000 }, () => {
  test("has every registration that it answered with a token, and no half-made one", async () => {
    const tokens: string[] = [];
    // Killed after so many answers of each round, while eight clients go on registering and renewing.
    for (const answers of [1, 2, 3, 5, 8, 13, 21, 34, 150]) {
      const server = startSineta(["serve"], {
        places: bench.places,
        folder: bench.folder,
        environment: settings,
      });
      processes.push(server);
      const client = await siteClient((await server.line(readyLine))[1] ?? "");
      let left = answers;
      const answered = () => {
        left -= 1;
        if (left === 0) server.kill("SIGKILL");
      };
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (;;) {
            const browser = testBrowser();
            try {
              const { token } = await client.register(browser);
              tokens.push(token);
              answered();
              const renewed = testBrowser({ clientSecret: browser.clientSecret });
              const answer = await client.register(renewed, token);
              if (answer.token !== token) throw new Error("renewing gave another token");
              answered();
            } catch (error) {
              if (left > 0) throw error;
              return;
            }
          }
        }),
      );
      await server.ended;
      expect(integrity()).toEqual(sound);
    }

    const store = await openSqliteStore(databasePath(), 0);
    const { id } = await store.projects.ensure("default", 0);
    for (const token of tokens) {
      const found = await store.registrations.find(id, token);
      expect(found).toMatchObject({ token, subscription: expect.anything(), endReason: null });
    }
    expect(tokens.length).toBeGreaterThan(100);
    expect(await store.registrations.countLive(id)).toBeGreaterThanOrEqual(tokens.length);
    await store.close();
  });

  test("has every receipt that it answered, and has counted each once", async () => {
    const registrations = 100;
    let server = startServing();
    let client = await siteClient((await server.line(readyLine))[1] ?? "");
    const store = await openSqliteStore(databasePath(), 0);
    const opened = { store, dataFolder: bench.dataFolder, randomBytes, nowMs: 0 };
    const { id: projectId, receiptSecret } = await openDefaultProject(opened);
    const message = newMessage(projectId);
    await store.messages.publish(message, 0);
    const browsers = Array.from({ length: registrations }, () => client.register());
    const tokens = (await Promise.all(browsers)).map(({ token }) => token);

    const receipts = tokens.flatMap((token) =>
      (["displayed", "clicked"] as const).map((event): Receipt => {
        const key = receiptKey(receiptSecret, message.id, token);
        return { messageId: message.id, token, key, event };
      }),
    );
    const answered = new Set<Receipt>();
    // Killed after so many answers of each round; what was not answered is sent again, and of the rest every third.
    for (const answers of [1, 13, 89]) {
      let left = answers;
      const due = receipts.filter((receipt, index) => !answered.has(receipt) || index % 3 === 0);
      const waiting = due.values();
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (const receipt of waiting) {
            try {
              await client.report(receipt);
              answered.add(receipt);
              left -= 1;
              if (left === 0) server.kill("SIGKILL");
            } catch (error) {
              if (left > 0) throw error;
              return;
            }
          }
        }),
      );
      await server.ended;
      expect(integrity()).toEqual(sound);
      const kept = keptReceipts();
      for (const { token, event } of answered) expect(kept).toContain(`${token} ${event}`);
      const counted = (await store.messages.find(projectId, message.id))?.receipts;
      for (const event of ["displayed", "clicked"] as const) {
        expect(counted?.[event]).toBe(kept.filter((line) => line.endsWith(event)).length);
      }
      server = startServing();
      client = await siteClient((await server.line(readyLine))[1] ?? "");
    }
    expect(answered.size).toBeGreaterThan(50);
    await Promise.all(receipts.map((receipt) => client.report(receipt)));
    expect((await store.messages.find(projectId, message.id))?.receipts).toEqual({
      displayed: registrations,
      clicked: registrations,
      closed: 0,
    });
    await store.close();

    function startServing() {
      const { places, folder } = bench;
      const child = startSineta(["serve"], { places, folder, environment: settings });
      processes.push(child);
      return child;
    }

    function keptReceipts(): string[] {
      const database = new DatabaseSync(databasePath());
      const rows = database
        .prepare(
          "select token || ' ' || kind as receipt from receipts join registrations on id = registration_id",
        )
        .all();
      database.close();
      return rows.map((row) => String(row["receipt"]));
    }
  });
});
