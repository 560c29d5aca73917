import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { AuditEntry } from "../port.ts";
import type { ContractBench } from "./bench.ts";

const image = (text: string) => ({
  hash: createHash("sha256").update(text).digest(),
  type: "png" as const,
  widthPixels: 3,
  heightPixels: 4,
  bytes: Buffer.from(text),
});

export function imageContract(bench: () => ContractBench): void {
  const audit = (): AuditEntry => ({
    actor: { kind: "operator", name: "baker@site.example" },
    address: null,
    projectId: bench().projectId,
    action: "image.changed",
    subject: "",
    change: null,
  });
  const add = (text: string, projectId = bench().projectId) =>
    bench().store.images.add(projectId, image(text), 2, audit(), 5);
  const linesOf = async () =>
    (await bench().store.audit.list([bench().projectId], { limit: 99 })).length;

  describe("images", () => {
    test("are read by their hash, byte by byte, after a restart too", async () => {
      await add("bread");
      await bench().reopen();
      const { store } = bench();
      const read = await store.images.read(image("bread").hash);
      expect(read?.type).toBe("png");
      expect(Buffer.from(read?.bytes ?? []).toString()).toBe("bread");
      expect(await store.images.read(image("rose").hash)).toBeNull();
      expect(await store.images.read(Buffer.alloc(0))).toBeNull();
    });

    test("are kept once, and told to the audit once", async () => {
      const { store, projectId } = bench();
      const before = await linesOf();
      expect(await add("bread")).toMatchObject({ kind: "added", image: { byteCount: 5 } });
      expect(await add("bread")).toMatchObject({ kind: "known", image: { createdAtMs: 5 } });
      expect(await store.images.list(projectId)).toHaveLength(1);
      expect(await linesOf()).toBe(before + 1);
    });

    test("are listed without their bytes, the newest first, and are so many at most", async () => {
      const { store, projectId } = bench();
      await add("bread");
      await add("rose");
      const listed = await store.images.list(projectId);
      expect(listed.map(({ hash }) => Buffer.from(hash))).toEqual([
        image("rose").hash,
        image("bread").hash,
      ]);
      expect(listed[0]).not.toHaveProperty("bytes");
      expect(await add("apple")).toEqual({ kind: "exhausted" });
      expect(await add("bread")).toMatchObject({ kind: "known" });
    });

    test("that two projects have are served until both have removed them", async () => {
      const { store, projectId } = bench();
      const other = await store.projects.ensure("other", 1);
      await add("bread");
      await add("bread", other.id);
      const { hash } = image("bread");
      expect(await store.images.remove(projectId, hash, audit(), 9)).toBe("removed");
      expect(await store.images.remove(projectId, hash, audit(), 9)).toBe("unknown");
      expect(await store.images.read(hash)).not.toBeNull();
      expect(await store.images.remove(other.id, hash, audit(), 9)).toBe("removed");
      expect(await store.images.read(hash)).toBeNull();
    });

    test("tell what shows them, and stay while a message shows them that has not ended", async () => {
      const { store, projectId, message } = bench();
      const { hash } = image("bread");
      expect(await store.images.uses(projectId, hash)).toBeNull();
      await add("bread");
      await add("rose");
      expect(await store.images.uses(projectId, hash)).toEqual({ drafts: 0, messages: 0 });
      const address = `https://site.example/images/${hash.toString("base64url")}.png`;
      const operator = await store.operators.add(
        { email: "baker@site.example", name: "baker", passwordHash: "x" },
        { projectId, role: "editor" },
        audit(),
        1,
      );
      for (const [index, icon] of [address, address, "https://site.example/rose.png"].entries()) {
        const draft = { id: `draft ${index}`, projectId, revision: 0, title: "", replaces: null };
        await store.drafts.save(
          { ...draft, content: { icon }, changedBy: operator ?? 0 },
          9,
          audit(),
          5,
        );
      }
      const shows = message({ notification: { title: "x", image: address } });
      await store.messages.publish(shows, 1);
      await store.messages.publish(message(), 1);
      expect(await store.images.uses(projectId, hash)).toEqual({ drafts: 2, messages: 1 });
      const rose = image("rose").hash;
      expect(await store.images.uses(projectId, rose)).toEqual({ drafts: 0, messages: 0 });

      const before = await linesOf();
      for (const goOn of [
        async () => undefined,
        () => store.delivery.startSending(shows.id, shows.scheduledAtMs),
      ]) {
        await goOn();
        expect(await store.images.remove(projectId, hash, audit(), 9)).toBe("in-use");
      }
      expect(await store.images.read(hash)).not.toBeNull();
      expect(await linesOf()).toBe(before);
      await store.messages.cancel(projectId, shows.id, 9);
      expect(await store.images.uses(projectId, hash)).toEqual({ drafts: 2, messages: 0 });
      expect(await store.images.remove(projectId, hash, audit(), 9)).toBe("removed");
      expect(await linesOf()).toBe(before + 1);
    });
  });
}
