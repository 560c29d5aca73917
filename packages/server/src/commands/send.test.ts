import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { DryRun, MessageStatus } from "@sineta/protocol";
import { randomToken, setUp, type ContractBench } from "../store/contract/bench.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import { siteClient } from "../test/http-client.ts";
import { patience } from "../test/patience.ts";
import { makeData } from "../test/make-data.ts";
import { testPlaces } from "../test/places.ts";
import { readyLine, startSineta, type TestProcess } from "../test/process.ts";
import { runCommand } from "../test/run-command.ts";
import { dryRunText, summary } from "./send.ts";

let bench: ReturnType<typeof testPlaces>;
beforeEach(() => {
  bench = testPlaces();
});
afterEach(() => rmSync(bench.folder, { recursive: true }));

const message = ["--title", "Olá", "--body", "x"];

describe("sineta send beside a running server", () => {
  let server: TestProcess;
  let site: string;

  function sineta(words: string[]): TestProcess {
    return startSineta(words, {
      places: bench.places,
      folder: bench.folder,
      // Nobody listens on port 1: what is sent is to be tried again.
      environment: { SINETA_PORT: "0", SINETA_PUSH_ROUTES: "fcm.googleapis.com=127.0.0.1:1" },
    });
  }

  beforeEach(async () => {
    server = sineta(["serve"]);
    site = (await server.line(readyLine))[1] ?? "";
  });
  afterEach(async () => {
    server.kill("SIGKILL");
    await server.ended;
  });

  test("waits until it is done and prints the figures", async () => {
    const { status, stdout, stderr } = await sineta(["send", ...message]).ended;
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(
      /^[0-9a-f-]{36}: 0 accepted, 0 gone, 0 retry, 0 rejected, 0 failed\nNo browser is registered yet\.\n$/,
    );
  });

  test("--no-wait leaves it to the server", async () => {
    const client = await siteClient(site);
    const { token } = await client.register();
    const words = ["send", ...message, "--to", token, "--no-wait"];
    const { status, stdout } = await sineta(words).ended;
    expect(status).toBe(0);
    expect(stdout).toMatch(/^[0-9a-f-]{36} is with the server\.\n$/);
  });

  test("does not wait for a time to come, and says when that is", async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const { status, stdout } = await sineta(["send", ...message, "--at", at]).ended;
    expect(status).toBe(0);
    expect(stdout).toMatch(RegExp(`^[0-9a-f-]{36} goes at ${at.replace(/\.\d+Z/, "Z")}\\.\n$`));
  });

  test("says what holds it, instead of waiting for that", async () => {
    await (await siteClient(site)).register();
    const store = await openSqliteStore(join(bench.dataFolder, "sineta.db"), 0);
    const { id } = await store.projects.ensure("default", 1);
    const [key] = await store.projects.vapidKeys(id);
    await store.breakers.open({
      pushOrigin: "https://fcm.googleapis.com",
      vapidKeyId: key?.id ?? 0,
      reason: "vapid-refused",
      detail: "403 wrong key",
      openedAtMs: Date.parse("2026-11-20T12:00:00Z"),
      probeAtMs: Date.now() + 3_600_000,
    });
    await store.close();
    const { status, stdout } = await sineta(["send", ...message]).ended;
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^[0-9a-f-]{36}: 0 accepted, 0 gone, 0 retry, 0 rejected, 0 failed, 1 unsent \(held\)\nfcm \(https:\/\/fcm\.googleapis\.com\) is held back since 2026-11-20T12:00:00Z, vapid-refused: The VAPID .* It said: 403 wrong key\. .*SINETA_VAPID_SUBJECT.* It is tried again at .*Z\.\n$/,
    );
  });

  test("an outage for three is told: by the command, by sineta status, and once by the log", async () => {
    const client = await siteClient(site);
    for (let count = 0; count < 3; count += 1) await client.register();
    const cause = "ECONNREFUSED 127.0.0.1:1";
    const over = await sineta(["send", ...message, "--ttl", "0"]).ended;
    expect(over.stdout).toMatch(
      /0 accepted, .* 3 failed\nfcm: 3 failed, connect-failed: The message's time \(its TTL\) was over/,
    );
    expect(over.stdout).toContain(cause);

    await sineta(["send", ...message, "--no-wait"]).ended;
    const status = () => runCommand(["status"], bench);
    const troubled = await vi.waitFor(async () => {
      const shown = await status();
      expect(shown.status).toBe(1);
      return shown;
    }, patience);
    expect(troubled.out).toContain("    3 registrations were tried in vain since ");
    expect(troubled.out).toContain(cause);
    expect(troubled.out).toMatch(/^waiting for +\d+ s$/m);

    server.kill("SIGTERM");
    const { stderr } = await server.ended;
    const warnings = stderr.split("\n").filter((line) => line.includes("accepts nothing"));
    expect(warnings).toEqual([expect.stringContaining(cause)]);
  });

  test("what was published while no server ran is sent by the next one", async () => {
    server.kill("SIGTERM");
    await server.ended;
    const { stdout } = await sineta(["send", ...message]).ended;
    expect(stdout).toContain("waits");
    server = sineta(["serve"]);
    await server.line(readyLine);
    // The second message is done after the first.
    const { stdout: second } = await sineta(["send", ...message]).ended;
    expect(second).toContain("0 accepted");
  });
});

