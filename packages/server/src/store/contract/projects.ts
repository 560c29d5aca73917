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
  });
}
