import { describe, expect, test } from "vitest";
import type { ContractBench } from "./bench.ts";

export function projectContract(bench: () => ContractBench): void {
  describe("projects", () => {
    test("ensure makes a project once", async () => {
      const { store, projectId } = bench();
      expect(await store.projects.ensure("default", 2)).toEqual({ id: projectId, name: "default" });
      expect((await store.projects.ensure("other", 2)).id).not.toBe(projectId);
    });

    test("the first VAPID key is added once, and kept byte by byte", async () => {
      const { store, projectId, vapidKeyId } = bench();
      const second = { publicKey: "key-2", sealedPrivateKey: Buffer.from("other") };
      expect(await store.projects.addFirstVapidKey(projectId, second, 2)).toBe(false);
      await bench().reopen();
      const keys = await bench().store.projects.vapidKeys(projectId);
      const sealedPrivateKey = new Uint8Array(Buffer.from("sealed"));
      expect(keys).toEqual([{ id: vapidKeyId, publicKey: "key-1", sealedPrivateKey }]);
    });

    test("the first secret of a purpose is added once, of its project alone, byte by byte", async () => {
      const { store, projectId } = bench();
      const other = await store.projects.ensure("other", 2);
      const add = (id: number, purpose: "receipts" | "users", text: string) =>
        store.projects.addFirstSecret(id, purpose, Buffer.from(text), 2);
      expect(await store.projects.secret(projectId, "receipts")).toBeNull();
      expect(await add(projectId, "receipts", "first")).toBe(true);
      expect(await add(projectId, "receipts", "second")).toBe(false);
      expect(await add(projectId, "users", "users'")).toBe(true);
      expect(await store.projects.secret(other.id, "receipts")).toBeNull();
      expect(await add(other.id, "receipts", "other's")).toBe(true);
      await bench().reopen();
      const read = async (id: number, purpose: "receipts" | "users") =>
        Buffer.from((await bench().store.projects.secret(id, purpose)) ?? []).toString();
      expect(await read(projectId, "receipts")).toBe("first");
      expect(await read(projectId, "users")).toBe("users'");
      expect(await read(other.id, "receipts")).toBe("other's");
    });
  });
}
