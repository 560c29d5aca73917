import { createHmac, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MessageStatus, MessageSummary, ReceiptEvent } from "@sineta/protocol";
import { readConfig } from "../config.ts";
import { openDataFolder } from "../data-folder.ts";
import { createLog } from "../log.ts";
import { openDefaultProject } from "../projects/open.ts";
import { startServer, type RunningServer } from "../server.ts";
import { acceptedOutcome, fakePush, goneOutcome } from "../test/fake-push.ts";
import { siteClient } from "../test/http-client.ts";
import { makeData } from "../test/make-data.ts";
import { testPlaces } from "../test/places.ts";
import { startSineta } from "../test/process.ts";
import { runCommand } from "../test/run-command.ts";
import type { Terminal } from "./command.ts";
import { messageDetails, messageTable } from "./messages.ts";

const message: MessageStatus = {
  id: "0199c0de-0000-7000-8000-000000000001",
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
  scheduleAt: "2026-11-20T12:34:56.789Z",
  createdAt: "2026-11-20T12:34:56.789Z",
  publisher: null,
  state: "done",
  audience: { registrations: 24, complete: true },
  counts: { accepted: 12, gone: 1, retry: 2, rejected: 3, failed: 4 },
  unsent: 2,
  byPushService: [],
  reasons: [],
  held: [],
  receipts: { displayed: 7, clicked: 6, closed: 5 },
  clicksByAction: { "1": 0, "2": 4 },
};

const nowMs = Date.parse("2026-11-20T12:04:00Z");

describe("the list", () => {
  const line: MessageSummary = {
    ...message,
    target: { kind: "all" },
    title: message.notification.title,
  };

  test("has a line for each message, with what was accepted apart from what was displayed", () => {
    const waiting: MessageSummary = {
      ...line,
      state: "scheduled",
      title: "Olá",
      audience: { registrations: 0, complete: false },
      counts: { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 },
      receipts: { displayed: 0, clicked: 0, closed: 0 },
    };
    expect(messageTable([line, waiting])).toBe(
      [
        "TIME                  ID                                    TITLE                STATE      AUDIENCE  ACCEPTED  FAILED  DISPLAYED  CLICKED",
        "2026-11-20T12:34:56Z  0199c0de-0000-7000-8000-000000000001  O pão saiu do forno  done       24        12        7       7          6",
        "2026-11-20T12:34:56Z  0199c0de-0000-7000-8000-000000000001  Olá                  scheduled  -         0         0       0          0",
        "",
      ].join("\n"),
    );
  });

  test.for<[state: MessageSummary["state"], complete: boolean, shown: string]>([
    ["sending", false, "24+"],
    ["sending", true, "24"],
    ["paused", true, "24"],
    ["cancelled", false, "24"],
    ["scheduled", false, "-"],
  ])(
    "shows the audience of a message that is %s, complete: %j, as %s",
    ([state, complete, shown]) => {
      const audience = { registrations: 24, complete };
      const [, row = ""] = messageTable([{ ...line, state, audience }]).split("\n");
      expect(row.split(/ {2,}/)[4]).toBe(shown);
    },
  );

  test("shortens a long title, tears no character, and obeys no terminal", () => {
    const titled = (title: string) => messageTable([{ ...line, title }]).split("\n")[1] ?? "";
    expect(titled("x".repeat(40))).toContain(` ${"x".repeat(40)} `);
    expect(titled("x".repeat(41))).toContain(` ${"x".repeat(39)}… `);
    expect(titled("👩‍👩‍👧".repeat(41))).toContain(` ${"👩‍👩‍👧".repeat(39)}… `);
    expect(titled("a\u001b[2Jb\nc")).toContain(" a?[2Jb?c ");
  });
});

describe("one message", () => {
  test("with every figure, and its actions by their titles", () => {
    expect(messageDetails(message, nowMs)).toBe(
      `id        0199c0de-0000-7000-8000-000000000001
time      2026-11-20T12:34:56Z
title     O pão saiu do forno
to        all
state     done
audience  24

Registrations, by what became of the push:
  accepted  12
  gone      1
  retry     2
  rejected  3
  failed    4
  unsent    2

Registrations, by what their browsers reported:
  displayed              7
  clicked                6
    action 1, "Ver"      0
    action 2, "Comprar"  4
  closed                 5
`,
    );
  });

  test("with the same by push service, why pushes were not accepted, and what holds it", () => {
    const counts = { accepted: 10, gone: 0, retry: 2, rejected: 3, failed: 0 };
    const details = messageDetails(
      {
        ...message,
        state: "paused",
        scheduleAtLocal: "2026-11-21T09:00",
        byPushService: [
          { pushService: "fcm", registrations: 16, counts, unsent: 1 },
          { pushService: "apple", registrations: 8, counts, unsent: 0 },
        ],
        reasons: [
          {
            pushService: "fcm",
            outcome: "rejected",
            reason: "too-large",
            detail: "413\u001b[2J",
            registrations: 3,
          },
        ],
        held: [
          {
            pushService: "apple",
            pushOrigin: "https://web.push.apple.com",
            reason: "throttled",
            detail: "",
            since: "2026-11-20T12:00:00.000Z",
            nextProbeAt: "2026-11-20T12:05:00.000Z",
          },
        ],
      },
      nowMs,
    );
    expect(details).toContain(
      "time      2026-11-21T09:00 where each reader is, first at 2026-11-20T12:34:56Z\n",
    );
    expect(details).toContain(`
The same, by push service:
  PUSH SERVICE  AUDIENCE  ACCEPTED  GONE  RETRY  REJECTED  FAILED  UNSENT
  fcm           16        10        0     2      3         0       1
  apple         8         10        0     2      3         0       0

Why pushes were not accepted:
  fcm: 3 rejected, too-large: The body is larger than the push service takes (413). It said: 413?[2J. Send a shorter message: title, body, data, buttons and addresses together count.

What holds it:
  apple (https://web.push.apple.com) is held back since 2026-11-20T12:00:00Z, throttled: The push service asks to send less (429; from Windows also 406). It goes on after the pause; nothing needs to be done. It is tried again at 2026-11-20T12:05:00Z.

Registrations, by what their browsers reported:
`);
  });
});

