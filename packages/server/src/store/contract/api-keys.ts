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
  const find = (byte: number) => bench().store.apiKeys.findByHash(hash(byte), 5);

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
      await store.apiKeys.revoke(projectId, "sineta_b", audited, 9);
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
      expect(await store.apiKeys.revoke(projectId + 1, "sineta_1", audited, 9)).toBe(false);
      expect(await store.apiKeys.revoke(projectId, "sineta_", audited, 9)).toBe(false);
      expect(await find(1)).not.toBeNull();
      expect(await store.apiKeys.revoke(projectId, "sineta_1", audited, 9)).toBe(true);
      expect(await store.apiKeys.revoke(projectId, "sineta_1", audited, 10)).toBe(false);
      expect(await find(1)).toBeNull();
      expect(await store.apiKeys.list(projectId)).toMatchObject([{ revokedAtMs: 9 }]);
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
