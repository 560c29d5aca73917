import { randomUUIDv7 } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { NewMessage } from "../port.ts";
import { asNew, endAsGone, type ContractBench } from "./bench.ts";

const full = (retryAfterMs: number) => ({ kind: "quota-reached", retryAfterMs });

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
      expect(keys).toEqual([
        { id: vapidKeyId, publicKey: "key-1", sealedPrivateKey, createdAtMs: 1 },
      ]);
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

    const entry = {
      actor: { kind: "command-line", name: "reader" },
      address: null,
      action: "settings.changed",
      subject: "default",
    } as const;
    const usual = {
      displayName: "",
      receipts: true,
      origins: [] as string[],
      registrationsQuota: 2_000_000,
      messagesPerHourQuota: 1000,
    };

    test("settings change alone where they are named, of their project alone, and leave a line", async () => {
      const { store, projectId } = bench();
      const other = await store.projects.ensure("other", 2);
      expect(await store.projects.settings(projectId)).toEqual(usual);
      const change = { receipts: false, registrationsQuota: 5 };
      const then = { ...usual, ...change };
      expect(await store.projects.changeSettings(projectId, change, entry, 3)).toEqual(then);
      const more = { registrationsQuota: 5, messagesPerHourQuota: 0 };
      await store.projects.changeSettings(projectId, more, entry, 4);
      await store.projects.changeSettings(projectId, { receipts: false }, entry, 5);
      await store.projects.changeSettings(projectId, {}, entry, 6);
      await bench().reopen();
      const now = { ...then, messagesPerHourQuota: 0 };
      expect(await bench().store.projects.settings(projectId)).toEqual(now);
      expect(await bench().store.projects.settings(other.id)).toEqual(usual);
      const lines = await bench().store.audit.list([projectId, other.id], { limit: 9 });
      expect(lines).toMatchObject([
        {
          ...entry,
          projectId,
          atMs: 4,
          change: { messagesPerHourQuota: 0, before: { messagesPerHourQuota: 1000 } },
        },
        {
          ...entry,
          projectId,
          atMs: 3,
          change: { ...change, before: { receipts: true, registrationsQuota: 2_000_000 } },
        },
      ]);
      expect(lines[0]?.change).not.toHaveProperty("registrationsQuota");
    });

    test("origins are kept in their order, replaced as a whole, and told of as they were", async () => {
      const { store, projectId } = bench();
      const change = (origins: string[], nowMs: number) =>
        store.projects.changeSettings(projectId, { origins }, entry, nowMs);
      const two = ["https://b.example", "https://a.example:8443"];
      expect(await change(two, 3)).toEqual({ ...usual, origins: two });
      await change([...two], 4);
      await bench().reopen();
      expect(await bench().store.projects.settings(projectId)).toEqual({ ...usual, origins: two });
      await bench().store.projects.changeSettings(projectId, { origins: [] }, entry, 5);
      const lines = await bench().store.audit.list([projectId], { limit: 9 });
      expect(lines.map(({ atMs, change: told }) => [atMs, told])).toEqual([
        [5, { origins: [], before: { origins: two } }],
        [3, { origins: two, before: { origins: [] } }],
      ]);
    });

    test("live registrations are counted by the origin of their pages, of their project alone", async () => {
      const { store, projectId, candidate, add } = bench();
      const other = await store.projects.ensure("other", 2);
      expect(await store.projects.liveByPageOrigin(projectId)).toEqual([]);
      await add({ origin: "https://b.example", pushOrigin: "https://east.example" });
      await add({ origin: "https://b.example" });
      const token = await add({ origin: "https://b.example" });
      await add({ origin: "https://a.example" });
      await store.registrations.register(candidate({ projectId: other.id }), asNew, 3);
      const two = [
        { origin: "https://a.example", registrations: 1 },
        { origin: "https://b.example", registrations: 3 },
      ];
      expect(await store.projects.liveByPageOrigin(projectId)).toEqual(two);
      await store.registrations.leave(
        (await store.registrations.find(projectId, token))?.id ?? 0,
        4,
      );
      const [a] = two;
      expect(await store.projects.liveByPageOrigin(projectId)).toEqual([
        a,
        { origin: "https://b.example", registrations: 2 },
      ]);
    });

    test("no more live registrations than the quota allows, at once too; who is there stays and may come anew", async () => {
      const { store, projectId, candidate, message, add } = bench();
      const { registrations } = store;
      const other = await store.projects.ensure("other", 2);
      const token = await add();
      const { id } = (await registrations.find(projectId, token)) ?? { id: 0 };
      await store.projects.changeSettings(projectId, { registrationsQuota: 3 }, entry, 3);
      const refused = { kind: "refused", code: "quota-reached" };
      const many = await Promise.all(
        Array.from({ length: 5 }, () => registrations.register(candidate(), asNew, 4)),
      );
      expect(many.map(({ kind }) => kind)).toEqual(["new", "new", "refused", "refused", "refused"]);
      expect(many.at(-1)).toEqual(refused);
      expect(await registrations.countLive(projectId)).toBe(3);
      expect(
        await registrations.register(candidate({ projectId: other.id }), asNew, 4),
      ).toMatchObject({ kind: "new" });

      const own = candidate({ earlierToken: token });
      const renew = () => ({ kind: "renew", id }) as const;
      expect(await registrations.register(own, renew, 5)).toMatchObject({ kind: "renewed" });
      expect(await registrations.register(own, () => ({ kind: "refresh", id }), 5)).toMatchObject({
        kind: "refreshed",
      });

      await endAsGone(bench(), message(), id, 2);
      expect(await registrations.register(candidate(), asNew, 7)).toMatchObject({ kind: "new" });
      // It would come back as one too many.
      expect(await registrations.register(own, renew, 8)).toEqual(refused);
      expect((await registrations.find(projectId, token))?.endReason).toBe("gone");
      await store.projects.changeSettings(projectId, { registrationsQuota: 4 }, entry, 9);
      expect(await registrations.register(own, renew, 10)).toMatchObject({ kind: "renewed" });
      await registrations.leave(id, 11);
      expect(await registrations.register(candidate(), asNew, 12)).toMatchObject({ kind: "new" });
      expect(await registrations.register(candidate(), asNew, 13)).toEqual(refused);
    });

    test("no more messages within an hour than the quota allows; a repetition is none", async () => {
      const { store, projectId, message } = bench();
      const { messages } = store;
      const hour = 3_600_000;
      const at = (nowMs: number, id: Partial<NewMessage> = {}) =>
        messages.publish(message({ id: randomUUIDv7(), ...id }), nowMs);
      const published = { kind: "published" };
      const idempotency = { key: "k", requestHash: new Uint8Array(32) };
      await store.projects.changeSettings(projectId, { messagesPerHourQuota: 2 }, entry, 1);
      const other = await store.projects.ensure("other", 2);
      const first = message({ id: randomUUIDv7() });
      expect(await messages.publish(first, hour, idempotency)).toEqual(published);
      expect(await at(hour + 1000)).toEqual(published);
      expect(await at(hour + 5000)).toEqual(full(hour - 5000));
      expect(await at(hour + 5000, { projectId: other.id })).toEqual(published);
      expect(
        await messages.publish(message({ id: randomUUIDv7() }), hour + 5000, idempotency),
      ).toMatchObject({
        kind: "repeated",
        message: { id: first.id },
      });
      expect(await messages.list(projectId, 9)).toHaveLength(2);
      expect(await at(2 * hour - 1)).toEqual(full(1));
      expect(await at(2 * hour)).toEqual(published);
      expect(await at(2 * hour)).toEqual(full(1000));
      // A clock that was put back asks for an hour's patience, no more.
      expect(await at(5)).toEqual(full(hour));
      await store.projects.changeSettings(projectId, { messagesPerHourQuota: 0 }, entry, 1);
      expect(await at(9 * hour)).toEqual(full(hour));
    });
  });
}
