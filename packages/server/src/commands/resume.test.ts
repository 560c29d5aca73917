import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deliverySchema } from "@sineta/protocol";
import { openDataFolder } from "../data-folder.ts";
import { openDefaultProject } from "../projects/open.ts";
import { takeServeLock } from "../serve-lock.ts";
import type { DeliveryHold, NewMessage, Store } from "../store/port.ts";
import { newMessage } from "../store/contract/new-message.ts";
import { testPlaces } from "../test/places.ts";
import { startSineta } from "../test/process.ts";
import { runCommand } from "../test/run-command.ts";

const hourMs = 3_600_000;
const asker = { actor: { kind: "command-line", name: "ana" }, address: null } as const;

let bench: ReturnType<typeof testPlaces>;
let store: Store;
let projectId: number;
let nowMs: number;
beforeEach(async () => {
  nowMs = Date.now();
  bench = testPlaces();
  const { dataFolder } = bench;
  store = await openDataFolder(dataFolder, nowMs);
  ({ id: projectId } = await openDefaultProject({ store, dataFolder, randomBytes, nowMs }));
});
afterEach(async () => {
  await store.close();
  rmSync(bench.folder, { recursive: true });
});

const sineta = (...words: string[]) => runCommand(words, bench);

/** Published so long ago, due then unless `over` says otherwise. */
async function publish(agoMs: number, over: Partial<NewMessage> = {}): Promise<string> {
  const atMs = nowMs - agoMs;
  const message = newMessage(projectId, { scheduledAtMs: atMs, ...over });
  await store.messages.publish(message, atMs);
  return message.id;
}

async function restore(): Promise<DeliveryHold> {
  const hold = { reason: "restored", sinceMs: nowMs - hourMs } as const;
  await store.hold.begin(hold, asker);
  return hold;
}

const stateOf = async (id: string) => (await store.messages.find(projectId, id))?.state;

describe("sineta hold", () => {
  test("--copy holds a copy that the server cannot notice, also after a plain hold", async () => {
    await sineta("hold");
    const { status, out } = await sineta("hold", "--copy");
    expect([status, out]).toEqual([0, "Delivery is held: sineta resume ends that.\n"]);
    expect((await store.hold.find())?.reason).toBe("cloned");
  });

  test("holds the delivery without a server, and says how to resume; a second one changes nothing", async () => {
    const first = await sineta("hold");
    expect(first).toEqual({
      status: 0,
      out: "Delivery is held: sineta resume ends that.\n",
      err: "",
    });
    const hold = await store.hold.find();
    expect(hold?.reason).toBe("asked");
    const second = await sineta("hold");
    expect(second.status).toBe(0);
    expect(second.out).toMatch(/^Delivery is held already, since \S+Z \(asked\): sineta resume/);
    expect(await store.hold.find()).toEqual(hold);
  });
});

test("sineta send does not wait while delivery is held, and says so", async () => {
  const unlock = takeServeLock(bench.dataFolder);
  await sineta("hold");
  const { status, out } = await sineta("send", "--title", "Olá", "--body", "x");
  unlock();
  expect(status).toBe(0);
  expect(out).toMatch(/^\S{36} waits: delivery is held, sineta resume ends that\.\n$/);
});

