import type { Draft, DraftContent, DraftSummary } from "@sineta/protocol";
import { beforeEach, expect, test } from "vitest";
import type { Answer } from "../../../api/ask.ts";
import { createAutosave } from "./autosave.ts";
import { copiesOf, createLocalCopies } from "./local-copies.ts";

/** A server with one draft, which can be away, lose answers, or be changed by somebody else. */
function bench() {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    key: (index: number) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size;
    },
    clear: () => kept.clear(),
  };
  const server = {
    revision: 0,
    content: {} as DraftContent,
    fails: null as string | null,
    losesAnswer: false,
    /** What the draft was sent as. */
    messageId: null as string | null,
  };
  const timers = new Set<() => void>();
  const copies = createLocalCopies(storage, "baker", "this tab");
  const head = (): DraftSummary => ({
    id: "d",
    revision: server.revision,
    title: "",
    createdAt: "",
    changedAt: "",
    changedBy: null,
  });
  const published = (messageId: string) =>
    ({ ok: false, code: "draft-published", messageId }) as const;
  const autosave = createAutosave({
    id: "d",
    revision: 0,
    async save(revision, content): Promise<Answer<DraftSummary>> {
      if (server.fails !== null) return { ok: false, code: server.fails };
      if (server.messageId !== null) return published(server.messageId);
      if (revision !== server.revision) return { ok: false, code: "draft-changed" };
      server.revision += 1;
      server.content = content;
      if (server.losesAnswer) return { ok: false, code: "server-unreachable" };
      return { ok: true, body: head() };
    },
    async read(): Promise<Answer<Draft>> {
      if (server.messageId !== null) return published(server.messageId);
      if (server.revision === 0) return { ok: false, code: "draft-unknown" };
      return { ok: true, body: { ...head(), content: server.content } };
    },
    copies,
    now: () => 5,
    later(_milliseconds, act) {
      timers.add(act);
      return () => timers.delete(act);
    },
  });
  return {
    autosave,
    copies,
    otherTab: createLocalCopies(storage, "baker", "another tab"),
    server,
    kept,
    storage,
    /** Lets the time pass that it waits for. */
    async wait() {
      const due = [...timers];
      timers.clear();
      for (const act of due) act();
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    },
  };
}

let it: ReturnType<typeof bench>;
beforeEach(() => {
  it = bench();
});

test("what is typed is kept here at once, and at the server when it is quiet", async () => {
  it.autosave.change({ title: "P" });
  it.autosave.change({ title: "Pão" });
  expect(it.copies.take("d")).toMatchObject({ revision: 0, content: { title: "Pão" } });
  expect(it.server.revision).toBe(0);
  await it.wait();
  expect(it.server).toMatchObject({ revision: 1, content: { title: "Pão" } });
  expect(it.autosave.getState()).toEqual({ kind: "saved", atMs: 5 });
  expect(it.copies.list()).toEqual([]);
});

test("without the server, or the session, it stays here until that is back", async () => {
  for (const code of ["server-unreachable", "session-ended"]) {
    it.server.fails = code;
    it.autosave.change({ title: code });
    await it.wait();
    expect(it.autosave.getState()).toEqual({ kind: "kept-here", atMs: 5, code });
    expect(it.copies.take("d")?.content).toEqual({ title: code });
    it.server.fails = null;
    await it.wait();
    expect(it.server.content).toEqual({ title: code });
    expect(it.copies.take("d")).toBeNull();
  }
});

test("a lost answer is no change by somebody else", async () => {
  it.server.losesAnswer = true;
  it.autosave.change({ title: "a", rule: { every: true, lines: [] } });
  await it.wait();
  it.server.losesAnswer = false;
  // As a database may give it back.
  it.server.content = { rule: { lines: [], every: true }, title: "a" };
  await it.wait();
  expect(it.autosave.getState()).toMatchObject({ kind: "saved" });
  it.autosave.change({ title: "b" });
  await it.wait();
  expect(it.server).toMatchObject({ revision: 2, content: { title: "b" } });
});

test("what another tab has saved is not overwritten until somebody says so", async () => {
  it.server.revision = 7;
  it.server.content = { title: "theirs" };
  it.autosave.change({ title: "mine" });
  await it.wait();
  expect(it.autosave.getState()).toEqual({ kind: "changed-elsewhere" });
  it.autosave.change({ title: "mine still" });
  await it.wait();
  expect(it.server.content).toEqual({ title: "theirs" });
  expect(it.copies.take("d")?.content).toEqual({ title: "mine still" });
  await it.autosave.overwrite();
  expect(it.server).toMatchObject({ revision: 8, content: { title: "mine still" } });
  expect(it.autosave.getState()).toMatchObject({ kind: "saved" });
});