describe("sineta messages cancel", () => {
  let bench: ReturnType<typeof testPlaces>;
  let id: string;
  beforeEach(async () => {
    bench = testPlaces();
    await makeData(bench.dataFolder);
    const sent = await sineta(["send", "--title", "Olá\u202e[2J", "--body", "x"]);
    id = sent.out.slice(0, 36);
  });
  afterEach(() => rmSync(bench.folder, { recursive: true }));

  const sineta = (words: string[], ask?: Terminal["ask"]) =>
    runCommand(words, { ...bench, ...(ask === undefined ? {} : { ask }) });
  const state = async () => /^state +(\w+)$/m.exec((await sineta(["messages", id])).out)?.[1];
  const cancelled = () => ({
    status: 0,
    out: `${id}: 0 accepted, 0 gone, 0 retry, 0 rejected, 0 failed (cancelled)\n`,
    err: "No server runs, so no push of the message begins.\n",
  });

  test("asks, and cancels on yes alone", async () => {
    const questions: string[] = [];
    const answer = (text: string) => async (question: string) => {
      questions.push(question);
      return text;
    };
    for (const text of ["", "y", "no", id]) {
      expect(await sineta(["messages", "cancel", id], answer(text))).toEqual({
        status: 1,
        out: "",
        err: "The message goes on.\n",
      });
    }
    expect(await state()).toBe("scheduled");
    expect(await sineta(["messages", "cancel", id], answer(" yes\n"))).toEqual(cancelled());
    expect(await state()).toBe("cancelled");
    expect(new Set(questions)).toEqual(
      new Set([
        'What is on its way still arrives, nobody else gets "Olá?[2J". yes, to cancel it: ',
      ]),
    );
  });

  test("asks nobody with --yes, and without anybody there does nothing", async () => {
    const alone = await sineta(["messages", "cancel", id]);
    expect(alone).toMatchObject({ status: 2, out: "" });
    expect(alone.err).toContain("Nobody answers, so the message goes on");
    expect(await state()).toBe("scheduled");
    expect(await sineta(["messages", "cancel", id, "--yes"])).toEqual(cancelled());
  });

  test("of one that has ended, or is not there, says so and asks nothing", async () => {
    await sineta(["messages", "cancel", id, "--yes"]);
    const ask = async () => expect.unreachable();
    expect(await sineta(["messages", "cancel", id], ask)).toEqual({
      status: 1,
      out: "",
      err: "sineta: The message has ended already: sineta messages ID tells how.\n",
    });
    expect(await sineta(["messages", "cancel", "0199c0de"], ask)).toEqual({
      status: 1,
      out: "",
      err: "sineta: There is no message with this id: sineta messages lists the latest ones.\n",
    });
  });

  test.for<[words: string[], sentence: RegExp]>([
    [["cancel"], /cancel needs the message's id/],
    [["cancel", "a", "b"], /one id at most/],
    [["--yes"], /--yes does not belong there/],
    [["0199c0de", "--yes"], /--yes does not belong there/],
  ])("%j is wrong usage", async ([words, sentence]) => {
    const { status, out, err } = await sineta(["messages", ...words]);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toMatch(sentence);
  });
});

describe("sineta messages beside a running server", () => {
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
    expect(line.split(/ {2,}/).slice(1)).toEqual([id, "Olá", "done", "3", "2", "0", "2", "1"]);
    const details = await sineta(["messages", id]);
    expect(details).toMatch(RegExp(`^id +${id}\n`));
    expect(details).toMatch(/accepted +2\n +gone +1\n/);
    expect(details).toMatch(
      /displayed +2\n +clicked +1\n +action 1, "Ver" +0\n +action 2, "Comprar" +1\n +closed +0\n/,
    );
  });
});
