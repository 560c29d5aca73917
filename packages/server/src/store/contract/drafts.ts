import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import type { AuditEntry, NewMessage, SaveDraft } from "../port.ts";
import type { ContractBench } from "./bench.ts";

export function draftContract(bench: () => ContractBench): void {
  let baker: number;
  const id = randomUUID();
  const audit = (): AuditEntry => ({
    actor: { kind: "operator", name: "baker@site.example" },
    address: null,
    projectId: bench().projectId,
    action: "draft.changed",
    subject: "",
    change: null,
  });
  const save = (over: Partial<SaveDraft> = {}, nowMs = 10) =>
    bench().store.drafts.save(
      {
        id,
        projectId: bench().projectId,
        revision: 0,
        title: "Pão",
        content: { title: "Pão" },
        changedBy: baker,
        replaces: null,
        ...over,
      },
      3,
      audit(),
      nowMs,
    );
  const find = (projectId = bench().projectId) => bench().store.drafts.find(projectId, id);
  const linesOf = async () =>
    (await bench().store.audit.list([bench().projectId], { limit: 99 })).length;

  describe("drafts", () => {
    beforeEach(async () => {
      const added = await bench().store.operators.add(
        { email: "baker@site.example", name: "baker", passwordHash: "x" },
        { projectId: bench().projectId, role: "editor" },
        audit(),
        1,
      );
      baker = added ?? 0;
    });

    test("are kept whole, with who changed them last and when, after a restart too", async () => {
      const content = { title: " Pão quente", actions: [{ title: "" }], at: null };
      expect(await save({ content })).toMatchObject({ kind: "saved", draft: { revision: 1 } });
      const replaces = "0199c0de-0000-7000-8000-000000000001";
      await save({ revision: 1, content: { title: "" }, title: "", replaces }, 20);
      await bench().reopen();
      expect(await find()).toEqual({
        id,
        projectId: bench().projectId,
        revision: 2,
        title: "",
        content: { title: "" },
        createdAtMs: 10,
        changedAtMs: 20,
        changedBy: "baker",
        replaces: "0199c0de-0000-7000-8000-000000000001",
      });
      expect(await find(bench().projectId + 1)).toBeNull();
    });

    test("are not overwritten by whoever has an older revision", async () => {
      await save();
      await save({ revision: 1, title: "second" });
      for (const revision of [0, 1, 3]) {
        expect(await save({ revision, title: "lost" })).toEqual({ kind: "changed" });
      }
      expect(await find()).toMatchObject({ revision: 2, title: "second" });
      expect(await save({ id: randomUUID(), revision: 1 })).toEqual({ kind: "changed" });
    });

    test("of one project are none of another's", async () => {
      const { store } = bench();
      const other = await store.projects.ensure("other", 1);
      await save();
      expect(await save({ projectId: other.id })).toEqual({ kind: "changed" });
      expect(await save({ projectId: other.id, revision: 1 })).toEqual({ kind: "changed" });
      expect(await store.drafts.remove(other.id, id, audit(), 9)).toBe(false);
      expect(await store.drafts.list(other.id)).toEqual([]);
      expect(await find()).toMatchObject({ revision: 1 });
    });

    test("are listed, the latest first, and are so many at most", async () => {
      const { store, projectId } = bench();
      const other = randomUUID();
      await save({}, 10);
      await save({ id: other, title: "other" }, 20);
      await save({ revision: 1 }, 30);
      const listed = await store.drafts.list(projectId);
      expect(listed.map((draft) => [draft.id, draft.revision])).toEqual([
        [id, 2],
        [other, 1],
      ]);
      expect(listed[0]).not.toHaveProperty("content");
      await save({ id: randomUUID() });
      expect(await save({ id: randomUUID() })).toEqual({ kind: "exhausted" });
      expect(await save()).toEqual({ kind: "changed" });
      expect(await save({ revision: 2 })).toMatchObject({ kind: "saved" });
      await store.drafts.remove(projectId, id, audit(), 9);
      expect(await save({ id: randomUUID() })).toMatchObject({ kind: "saved" });
    });

    test("that are published are there no more, and come back by no save", async () => {
      const { store, projectId, message } = bench();
      const other = await store.projects.ensure("other", 1);
      const publish = (over: Partial<NewMessage>, draftId: string, byte = 1) => {
        const once = { draftId, requestHash: hashOf(byte) };
        return store.messages.publish(message(over), 5, once, { ...audit(), projectId });
      };
      await save();
      await publish({ projectId: other.id }, id);
      expect(await find()).not.toBeNull();
      expect(await store.drafts.publishedAs(projectId, id)).toBeNull();
      const first = message();
      expect(await publish(first, id)).toEqual({ kind: "published" });
      expect(await store.drafts.list(projectId)).toEqual([]);
      expect(await store.drafts.publishedAs(projectId, id)).toBe(first.id);
      for (const revision of [0, 1, 2]) {
        expect(await save({ revision })).toEqual({ kind: "published", messageId: first.id });
      }
      expect(await find()).toBeNull();
      // Whoever asks again: what is the draft's is the project's.
      const asked = { draftId: id, requestHash: hashOf(1) };
      const another = { kind: "operator", name: "florist", id: 99 } as const;
      for (const result of [
        await publish({}, id),
        await store.messages.findPublished(projectId, asked, another),
      ]) {
        expect(result).toMatchObject({ kind: "repeated", message: { id: first.id } });
      }
      expect(await publish({}, id, 2)).toEqual({ kind: "key-reused", messageId: first.id });
      expect(await store.messages.list(projectId, 9)).toHaveLength(1);
      // A key that reads like it is another thing.
      const key = { key: id, requestHash: hashOf(1) };
      expect(await store.messages.findPublished(projectId, key, another)).toBeNull();
    });

    test("that come and go are told to the audit, each change is not", async () => {
      const { store, projectId } = bench();
      const before = await linesOf();
      await save();
      await save({ revision: 1 });
      await save({ revision: 1 });
      expect(await linesOf()).toBe(before + 1);
      expect(await store.drafts.remove(projectId, id, audit(), 9)).toBe(true);
      expect(await store.drafts.remove(projectId, id, audit(), 9)).toBe(false);
      expect(await linesOf()).toBe(before + 2);
    });

    test("that nobody touches any more are removed, the oldest first", async () => {
      const { store } = bench();
      const ids = [randomUUID(), randomUUID(), randomUUID()];
      for (const [index, each] of ids.entries()) await save({ id: each }, 30 - 10 * index);
      expect(await store.drafts.removeUntouched(10, 9)).toBe(0);
      expect(await store.drafts.removeUntouched(31, 2)).toBe(2);
      expect((await store.drafts.list(bench().projectId)).map((draft) => draft.id)).toEqual([
        ids[0],
      ]);
    });
  });
}

/** Of a request. */
function hashOf(byte: number): Uint8Array {
  return new Uint8Array(32).fill(byte);
}
