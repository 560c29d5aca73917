import { describe, expect, test } from "vitest";
import type { AuditEntry } from "../port.ts";
import type { ContractBench } from "./bench.ts";

const minuteMs = 60_000;
const hash = (byte: number) => Buffer.alloc(32, byte);

const audited: AuditEntry = {
  actor: { kind: "command-line", name: "root" },
  address: null,
  projectId: null,
  action: "api-key.changed",
  subject: "sineta_1",
  change: null,
};

export function apiKeyContract(bench: () => ContractBench): void {
  const add = (byte: number, over: { projectId?: number; name?: string; prefix?: string } = {}) =>
    bench().store.apiKeys.add(
      {
        projectId: bench().projectId,
        name: "shop",
        prefix: `sineta_${byte}`,
        hash: hash(byte),
        scopes: ["send", "read"],
        expiresAtMs: null,
        ...over,
      },
      audited,
      5,
    );
  const revoke = (
    prefix: string,
    nowMs: number,
    { cancel = false, project = bench().projectId } = {},
  ) =>
    bench().store.apiKeys.revoke(
      { projectId: project, prefix },
      { cancel, named: 2 },
      audited,
      nowMs,
    );
  const find = (byte: number) => bench().store.apiKeys.findByHash(hash(byte), 5);

  const idOf = async (byte: number) => (await find(byte))?.id ?? 0;

  describe("API keys", () => {
    test("are found by their hash, after a restart too, and their hash is not given", async () => {
      await add(1);
      await add(2, { name: "" });
      await bench().reopen();
      expect(await find(1)).toEqual({
        id: expect.any(Number),
        projectId: bench().projectId,
        name: "shop",
        prefix: "sineta_1",
        scopes: ["send", "read"],
        createdAtMs: 5,
        lastUsedAtMs: null,
        expiresAtMs: null,
        revokedAtMs: null,
        createdBy: { kind: "command-line", name: null },
      });
      expect(await find(2)).toMatchObject({ prefix: "sineta_2", name: "" });
      expect(await find(3)).toBeNull();
      expect(await bench().store.apiKeys.findByHash(hash(1).subarray(0, 31), 5)).toBeNull();
    });

    test("have a hash and a prefix of their own", async () => {
      const { store } = bench();
      const other = await store.projects.ensure("other", 1);
      await add(1);
      await expect(add(1, { prefix: "sineta_x" })).rejects.toThrow(/unique/i);
      await expect(add(2, { prefix: "sineta_1" })).rejects.toThrow(/unique/i);
      await add(2, { prefix: "sineta_1", projectId: other.id });
      expect(await find(2)).toMatchObject({ projectId: other.id });
      expect(await store.apiKeys.list(other.id)).toHaveLength(1);
    });

    test("are listed, the oldest first, of their project, revoked ones too", async () => {
      const { store, projectId } = bench();
      const other = await store.projects.ensure("other", 1);
      await add(2, { prefix: "sineta_b" });
      await add(1, { prefix: "sineta_a" });
      await add(3, { projectId: other.id });
      await revoke("sineta_b", 9);
      const keys = await store.apiKeys.list(projectId);
      expect(keys.map(({ prefix, revokedAtMs }) => [prefix, revokedAtMs])).toEqual([
        ["sineta_b", 9],
        ["sineta_a", null],
      ]);
      expect(keys[1]).toEqual(await find(1));
    });

    test("that are revoked are not found any more; that happens once, in their project", async () => {
      const { store, projectId } = bench();
      await add(1);
      expect(await revoke("sineta_1", 9, { project: projectId + 1 })).toBeNull();
      expect(await revoke("sineta_", 9)).toBeNull();
      expect(await find(1)).not.toBeNull();
      expect(await revoke("sineta_1", 9)).toEqual({ count: 0, first: [], cancelled: false });
      expect(await revoke("sineta_1", 10)).toBeNull();
      expect(await find(1)).toBeNull();
      expect(await store.apiKeys.list(projectId)).toMatchObject([{ revokedAtMs: 9 }]);
    });

    test("that are revoked give up what they have published, and what those did that they succeed", async () => {
      const { store, projectId, message } = bench();
      await add(1);
      await add(9);
      const publish = async (keyId: number | null, scheduledAtMs: number, title: string) => {
        const one = message({ scheduledAtMs, notification: { title } });
        const audit = { ...audited, actor: { kind: "api-key", name: "", id: keyId ?? 0 } } as const;
        const result = await store.messages.publish(
          one,
          6,
          undefined,
          keyId === null ? audited : audit,
        );
        expect(result).toEqual({ kind: "published" });
        return one.id;
      };
      const first = await publish(await idOf(1), 3_000, "first");
      const foreign = [
        await publish(await idOf(9), 1, "another key's"),
        await publish(null, 1, "nobody's"),
      ];
      const successor = { prefix: "sineta_2", hash: hash(2) };
      const old = { projectId, prefix: "sineta_1", expiresAtMs: 5 };
      expect(await store.apiKeys.rotate(old, successor, audited, 4)).toBe(true);
      const second = await publish(await idOf(2), 2_000, "second");
      const third = await publish(await idOf(2), 4_000, "third");
      const ended = await publish(await idOf(2), 1_000, "ended");
      await store.messages.cancel(projectId, ended, 7);

      const open = {
        count: 3,
        first: [
          { id: second, title: "second", state: "scheduled", scheduledAtMs: 2_000 },
          { id: first, title: "first", state: "scheduled", scheduledAtMs: 3_000 },
        ],
      };
      expect(await revoke("sineta_2", 8)).toEqual({ ...open, cancelled: false });
      const stateOf = async (id: string) => (await store.messages.find(projectId, id))?.state;
      expect(await stateOf(third)).toBe("scheduled");
      // Once more, and with them.
      expect(await revoke("sineta_2", 9, { cancel: true })).toEqual({ ...open, cancelled: true });
      for (const id of [first, second, third]) {
        expect(await store.messages.find(projectId, id)).toMatchObject({
          state: "cancelled",
          endedAtMs: 9,
        });
      }
      for (const id of foreign) expect(await stateOf(id)).toBe("scheduled");
      expect(await store.messages.find(projectId, ended)).toMatchObject({ endedAtMs: 7 });
      expect(await revoke("sineta_2", 10, { cancel: true })).toMatchObject({ count: 0 });
    });

    test("that have ended publish nothing, however early they began", async () => {
      const { store, projectId, message } = bench();
      await add(1);
      const { id = 0 } = (await find(1)) ?? {};
      const audit = { ...audited, actor: { kind: "api-key", name: "", id } } as const;
      const publish = (nowMs: number) => store.messages.publish(message(), nowMs, undefined, audit);
      expect(await publish(8)).toEqual({ kind: "published" });
      await revoke("sineta_1", 9);
      expect(await publish(9)).toEqual({ kind: "key-ended" });
      expect(await store.messages.list(projectId, 10)).toHaveLength(1);
    });

    test("know who made them, by the name that an operator has now; those that are good are found by it", async () => {
      const { store, projectId } = bench();
      const operator = { email: "baker@site.example", name: "baker", passwordHash: "x" };
      const owner = { projectId, role: "owner" } as const;
      await store.operators.add({ ...operator, email: "florist@site.example" }, owner, audited, 5);
      const id = (await store.operators.add(operator, owner, audited, 5)) ?? 0;
      const byBaker = {
        ...audited,
        actor: { kind: "operator", name: operator.email, id },
      } as const;
      const made = { projectId, name: "", scopes: ["send" as const], expiresAtMs: null };
      for (const byte of [1, 2, 3, 4]) {
        const expiresAtMs = byte === 3 ? 50 : null;
        await store.apiKeys.add(
          { ...made, expiresAtMs, prefix: `sineta_${byte}`, hash: hash(byte) },
          byte === 4 ? audited : byBaker,
          5,
        );
      }
      await revoke("sineta_2", 9);
      const good = async (nowMs: number, project: number | null) =>
        (await store.apiKeys.madeBy(id, project, nowMs)).map(({ prefix }) => prefix);
      expect(await good(10, projectId)).toEqual(["sineta_1", "sineta_3"]);
      expect(await good(50, null)).toEqual(["sineta_1"]);
      expect(await good(10, projectId + 1)).toEqual([]);
      expect(await find(1)).toMatchObject({ createdBy: { kind: "operator", name: "baker" } });
      await store.operators.remove(id, audited, 11);
      expect(await find(1)).toMatchObject({ createdBy: { kind: "operator", name: null } });
      expect(await good(11, null)).toEqual(["sineta_1", "sineta_3"]);
    });

    test("remember when they were used, to the minute, whichever way the clock goes", async () => {
      const { store } = bench();
      await add(1);
      await add(2);
      const { id = 0 } = (await find(1)) ?? {};
      const used = async (nowMs: number) => {
        await store.apiKeys.touch(id, nowMs);
        return (await find(1))?.lastUsedAtMs;
      };
      expect(await used(1_000)).toBe(1_000);
      expect(await used(1_000 + minuteMs - 1)).toBe(1_000);
      expect(await used(1_000 + minuteMs)).toBe(1_000 + minuteMs);
      // Set back by two hours, it would else have been used in the future all that time.
      const back = 1_000 - 120 * minuteMs;
      expect(await used(back)).toBe(back);
      expect((await find(2))?.lastUsedAtMs).toBeNull();
    });
  });
}
