import { createHmac, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ReceiptEvent } from "@sineta/protocol";
import { readConfig } from "../config.ts";
import { openDataFolder } from "../data-folder.ts";
import { createLog } from "../log.ts";
import { openDefaultProject } from "../projects/open.ts";
import { startServer, type RunningServer } from "../server.ts";
import type { Message } from "../store/port.ts";
import { acceptedOutcome, fakePush, goneOutcome } from "../test/fake-push.ts";
import { siteClient } from "../test/http-client.ts";
import { testPlaces } from "../test/places.ts";
import { startSineta } from "../test/process.ts";
import { messageDetails, messageTable } from "./messages.ts";

const message: Message = {
  id: "0199c0de-0000-7000-8000-000000000001",
  projectId: 1,
  target: { kind: "all" },
  notification: {
    title: "O pão saiu do forno",
    actions: [
      { action: "1", title: "Ver", link: "/ver" },
      { action: "2", title: "Comprar", link: "/comprar" },
    ],
  },
  ttlSeconds: 60,
  urgency: "normal",
  scheduledAtMs: Date.UTC(2026, 10, 20, 12, 34, 56, 789),
  state: "done",
  watermark: 0,
  cursor: 0,
  counts: { accepted: 12, gone: 1, retry: 2, rejected: 3, failed: 4 },
  receipts: { displayed: 7, clicked: 6, closed: 5 },
};

describe("the list", () => {
  test("has a line for each message, with what was accepted apart from what was displayed", () => {
    const waiting: Message = {
      ...message,
      state: "scheduled",
      notification: { title: "Olá" },
      counts: { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 },
      receipts: { displayed: 0, clicked: 0, closed: 0 },
    };
    expect(messageTable([message, waiting])).toBe(
      [
        "TIME                  ID                                    TITLE                STATE      ACCEPTED  DISPLAYED  CLICKED",
        "2026-11-20T12:34:56Z  0199c0de-0000-7000-8000-000000000001  O pão saiu do forno  done       12        7          6",
        "2026-11-20T12:34:56Z  0199c0de-0000-7000-8000-000000000001  Olá                  scheduled  0         0          0",
        "",
      ].join("\n"),
    );
  });

  test("shortens a long title, tears no character, and obeys no terminal", () => {
    const titled = (title: string) =>
      messageTable([{ ...message, notification: { title } }]).split("\n")[1] ?? "";
    expect(titled("x".repeat(40))).toContain(` ${"x".repeat(40)} `);
    expect(titled("x".repeat(41))).toContain(` ${"x".repeat(39)}… `);
    expect(titled("👩‍👩‍👧".repeat(41))).toContain(` ${"👩‍👩‍👧".repeat(39)}… `);
    expect(titled("a\u001b[2Jb\nc")).toContain(" a?[2Jb?c ");
  });
});

describe("one message", () => {
  test("with every figure, and the clicks of its own actions alone", () => {
    const clicks = new Map([
      ["2", 4],
      ["made up", 9],
    ]);
    expect(messageDetails(message, clicks)).toBe(
      `id     0199c0de-0000-7000-8000-000000000001
time   2026-11-20T12:34:56Z
title  O pão saiu do forno
to     all
state  done

Registrations, by what became of the push:
  accepted  12
  gone      1
  retry     2
  rejected  3
  failed    4

Registrations, by what their browsers reported:
  displayed              7
  clicked                6
    action 1, "Ver"      0
    action 2, "Comprar"  4
  closed                 5
`,
    );
  });
});

describe("sineta messages beside a running server", { timeout: 60_000 }, () => {
  let bench: ReturnType<typeof testPlaces>;
  let server: RunningServer;
  const push = fakePush();
  beforeEach(async () => {
    bench = testPlaces();
    const { config } = readConfig({
      flags: {},
      environment: { SINETA_PORT: "0" },
      folder: bench.folder,
    });
    const log = createLog("silent", { write: () => undefined });
    server = await startServer(config, { log, places: bench.places, sendPush: push.send });
  });
  afterEach(async () => {
    await server.stop();
    rmSync(bench.folder, { recursive: true });
  });

  async function sineta(words: string[]): Promise<string> {
    const { places, folder } = bench;
    const { status, stdout, stderr } = await startSineta(words, { places, folder }).ended;
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return stdout;
  }

  /** As the browser's worker does, with the key that came in its push. */
  async function reporter(messageId: string) {
    const store = await openDataFolder(bench.dataFolder, 0);
    const opened = { store, dataFolder: bench.dataFolder, randomBytes, nowMs: 0 };
    const { receiptSecret } = await openDefaultProject(opened);
    await store.close();
    const client = await siteClient(server.url);
    return (token: string, event: ReceiptEvent, action?: string) => {
      const hmac = createHmac("sha256", receiptSecret).update(`${messageId}\n${token}`).digest();
      const key = hmac.subarray(0, 16).toString("base64url");
      return client.report({ messageId, token, key, event, ...(action ? { action } : {}) });
    };
  }

  test("shows what was sent, what was accepted, and what browsers reported", async () => {
    const client = await siteClient(server.url);
    const tokens = [await client.register(), await client.register(), await client.register()].map(
      ({ token }) => token,
    );
    push.answer = (registrationId) => (registrationId === 3 ? goneOutcome : acceptedOutcome);
    const sent = await sineta([
      "send",
      "--title",
      "Olá",
      "--body",
      "x",
      "--action",
      "Ver=/ver?a=b",
      "--action",
      "Comprar=https://loja.example/",
    ]);
    const id = sent.slice(0, 36);
    expect(push.messages.at(-1)?.notification.actions).toEqual([
      { action: "1", title: "Ver", link: "/ver?a=b" },
      { action: "2", title: "Comprar", link: "https://loja.example/" },
    ]);

    const report = await reporter(id);
    const [first = "", second = ""] = tokens;
    await report(first, "displayed");
    await report(first, "displayed");
    await report(second, "displayed");
    await report(second, "clicked", "2");
    await expect(report("A".repeat(43), "closed")).rejects.toThrow("receipt-refused");

    const [, line = ""] = (await sineta(["messages"])).split("\n");
    expect(line.split(/ {2,}/).slice(1)).toEqual([id, "Olá", "done", "2", "2", "1"]);
    const details = await sineta(["messages", id]);
    expect(details).toContain(`id     ${id}\n`);
    expect(details).toMatch(/accepted +2\n +gone +1\n/);
    expect(details).toMatch(
      /displayed +2\n +clicked +1\n +action 1, "Ver" +0\n +action 2, "Comprar" +1\n +closed +0\n/,
    );
  });
});