describe("sineta send into a data folder", () => {
  let data: ContractBench;
  beforeEach(async () => {
    await makeData(bench.dataFolder);
    data = await setUp({
      open: () => openSqliteStore(join(bench.dataFolder, "sineta.db"), 0),
      remove: async () => undefined,
    });
  });
  afterEach(() => data.store.close());

  const sineta = (words: string[]) => runCommand(words, bench);
  const send = (...words: string[]) => sineta(["send", ...message, ...words]);
  /** What was published by a command that printed this. */
  const published = async (out: string) =>
    data.store.messages.find(data.projectId, out.slice(0, 36));

  test("publishes all that a message can say", async () => {
    const words = [
      ["--link", "/pao", "--icon", "/i.png", "--image", "/f.jpg", "--badge", "/b.png"],
      ["--tag", "pão", "--renotify", "--silent", "--require-interaction"],
      ["--lang", "pt-BR", "--dir", "ltr", "--timestamp", "2026-12-01T09:00-03:00"],
      ["--action", "Ver=/ver?a=b", "--action", "Depois=https://loja.example/"],
      ["--message-data", '{"order":{"id":42}}', "--ttl", "0", "--urgency", "high"],
      ["--collapse-key", "pao_1"],
    ];
    const { status, out, err } = await send(...words.flat());
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(await published(out)).toMatchObject({
      target: { kind: "all" },
      notification: {
        title: "Olá",
        body: "x",
        link: "/pao",
        icon: "/i.png",
        image: "/f.jpg",
        badge: "/b.png",
        tag: "pão",
        renotify: true,
        silent: true,
        requireInteraction: true,
        lang: "pt-BR",
        dir: "ltr",
        timestamp: Date.parse("2026-12-01T12:00:00Z"),
        actions: [
          { action: "1", title: "Ver", link: "/ver?a=b" },
          { action: "2", title: "Depois", link: "https://loja.example/" },
        ],
      },
      data: { order: { id: 42 } },
      ttlSeconds: 0,
      urgency: "high",
      collapseKey: "pao_1",
      localTime: null,
    });
  });

  test.for([
    ["90", 90],
    ["90s", 90],
    ["5m", 300],
    ["2h", 7_200],
    ["28d", 28 * 86_400],
  ] as const)("--ttl %s is %i seconds", async ([ttl, seconds]) => {
    expect(await published((await send("--ttl", ttl)).out)).toMatchObject({
      ttlSeconds: seconds,
    });
  });

  test("--at and --at-local say when, also where no server runs", async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const later = await send("--at", at);
    expect(later.out).toMatch(/sineta serve will send it at \d.*Z\.\n$/);
    expect(await published(later.out)).toMatchObject({ scheduledAtMs: Date.parse(at) });

    const local = `${new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)}T09:00`;
    const byReader = await send("--at-local", local);
    expect(byReader.out).toContain(
      `sineta serve will send it when it is ${local} where each reader is, first at `,
    );
    expect(await published(byReader.out)).toMatchObject({ localTime: local });
  });

  test("a held delivery is told also where no server runs", async () => {
    await sineta(["hold"]);
    expect((await send()).out).toMatch(/ waits: delivery is held, sineta resume ends that\.\n$/);
  });

  test("--condition and --tokens say to whom, instead of --to", async () => {
    await sineta(["topics", "add", "bread"]);
    const condition = "'bread' in topics";
    expect(await published((await send("--condition", condition)).out)).toMatchObject({
      target: { kind: "condition", condition },
    });
    const tokens = [await data.add(), randomToken()];
    writeFileSync(join(bench.folder, "tokens.txt"), `\n${tokens[0]}\r\n\n ${tokens[1]} `);
    expect(await published((await send("--tokens", "tokens.txt")).out)).toMatchObject({
      target: { kind: "tokens", tokens },
    });
  });

  test("names the tokens that nobody has, and sends to the others", async () => {
    const unknown = Array.from({ length: 101 }, randomToken);
    const token = await data.add();
    writeFileSync(join(bench.folder, "tokens.txt"), [token, ...unknown].join("\n"));
    for (const words of [["--dry-run"], []]) {
      const { status, out, err } = await send("--tokens", "tokens.txt", ...words);
      expect(status).toBe(0);
      expect(out).toMatch(/It would go to 1 registration|sineta serve will send it/);
      const [sentence, ...named] = err.trimEnd().split("\n");
      expect(sentence).toMatch(/^sineta: There is no registration with these 101 tokens: /);
      expect(named).toEqual([...unknown.slice(0, 100), "and 1 more"]);
    }
  });

  test("--idempotency-key sends the same message once", async () => {
    const first = await send("--idempotency-key", "42");
    const id = first.out.slice(0, 36);
    const again = await send("--idempotency-key", "42");
    expect(again).toMatchObject({ status: 0, err: "" });
    expect(again.out).toContain(`${id} has this idempotency key already: nothing is sent twice.\n`);
    expect(await data.store.messages.list(data.projectId, 10)).toHaveLength(1);
    const other = await send("--idempotency-key", "42", "--silent");
    expect(other).toMatchObject({ status: 1, out: "" });
    expect(other.err).toContain('--idempotency-key is "42": another message was published with it');
  });

  test("--dry-run counts, and publishes nothing", async () => {
    await data.add({ pushOrigin: "https://fcm.googleapis.com" });
    const { status, out, err } = await send("--dry-run");
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out).toMatch(
      /^Nothing is sent\. It would go to 1 registration, in \d+ of 3993 bytes\.\nPUSH SERVICE +REGISTRATIONS +REFUSED +WAITING\nfcm +1 +0 +0\n$/,
    );
    expect(await data.store.messages.list(data.projectId, 10)).toEqual([]);
    const nowhere = await send("--dry-run", "--to", "topic:cake");
    expect(nowhere).toMatchObject({ status: 1, out: "" });
    expect(nowhere.err).toContain('There is no topic "cake"');
  });

  test.for<[words: string[], sentence: RegExp]>([
    [
      ["--image", "ftp://x"],
      /^--image cannot be sent: expected at most 2048 characters: an http:\/\/ or https:\/\/ address.*, not "ftp:\/\/x"\.$/,
    ],
    [["--link", "https:/loja.example/promo"], /^--link cannot be sent: .*, not "https:\/loja/],
    [["--badge", "x"], /^--badge cannot be sent: .*, not "x"\.$/],
    [["--tag", ""], /^--tag cannot be sent: expected 1 to 200 characters, not ""\.$/],
    [
      ["--lang", "pt_BR"],
      /^--lang cannot be sent: expected a language tag such as pt-BR, not "pt_BR"\.$/,
    ],
    [["--dir", "up"], /^--dir cannot be sent: expected auto, ltr or rtl, not "up"\.$/],
    [["--timestamp", "now"], /^--timestamp cannot be sent: expected a moment .*, not "now"\.$/],
    [
      ["--message-data", "{"],
      /^--message-data cannot be sent: expected a JSON object .*, not "\{"\.$/,
    ],
    [
      ["--message-data", '{"order":{"id":1234567890123456789}}'],
      /^--message-data cannot be sent: order\.id: JavaScript reads 1234567890123456789 as 1234567890123456800: send it as a string\.$/,
    ],
    [
      ["--message-data", '{"a":1e400}'],
      /: a: JavaScript reads 1e400 as Infinity: send it as a string\.$/,
    ],
    [["--message-data", "[]"], /^--message-data cannot be sent: /],
    [["--message-data", '{"sineta":1}'], /without the name sineta, not "\{\\"sineta\\":1\}"\.$/],
    [["--message-data", `${'{"a":'.repeat(9)}1${"}".repeat(9)}`], /nests at most 8 levels/],
    [
      ["--message-data", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`],
      /nests at most 8 levels.*…"\.$/,
    ],
    [["--ttl", "abc"], /^--ttl cannot be sent: expected 0 to 28 days, .*, not "abc"\.$/],
    [["--ttl", "-1"], /not "-1"\.$/],
    [["--ttl", "29d"], /not "29d"\.$/],
    [["--ttl", "1.5h"], /not "1.5h"\.$/],
    [
      ["--urgency", "HIGH"],
      /^--urgency cannot be sent: expected very-low, low, normal or high, not "HIGH"\.$/,
    ],
    [
      ["--collapse-key", "a b"],
      /^--collapse-key cannot be sent: expected 1 to 32 of A-Z .*, not "a b"\.$/,
    ],
    [
      ["--at", "2026-12-01T09:00"],
      /^--at cannot be sent: expected a moment with its time zone.*, not "2026-12-01T09:00"\.$/,
    ],
    [
      ["--at", "2020-01-01T09:00Z"],
      /^--at is "2020-01-01T09:00Z": expected a time to come, and now it is 2\d{3}-.*Z\.$/,
    ],
    [
      ["--at", "9999-01-01T09:00Z"],
      /^--at is "9999-.*": expected a time within 366 days, and now it is /,
    ],
    [
      ["--at-local", "2026-12-01T09:00Z"],
      /^--at-local cannot be sent: expected a time of day without time zone/,
    ],
    [
      ["--at-local", "2020-01-01T09:00"],
      /^--at-local is "2020-01-01T09:00": expected a time to come/,
    ],
    [
      ["--condition", "'a' in topic"],
      /^--condition is "'a' in topic": position 8: expected topics\.$/,
    ],
    [["--condition", ""], /^--condition cannot be sent: expected 1 to 1000 characters, not ""\.$/],
    [
      ["--condition", "'a' in topics || 'b' in topics"],
      /^There is no topic "a", there is no topic "b": sineta topics lists/,
    ],
    [
      ["--tokens", "unknown.txt"],
      /^There is no registration that can be reached with any token in "unknown.txt": check --tokens/,
    ],
    [["--tokens", "empty.txt"], /^--tokens cannot be sent: expected a file of 1 to 1000 tokens/],
    [["--tokens", "many.txt"], /^--tokens cannot be sent: expected a file of 1 to 1000 tokens/],
    [["--tokens", "long.txt"], /^--tokens cannot be sent: .* each of at most 100 characters/],
    [["--to", ""], /^--to is "": there is no registration with this token .*; check the token/],
    [["--to", "x".repeat(101)], /^--to is "x{60}…": there is no registration with this token/],
    [["--to", "cake"], /^--to is "cake": .*; check the token; a topic is given as --to topic:NAME/],
    [["--to", "bread"], /^--to is "bread": .*; for the topic give --to "topic:bread"\.$/],
    [
      ["--idempotency-key", "a b"],
      /^--idempotency-key is "a b": expected 1 to 255 visible ASCII characters\.$/,
    ],
    [["--silent", "--dir", "up", "--ttl", "x"], /^--dir cannot .*\. --ttl cannot [^.]*\.$/],
  ])("%j is refused in a sentence: status 1", async ([words, sentence]) => {
    writeFileSync(join(bench.folder, "unknown.txt"), randomToken());
    writeFileSync(join(bench.folder, "empty.txt"), "\n \n");
    writeFileSync(join(bench.folder, "long.txt"), "x".repeat(101));
    writeFileSync(join(bench.folder, "many.txt"), `${randomToken()}\n`.repeat(1_001));
    await sineta(["topics", "add", "bread"]);
    const { status, out, err } = await send(...words);
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).not.toContain("--to all");
    expect(err).toMatch(/^sineta: .*\n$/);
    expect(err.slice("sineta: ".length).trimEnd()).toMatch(sentence);
    expect(await data.store.messages.list(data.projectId, 10)).toEqual([]);
  });

  test.for<[words: string[], sentence: string]>([
    [["--to", "all", "--condition", "x"], "Either --to or --condition, not both"],
    [["--tokens", "x", "--condition", "x"], "Either --condition or --tokens, not both"],
    [["--at", "x", "--at-local", "x"], "Either --at or --at-local, not both"],
    [["--tokens", "missing.txt"], "The file of --tokens, "],
    [["--tokens", ""], `--tokens is ""`],
  ])("%j is wrong usage: status 2", async ([words, sentence]) => {
    const { status, out, err } = await send(...words);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toContain(`sineta: ${sentence}`);
  });
});

describe("the figures", () => {
  const nobody: MessageStatus = {
    id: "0199",
    target: { kind: "all" },
    notification: { title: "Olá" },
    ttlSeconds: 60,
    urgency: "normal",
    scheduleAt: "2026-12-01T12:00:00.000Z",
    createdAt: "2026-12-01T12:00:00.000Z",
    publisher: null,
    state: "done",
    audience: { registrations: 0, complete: true },
    counts: { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 },
    unsent: 0,
    byPushService: [],
    reasons: [],
    held: [],
    receipts: { displayed: 0, clicked: 0, closed: 0 },
    clicksByAction: {},
  };
  const nowMs = Date.parse("2026-12-01T12:01:00Z");
  const line = "0199: 0 accepted, 0 gone, 0 retry, 0 rejected, 0 failed";

  test.for<[target: MessageStatus["target"], why: string]>([
    [{ kind: "all" }, "\nNo browser is registered yet."],
    [{ kind: "topic", topic: "bread" }, "\nNobody is in the topic bread."],
    [{ kind: "condition", condition: "'a' in topics" }, "\nNobody is in such topics."],
    [{ kind: "user", userId: "42" }, "\nThe user 42 has no browser that is registered."],
    [{ kind: "token", token: "x" }, ""],
    [{ kind: "tokens", tokens: ["x"] }, ""],
  ])("are followed by a sentence where nobody was there to send to: %j", ([target, why]) => {
    expect(summary({ ...nobody, target }, nowMs)).toBe(`${line}${why}`);
  });

  test("stand alone where that is not known, or not so", () => {
    expect(summary({ ...nobody, state: "sending" }, nowMs)).toBe(`${line} (still being sent)`);
    expect(summary({ ...nobody, state: "scheduled" }, nowMs)).toBe(`${line} (still to be sent)`);
    expect(summary({ ...nobody, state: "cancelled", unsent: 3 }, nowMs)).toBe(
      `${line}, 3 unsent (cancelled)`,
    );
    for (const kind of ["accepted", "gone", "retry", "rejected", "failed"]) {
      const counts = { ...nobody.counts, [kind]: 1 };
      expect(summary({ ...nobody, counts }, nowMs)).toBe(line.replace(`0 ${kind}`, `1 ${kind}`));
    }
  });

  test("say what holds it", () => {
    const held = {
      pushService: "fcm",
      pushOrigin: "https://fcm.googleapis.com",
      reason: "vapid-refused",
      detail: "401 \u001b[31m",
      since: "2026-12-01T12:00:00.500Z",
      nextProbeAt: "2026-12-01T12:05:00.000Z",
    } as const;
    const text = (over: Partial<MessageStatus["held"][number]>, atMs = nowMs) =>
      summary({ ...nobody, state: "paused", unsent: 2, held: [{ ...held, ...over }] }, atMs);
    const head = `${line}, 2 unsent (held)\nfcm (https://fcm.googleapis.com) is held back since 2026-12-01T12:00:00Z`;
    const until = "It is tried again at 2026-12-01T12:05:00Z.";
    const refused = text({});
    expect(refused.startsWith(`${head}, vapid-refused: The VAPID `)).toBe(true);
    expect(refused).toContain(" It said: 401 ?[31m. Check ");
    expect(refused.endsWith(` ${until}`)).toBe(true);
    expect(text({ detail: "" })).not.toContain("It said");
    const detail = "tls-failed: unable to verify the first certificate";
    const outage = text({ reason: "unavailable", detail });
    expect(outage).toContain(`${head}, tls-failed: The TLS handshake failed`);
    expect(outage).toContain("The cause: unable to verify the first certificate.");
    expect(outage).toContain("NODE_EXTRA_CA_CERTS");
    expect(outage).not.toContain("It said");
    const probed = text({}, Date.parse(held.nextProbeAt));
    expect(probed).toContain("It is being tried now, or with the next push that is due.");
    expect(probed).not.toContain(until);
  });

  const reason = {
    pushService: "fcm",
    outcome: "retry",
    reason: "name-not-resolved",
    detail: "getaddrinfo ENOTFOUND fcm.googleapis.com",
    registrations: 3,
  } as const;

  test("say why pushes were not accepted", () => {
    const counts = { ...nobody.counts, retry: 3 };
    const text = summary({ ...nobody, state: "sending", counts, reasons: [reason] }, nowMs);
    expect(text.split("\n")[1]).toBe(
      "fcm: 3 to be tried again, name-not-resolved: DNS gave no answer for the push service's host. The cause: getaddrinfo ENOTFOUND fcm.googleapis.com. Check this machine's DNS: the name in the detail must resolve here. In a network without DNS, set SINETA_PUSH_ROUTES.",
    );
  });

  test.for(["name-not-resolved", "expired"])(
    "say that a message's time was over, where that is why: failed, %s",
    (code) => {
      const failed = { ...reason, outcome: "failed", reason: code } as const;
      const text = summary({ ...nobody, reasons: [failed] }, nowMs);
      expect(text).toContain(`fcm: 3 failed, ${code}: The message's time (its TTL) was over`);
      expect(text).toContain("getaddrinfo ENOTFOUND");
      expect(text).not.toContain("tried again");
    },
  );
});

describe("a dry run", () => {
  test("is a table, and a line for what would not be sent and for each warning", () => {
    const dryRun: DryRun = {
      plaintextBytes: 3_500,
      registrations: 12,
      byPushService: [
        {
          pushService: "fcm",
          registrations: 9,
          refused: [
            { reason: "vapid-key-unknown", detail: "its\nkey", registrations: 1 },
            { reason: "endpoint-not-allowed", detail: "", registrations: 4 },
          ],
          waiting: [
            { reason: "unavailable", detail: "connect-failed: ECONNREFUSED", registrations: 3 },
          ],
          warnings: [],
        },
        {
          pushService: "mozilla",
          registrations: 3,
          refused: [],
          waiting: [],
          warnings: ["Too large."],
        },
      ],
    };
    expect(dryRunText(dryRun))
      .toBe(`Nothing is sent. It would go to 12 registrations, in 3500 of 3993 bytes.
PUSH SERVICE  REGISTRATIONS  REFUSED  WAITING
fcm           9              5        3
mozilla       3              0        0
fcm: nothing would be sent to 1, vapid-key-unknown: It was made with a VAPID key that the project does not have. The cause: its?key. Put back the data folder that has the key; browsers that load the site subscribe with the present one.
fcm: nothing would be sent to 4, endpoint-not-allowed: The endpoint is none that Sineta may send to; the detail says why. If it is a push service of your own, allow its host with SINETA_PUSH_HOSTS.
fcm: held back, so these would wait: 3, connect-failed: No connection to the push service could be made, or it ended before any request. The cause: ECONNREFUSED. Check that this machine reaches the push service: its network and firewall (Sineta goes through no proxy), and SINETA_PUSH_ROUTES if that is set.
mozilla: Too large.
`);
    expect(dryRunText({ plaintextBytes: 90, registrations: 0, byPushService: [] })).toBe(
      "Nothing is sent. It would go to 0 registrations, in 90 of 3993 bytes.\n",
    );
  });
});