test("a browser that keeps nothing is told of, where the server is away, too", async () => {
  it.kept.set = () => {
    throw new Error("QuotaExceededError");
  };
  it.server.fails = "server-unreachable";
  it.autosave.change({ title: "a" });
  await it.wait();
  expect(it.autosave.getState()).toEqual({ kind: "lost", code: "server-unreachable" });
});

test("what was published is saved no more, and kept nowhere", async () => {
  it.autosave.change({ title: "a" });
  it.autosave.end();
  it.autosave.change({ title: "b" });
  await it.wait();
  expect(it.server.revision).toBe(0);
  expect(it.copies.list()).toEqual([]);
});

test("a draft that was sent meanwhile is saved no more; what was typed since stays here", async () => {
  it.server.messageId = "m";
  it.autosave.change({ title: "a" });
  await it.wait();
  const refusal = { code: "draft-published", messageId: "m" };
  expect(it.autosave.getState()).toEqual({ kind: "published", refusal });
  it.server.messageId = null;
  it.autosave.change({ title: "b" });
  it.autosave.retry();
  await it.wait();
  expect(it.server.revision).toBe(0);
  expect(it.autosave.getState()).toEqual({ kind: "published", refusal });
  expect(it.copies.take("d")?.content).toEqual({ title: "b" });
});

test("whoever wants to overwrite what was sent meanwhile is told so", async () => {
  it.server.revision = 7;
  it.autosave.change({ title: "mine" });
  await it.wait();
  it.server.messageId = "m";
  await it.autosave.overwrite();
  expect(it.autosave.getState()).toMatchObject({ kind: "published" });
});

test("what another tab has kept of the draft stays when this one saves, or sends", async () => {
  const theirs = { id: "d", revision: 1, content: { title: "theirs" }, savedAtMs: 4 };
  it.autosave.change({ title: "mine" });
  it.otherTab.keep(theirs);
  expect(it.copies.list()).toMatchObject([{ content: { title: "mine" } }]);
  await it.wait();
  expect(it.autosave.getState()).toMatchObject({ kind: "saved" });
  expect(it.copies.list()).toEqual([theirs]);
  it.autosave.change({ title: "mine, too" });
  it.autosave.end();
  expect(it.copies.list()).toEqual([theirs]);
});

test("a draft that is removed leaves no tab's copy behind, and no other draft goes with it", () => {
  const mine = { id: "d", revision: 1, content: { title: "mine" }, savedAtMs: 4 };
  const theirs = { ...mine, content: { title: "theirs" }, savedAtMs: 5 };
  const another = { ...mine, id: "another" };
  it.copies.keep(mine);
  it.otherTab.keep(theirs);
  it.copies.keep(another);
  expect(it.copies.remove("d")).toEqual(theirs);
  expect(it.copies.list()).toEqual([another]);
  expect(it.copies.remove("d")).toBeNull();
});

test("what a tab that is gone has kept is taken over by the one that opens the draft", () => {
  const theirs = { id: "d", revision: 1, content: { title: "theirs" }, savedAtMs: 4 };
  it.otherTab.keep(theirs);
  expect(it.copies.take("d")).toEqual(theirs);
  expect(it.copies.take("another")).toBeNull();
  expect(it.kept.size).toBe(1);
  it.copies.forget("d");
  expect(it.kept.size).toBe(0);
});

test("all that is kept for one operator can be removed, of every project and tab; others' stays", () => {
  const copy = { id: "d", revision: 0, content: { title: "a" }, savedAtMs: 4 };
  for (const owner of ["default:1", "second:1", "default:11"]) {
    for (const tab of ["one", "two"]) createLocalCopies(it.storage, owner, tab).keep(copy);
  }
  it.storage.setItem("sineta-colors", "dark");
  expect(copiesOf(it.storage, 1).count).toBe(4);
  copiesOf(it.storage, 1).remove();
  expect(copiesOf(it.storage, 1).count).toBe(0);
  expect(copiesOf(it.storage, 11).count).toBe(2);
  expect(it.kept.has("sineta-colors")).toBe(true);
});

test("a save that fails when the page is left keeps nothing anew: whoever logs out has removed it", async () => {
  it.server.fails = "session-ended";
  it.autosave.change({ title: "a" });
  it.autosave.retry();
  it.autosave.pause();
  expect(it.kept.size).toBe(1);
  it.copies.forget("d");
  await it.wait();
  expect(it.kept.size).toBe(0);
});
