import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openDataFolder } from "../data-folder.ts";
import { randomToken, setUp } from "../store/contract/bench.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import { makeData } from "../test/make-data.ts";
import { testPlaces } from "../test/places.ts";
import { runCommand } from "../test/run-command.ts";

let bench: ReturnType<typeof testPlaces>;
let id: string;
beforeEach(async () => {
  bench = testPlaces();
  await makeData(bench.dataFolder);
  id = idIn(await send("--at", at(1)));
});
afterEach(() => rmSync(bench.folder, { recursive: true }));

const sineta = (...words: string[]) => runCommand(words, bench);
const send = (...flags: string[]) => sineta("send", "--title", "Olá", "--body", "x", ...flags);
const idIn = ({ out }: { out: string }) => out.slice(0, 36);
const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const shown = async (which: string, name: string) =>
  new RegExp(`^${name} +(.+)$`, "m").exec((await sineta("messages", which)).out)?.[1];

async function messageIn(which: string) {
  const store = await openDataFolder(bench.dataFolder, Date.now());
  const { id: projectId } = await store.projects.ensure("default", Date.now());
  const message = await store.messages.find(projectId, which);
  await store.close();
  if (message === null) throw new Error("the message is not there");
  return message;
}

describe("sineta messages move", () => {
  test("gives a scheduled message another time, under another id", async () => {
    const moment = at(2);
    const moved = await sineta("messages", "move", id, "--at", moment);
    expect(moved).toMatchObject({ status: 0, err: "" });
    const next = idIn(moved);
    const when = `${moment.slice(0, 19)}Z`;
    expect(moved.out).toBe(
      `${next} waits: no server runs on ${bench.dataFolder}, sineta serve will send it at ${when}. It replaces ${id}.\n`,
    );
    expect(await shown(id, "state")).toBe("cancelled");
    expect(await shown(id, "replaced by")).toBe(next);
    expect(await shown(next, "state")).toBe("scheduled");
    expect(await shown(next, "replaces")).toBe(id);
    expect(await shown(next, "title")).toBe("Olá");
  });

  test("gives it a time of each reader's", async () => {
    const moved = await sineta("messages", "move", id, "--at-local", at(3).slice(0, 16));
    expect(await shown(idIn(moved), "time")).toContain("where each reader is");
  });

  test("names the tokens that have no registration any more", async () => {
    const data = await setUp({
      open: () => openSqliteStore(join(bench.dataFolder, "sineta.db"), 0),
      remove: async () => undefined,
    });
    const [token, gone] = [await data.add(), randomToken()];
    await data.store.close();
    const file = join(bench.folder, "tokens.txt");
    writeFileSync(file, `${token}\n${gone}\n`);
    const first = idIn(await send("--at", at(1), "--tokens", file));
    const { status, err } = await sineta("messages", "move", first, "--at", at(2));
    expect(status).toBe(0);
    expect(err).toContain(`There is no registration with this token`);
    expect(err).toContain(gone);
  });

  test("while delivery is held says when the message is due, and what a resume may do", async () => {
    await sineta("hold");
    const moment = at(2);
    const moved = await sineta("messages", "move", id, "--at", moment);
    expect(moved.out).toBe(
      `${idIn(moved)} waits: delivery is held, sineta resume ends that. It is due at ${moment.slice(0, 19)}Z. It replaces ${id}.\n`,
    );
    await sineta("hold", "--copy");
    const again = await sineta("messages", "move", idIn(moved), "--at", moment);
    expect(again.out).toContain(
      "sineta resume cancels it if another server may have sent the message that it replaces",
    );
  });

  test("of a message that was moved before names the message that replaced it", async () => {
    const next = idIn(await sineta("messages", "move", id, "--at", at(2)));
    const sentence = `sineta: The message ${next} has replaced it: cancel, move or replace that one.\n`;
    const refused = { status: 1, out: "", err: sentence };
    expect(await sineta("messages", "move", id, "--at", at(3))).toEqual(refused);
    expect(await sineta("messages", "cancel", id, "--yes")).toEqual(refused);
    expect(await shown(next, "state")).toBe("scheduled");
  });

  test.for([
    ["moved", (which: string) => ["messages", "move", which, "--at", at(2)]],
    ["replaced", (which: string) => ["send", "--replaces", which, "--title", "Oi"]],
  ] as const)("a message whose topic is gone is not %s, and is left", async ([, words]) => {
    await sineta("topics", "add", "pao", "--open");
    const toTopic = idIn(await send("--at", at(1), "--to", "topic:pao"));
    await sineta("topics", "remove", "pao", "--yes");
    expect(await sineta(...words(toTopic))).toEqual({
      status: 1,
      out: "",
      err: 'sineta: The message\'s audience cannot be reached any more, so it was not changed (topic-unknown: there is no topic "pao"): give it another audience with sineta send --replaces ID --to, or cancel it with sineta messages cancel ID.\n',
    });
    expect(await shown(toTopic, "state")).toBe("scheduled");
    expect(await sineta("send", "--replaces", toTopic, "--to", "all")).toMatchObject({ status: 0 });
  });

  test.for<[words: string[], sentence: RegExp]>([
    [["move"], /move needs the message's id/],
    [["move", "a"], /move needs --at or --at-local/],
    [["move", "a", "--at", "x", "--at-local", "y"], /Either --at or --at-local, not both/],
    [["move", "a", "--at", "2026-12-01T09:00Z", "--yes"], /--yes does not belong there/],
    [["a", "--at", "2026-12-01T09:00Z"], /--at and --at-local do not belong there/],
    [["cancel", "a", "--at-local", "x"], /--at and --at-local do not belong there/],
    [["mov", "a"], /Do you mean move/],
  ])("%j is wrong usage", async ([words, sentence]) => {
    const { status, out, err } = await sineta("messages", ...words);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toMatch(sentence);
  });

  test.for<[words: string[], sentence: string]>([
    [["--at", "tomorrow"], "--at cannot be sent: expected a moment with its time zone"],
    [["--at-local", "9h"], "--at-local cannot be sent: expected a time of day"],
    [["--at", "2020-01-01T09:00Z"], "expected a time to come"],
  ])("with %j changes nothing, and says what it expects", async ([words, sentence]) => {
    const { status, err } = await sineta("messages", "move", id, ...words);
    expect(status).toBe(1);
    expect(err).toContain(sentence);
    expect(await shown(id, "state")).toBe("scheduled");
  });
});

describe("sineta send --replaces", () => {
  const change = (which: string, ...flags: string[]) =>
    sineta("send", "--replaces", which, ...flags);

  test("with an idempotency key happens once, also if it is repeated after the message's time", async () => {
    const words = ["--title", "Oi", "--idempotency-key", "k", "--no-wait"];
    const next = idIn(await change(id, ...words));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * 86_400_000 });
    const repeated = await change(id, ...words);
    vi.useRealTimers();
    expect(repeated).toMatchObject({ status: 0, err: "" });
    expect(repeated.out).toContain(`${next} has this idempotency key already`);
  });

  test("that is repeated after the end of the message says that it has ended", async () => {
    const words = ["--title", "Oi", "--idempotency-key", "k", "--no-wait"];
    const next = idIn(await change(id, ...words));
    await sineta("messages", "cancel", next, "--yes");
    expect((await change(id, ...words)).out).toContain(
      `${next} has ended: sineta messages ${next} tells how. It replaces ${id}.\n`,
    );
  });

  test("changes what the flags say and nothing else: its audience and its time stay", async () => {
    await sineta("topics", "add", "pao", "--open");
    const first = idIn(
      await send("--at", at(3), "--to", "topic:pao", "--link", "/a", "--ttl", "60", "--tag", "t"),
    );
    const when = await shown(first, "time");
    const next = idIn(await change(first, "--title", "Oi"));
    expect(await shown(first, "replaced by")).toBe(next);
    expect(await shown(next, "title")).toBe("Oi");
    expect(await shown(next, "to")).toBe("topic:pao");
    expect(await shown(next, "time")).toBe(when);
    const stored = await messageIn(next);
    expect(stored.notification).toEqual({ title: "Oi", body: "x", link: "/a", tag: "t" });
    expect(stored).toMatchObject({ ttlSeconds: 60, replaces: first });
  });

  test("changes audience and time, also from a time of each reader's", async () => {
    const local = idIn(await change(id, "--at-local", at(3).slice(0, 16)));
    const moment = at(4);
    const next = idIn(await change(local, "--at", moment, "--to", "user:42"));
    expect(await shown(next, "time")).toBe(`${moment.slice(0, 19)}Z`);
    expect(await shown(next, "to")).toBe("user:42");
  });

  test.for(["x", "0199c0de-0000-7000-8000-000000000001"])("%s sends nothing", async (which) => {
    expect(await change(which, "--title", "Olá")).toEqual({
      status: 1,
      out: "",
      err: "sineta: There is no message with this id: sineta messages lists the latest ones.\n",
    });
    expect((await sineta("messages")).out.match(/Olá/g)).toHaveLength(1);
  });
});