describe("sineta resume", () => {
  test("says that delivery is not held", async () => {
    const { status, out, err } = await sineta("resume");
    expect({ status, out, err }).toEqual({ status: 0, out: "Delivery is not held.\n", err: "" });
  });

  test("lists in groups what it would do, and asks; without a y delivery is still held", async () => {
    const old = await publish(2 * hourMs);
    const later = await publish(2 * hourMs, { scheduledAtMs: nowMs + hourMs });
    const local = await publish(2 * hourMs, {
      scheduledAtMs: nowMs - hourMs,
      localTime: "2026-12-01T09:00",
      notification: { title: "a\u001b[2J".padEnd(60, "x") },
    });
    const hold = await restore();
    const fresh = await publish(hourMs / 2);
    const over = await publish(hourMs / 2, { ttlSeconds: 60 });
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return "n";
    };
    const { status, out, err } = await runCommand(["resume"], { ...bench, ask });
    expect({ status, err }).toEqual({ status: 1, err: "Delivery is still held.\n" });
    expect(questions).toEqual(["Resume delivery? [y/N] "]);
    const groups = out.split("\n\n");
    expect(groups[0]).toMatch(/^Delivery is held since \S+Z: the data comes from a back-up\.$/);
    expect(groups[1]).toMatch(
      new RegExp(`^Would be cancelled.*: 2\\n  ID .*\\n  ${old}  Olá +scheduled .* -\\n  ${local}`),
    );
    expect(groups[1]).toMatch(/a\?\[2Jx+… +scheduled .*2026-12-01T09:00 local time/);
    expect(groups[2]).toMatch(new RegExp(`^Goes now: 1\\n.*\\n  ${fresh}  `));
    expect(groups[3]).toMatch(new RegExp(`^Goes at its time: 1\\n.*\\n  ${later}  `));
    expect(groups[4]).toMatch(new RegExp(`^Ends unsent.*: 1\\n.*\\n  ${over}  `));
    expect(await store.hold.find()).toEqual(hold);
    expect(await stateOf(old)).toBe("scheduled");
  });

  test("lists fifty messages at most, and says how many more there are", async () => {
    for (let count = 0; count < 60; count += 1) await publish(2 * hourMs);
    await restore();
    const { out } = await runCommand(["resume"], { ...bench, ask: async () => "" });
    expect(out.match(/ scheduled /g)).toHaveLength(50);
    expect(out).toContain("  and 10 more, which --json has\n");
  });

  test("after a y cancels what is due, sends the rest, and ends the hold", async () => {
    const old = await publish(2 * hourMs);
    await restore();
    const fresh = await publish(hourMs / 2);
    const { status, out, err } = await runCommand(["resume"], { ...bench, ask: async () => "y" });
    expect(status).toBe(0);
    expect(out).toMatch(/\nDelivery is resumed\. 1 message was cancelled\.\n$/);
    expect(err).toBe("No server runs: sineta serve sends what waits.\n");
    expect(await store.hold.find()).toBeNull();
    expect([await stateOf(old), await stateOf(fresh)]).toEqual(["cancelled", "scheduled"]);
  });

  test("sends what the operator names, or everything", async () => {
    const [one, two, three] = [
      await publish(2 * hourMs),
      await publish(2 * hourMs),
      await publish(2 * hourMs),
    ];
    await restore();
    await sineta("resume", "--yes", "--send", one, "--send", two);
    expect([await stateOf(one), await stateOf(two), await stateOf(three)]).toEqual([
      "scheduled",
      "scheduled",
      "cancelled",
    ]);
    await restore();
    await sineta("resume", "--yes", "--send-due");
    expect([await stateOf(one), await stateOf(two)]).toEqual(["scheduled", "scheduled"]);
    expect(await store.hold.find()).toBeNull();
  });

  test("lists what the flags change", async () => {
    const one = await publish(2 * hourMs);
    await publish(2 * hourMs);
    await restore();
    const list = async (...flags: string[]) => (await sineta("resume", ...flags)).out;
    expect(await list("--send-due")).toMatch(/^Goes now: 2\n/m);
    const named = await list("--send", one);
    expect(named).toMatch(/^Goes now: 1\n/m);
    expect(named).toMatch(/^Would be cancelled.*: 1\n/m);
  });

  test("spares a message that comes due while the question stands", async () => {
    const dueAtMs = Date.now() + hourMs;
    const later = await publish(2 * hourMs, { scheduledAtMs: dueAtMs });
    await restore();
    vi.spyOn(Date, "now");
    const ask = async () => {
      vi.mocked(Date.now).mockReturnValue(dueAtMs + 1);
      return "y";
    };
    const { out } = await runCommand(["resume"], { ...bench, ask });
    expect(out).toMatch(/\nDelivery is resumed\. 0 messages were cancelled\.\n$/);
    expect(await stateOf(later)).toBe("scheduled");
  });

  test("refuses an id that no message has, and changes nothing", async () => {
    const hold = await restore();
    const { status, err } = await sineta("resume", "--yes", "--send", "nothing");
    expect({ status, err }).toEqual({
      status: 1,
      err: "sineta: There is no message nothing: sineta resume lists the messages that wait.\n",
    });
    expect(await store.hold.find()).toEqual(hold);
  });

  test.for([
    [["--send-due", "--send", "x"], /--send-due sends all of them/],
    [["--json", "--yes"], /--json lists alone/],
  ] as const)("refuses %s", async ([words, sentence]) => {
    await restore();
    const { status, err } = await sineta("resume", ...words);
    expect(status).toBe(2);
    expect(err).toMatch(sentence);
    expect(await store.hold.find()).not.toBeNull();
  });

  test("asks for an answer or --yes where there is no terminal", async () => {
    await restore();
    const { status, err } = await sineta("resume");
    expect(status).toBe(2);
    expect(err).toContain("No answer came, so delivery is still held: answer y, or give --yes");
    expect(await store.hold.find()).not.toBeNull();
  });

  test("with --json lists all for programs, and resumes nothing", async () => {
    for (let count = 0; count < 60; count += 1) await publish(2 * hourMs);
    await restore();
    const { status, out } = await sineta("resume", "--json");
    expect(status).toBe(0);
    const delivery = deliverySchema.parse(JSON.parse(out));
    expect(delivery).toMatchObject({ state: "held", hold: { reason: "restored" } });
    expect(delivery.counts).toEqual({ cancel: 60, now: 0, later: 0, expire: 0 });
    expect(delivery.messages).toHaveLength(60);
    expect(await store.hold.find()).not.toBeNull();
  });

  test(
    "that is killed in the middle leaves the hold, and a second one ends it",
    { timeout: 120_000 },
    async () => {
      for (let count = 0; count < 1_000; count += 1) await publish(2 * hourMs);
      const hold = await restore();
      const database = new DatabaseSync(join(bench.dataFolder, "sineta.db"));
      const count = database.prepare("select count(*) as count from messages where state = ?");
      const inState = (state: string) => Number(count.get(state)?.["count"]);
      const resuming = startSineta(["resume", "--yes"], bench);
      while (inState("cancelled") === 0) await new Promise((resolve) => setImmediate(resolve));
      resuming.kill("SIGKILL");
      await resuming.ended;
      expect(inState("scheduled")).toBeGreaterThan(0);
      expect(await store.hold.find()).toEqual(hold);
      const left = inState("scheduled");
      const { status, out } = await sineta("resume", "--yes");
      expect(status).toBe(0);
      expect(out).toContain(`${left} messages were cancelled.`);
      expect(await store.hold.find()).toBeNull();
      expect(inState("cancelled")).toBe(1_000);
      database.close();
    },
  );
});
