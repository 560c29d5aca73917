import { createHash, randomUUIDv7 } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { MessageTarget } from "@sineta/protocol";
import {
  MessageUnreadable,
  type Actor,
  type AuditEntry,
  type Idempotency,
  type NewMessage,
  type PublishedMessage,
  type Store,
} from "../port.ts";
import type { ContractBench } from "./bench.ts";
import { findMessage } from "./delivering.ts";

/** @param openAnother another store on the same database, as another process has one */
export function messageContract(
  bench: () => ContractBench,
  openAnother: () => Promise<Store>,
): void {
  /** Of a target that a later version might know. */
  const unreadable = (): NewMessage =>
    // @ts-expect-error this version knows no such kind
    bench().message({ target: { kind: "planet", planet: "mars" } });

  /** Ids sort by the millisecond they were made in; within one they do not. */
  async function publishInOrder(messages: readonly NewMessage[]): Promise<string[]> {
    const ids = messages.map((_, index) => `0199c0de-000${index}-7000-8000-000000000000`);
    for (const [index, message] of messages.entries()) {
      await bench().store.messages.publish({ ...message, id: ids[index] ?? "" }, 1);
    }
    return ids;
  }

  describe("messages", () => {
    test("are kept as they were published, after a restart too", async () => {
      const message = bench().message({
        target: { kind: "condition", condition: "'a' in topics && !('b' in topics)" },
        notification: {
          title: "Olá",
          body: "ção 🔔",
          link: "/x",
          icon: "https://a.example/i.png",
          image: "/image.png",
          badge: "/badge.png",
          tag: "pão",
          renotify: true,
          silent: false,
          requireInteraction: true,
          lang: "pt-BR",
          dir: "ltr",
          timestamp: 1_700_000_000_000,
          actions: [{ action: "ver", title: "Ver", link: "/ver" }],
        },
        data: { order: 7, nested: { list: [1, "two", null, true] } },
        ttlSeconds: 0,
        urgency: "high",
        collapseKey: "news",
        scheduledAtMs: 5_000,
        localTime: "2026-12-01T09:00",
      });
      expect(await bench().store.messages.publish(message, 7)).toEqual({ kind: "published" });
      await bench().reopen();
      expect(await findMessage(bench(), message.id)).toEqual({
        ...message,
        state: "scheduled",
        withReceipts: true,
        createdAtMs: 7,
        startedAtMs: null,
        endedAtMs: null,
        watermark: null,
        plannedTo: 0,
        plannedCount: 0,
        counts: { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 },
        receipts: { displayed: 0, clicked: 0, closed: 0 },
        publisher: null,
        replacedBy: null,
      });
    });

    test("are read unchanged where an earlier version accepted texts or links that this one refuses", async () => {
      const message = bench().message({
        notification: {
          title: "Promo \u0000\n",
          body: "a\tb",
          link: "https:/loja.example/promo",
          icon: "https://ana:segredo@loja.example/",
          image: "/a\\b",
          badge: "/a\\b",
          actions: [{ action: "1", title: "\u200b", link: "https:/loja.example" }],
        },
      });
      await bench().store.messages.publish(message, 1);
      const found = await findMessage(bench(), message.id);
      expect(found.notification).toEqual(message.notification);
    });

    test.for<MessageTarget>([
      { kind: "user", userId: "a\nb" },
      { kind: "topic", topic: ".." },
    ])(
      "are read where an earlier version accepted the target %j and this one refuses it",
      async (target) => {
        const message = bench().message({ target });
        await bench().store.messages.publish(message, 1);
        const found = await findMessage(bench(), message.id);
        expect(found.target).toEqual(target);
      },
    );

    test("are of their project alone", async () => {
      const { store, projectId } = bench();
      const message = bench().message();
      await store.messages.publish(message, 1);
      expect(await store.messages.find(projectId + 1, message.id)).toBeNull();
      expect(await store.messages.find(projectId, randomUUIDv7())).toBeNull();
    });

    test("are not published twice under one id", async () => {
      const message = bench().message();
      await bench().store.messages.publish(message, 1);
      await expect(
        bench().store.messages.publish(message, 2, idempotency("key", "x")),
      ).rejects.toThrow(/unique/i);
      expect((await findMessage(bench(), message.id)).createdAtMs).toBe(1);
    });

    test("one that cannot be read says so, and is named", async () => {
      const { store, projectId } = bench();
      const message = unreadable();
      await store.messages.publish(message, 1);
      const failure = await store.messages.find(projectId, message.id).catch((error) => error);
      expect(failure).toBeInstanceOf(MessageUnreadable);
      expect(failure).toMatchObject({ messageId: message.id });
    });

    test("are counted by state; a state without one is left out", async () => {
      const { store, message, projectId } = bench();
      expect(await store.messages.countByState()).toEqual({});
      const [first, second] = [message(), message()];
      for (const each of [first, second, message(), message()]) {
        await store.messages.publish(each, 1);
      }
      await store.delivery.startSending(first.id, 1_000);
      await store.messages.cancel(projectId, second.id, 1_000);
      expect(await store.messages.countByState()).toEqual({
        scheduled: 2,
        sending: 1,
        cancelled: 1,
      });
    });
  });

  describe("a list of messages", () => {
    test("has the latest first, so many and of its project alone", async () => {
      const { store, message, projectId } = bench();
      const { id: otherProject } = await store.projects.ensure("other", 1);
      const ids = await publishInOrder([message(), message(), message()]);
      await store.messages.publish(message({ projectId: otherProject }), 1);
      const latest = await store.messages.list(projectId, 2);
      expect(latest.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
      expect(latest[0]).toEqual(await findMessage(bench(), ids[2] ?? ""));
      expect(await store.messages.list(projectId, 9)).toHaveLength(3);
    });

    test("goes on before the one that it ended with", async () => {
      const { store, message, projectId } = bench();
      const ids = await publishInOrder([message(), message(), message()]);
      const idsBefore = async (limit: number, before?: string) =>
        (await store.messages.list(projectId, limit, before)).map(({ id }) => id);
      expect(await idsBefore(1, ids[2])).toEqual([ids[1]]);
      expect(await idsBefore(5, ids[2])).toEqual([ids[1], ids[0]]);
      expect(await idsBefore(5, ids[0])).toEqual([]);
    });

    test("leaves out what cannot be read, and is full all the same", async () => {
      const { store, message, projectId } = bench();
      const bad = unreadable();
      const ids = await publishInOrder([message(), bad, message(), bad, bad, bad, message(), bad]);
      const page = async (limit: number, before?: string) =>
        (await store.messages.list(projectId, limit, before)).map(({ id }) => id);
      expect(await page(2)).toEqual([ids[6], ids[2]]);
      expect(await page(2, ids[2])).toEqual([ids[0]]);
      expect(await page(3)).toEqual([ids[6], ids[2], ids[0]]);
      expect(await page(9)).toEqual([ids[6], ids[2], ids[0]]);
    });
  });

  describe("an idempotency key", () => {
    test("publishes once, and gives what it has published, after a restart too", async () => {
      const [first, second] = [bench().message(), bench().message()];
      const once = idempotency("key", "x");
      expect(await bench().store.messages.publish(first, 1, once)).toEqual({ kind: "published" });
      await bench().store.delivery.startSending(first.id, 1_000);
      await bench().reopen();
      const { store, projectId } = bench();
      expect(await store.messages.publish(second, 2, once)).toEqual({
        kind: "repeated",
        message: withoutPublisher(await store.messages.find(projectId, first.id)),
      });
      expect(await store.messages.find(projectId, second.id)).toBeNull();
    });

    test("of another request is refused, and nothing is published", async () => {
      const { store, projectId, message } = bench();
      const [first, second] = [message(), message()];
      await store.messages.publish(first, 1, idempotency("key", "x"));
      expect(await store.messages.publish(second, 2, idempotency("key", "y"))).toEqual({
        kind: "key-reused",
        messageId: first.id,
      });
      expect(await store.messages.find(projectId, second.id)).toBeNull();
      expect(await store.messages.list(projectId, 9)).toHaveLength(1);
    });

    test("is the project's own, and its letters count", async () => {
      const { store, message } = bench();
      const { id: otherProject } = await store.projects.ensure("other", 1);
      await store.messages.publish(message(), 1, idempotency("key", "x"));
      const others = [
        [message({ projectId: otherProject }), idempotency("key", "y")],
        [message(), idempotency("Key", "y")],
      ] as const;
      for (const [each, own] of others) {
        expect(await store.messages.publish(each, 1, own)).toEqual({ kind: "published" });
      }
      // Without a key each is another message.
      expect(await store.messages.publish(message(), 1)).toEqual({ kind: "published" });
      expect(await store.messages.publish(message(), 1)).toEqual({ kind: "published" });
    });

    test("is its publisher's own; a rotated API key's is its successor's, too", async () => {
      const { store, projectId, message } = bench();
      const by = (actor: Actor): AuditEntry => {
        return { actor, address: null, projectId, action: "x", subject: "", change: null };
      };
      const maker = by({ kind: "command-line", name: "" });
      const apiKey = async (hash: Uint8Array): Promise<Actor> => {
        const id = (await store.apiKeys.findByHash(hash, 1))?.id ?? 0;
        return { kind: "api-key", name: "", id };
      };
      const [old, other, next] = [hashOf("old"), hashOf("other"), hashOf("next")];
      const key = { projectId, name: "", scopes: ["send" as const], expiresAtMs: null };
      await store.apiKeys.add({ ...key, prefix: "sineta_1", hash: old }, maker, 1);
      await store.apiKeys.add({ ...key, prefix: "sineta_2", hash: other }, maker, 1);
      const rotated = { projectId, prefix: "sineta_1", expiresAtMs: 99 };
      await store.apiKeys.rotate(rotated, { prefix: "sineta_3", hash: next }, maker, 1);
      const first = await apiKey(old);
      const publishers: Actor[] = [
        first,
        await apiKey(other),
        { kind: "operator", name: "", id: first.id ?? 0 },
        { kind: "operator", name: "", id: 9 },
        maker.actor,
      ];
      const once = idempotency("key", "x");
      for (const actor of publishers) {
        expect(await store.messages.findPublished(projectId, once, actor)).toBeNull();
        const result = await store.messages.publish(message(), 1, once, by(actor));
        expect(result).toEqual({ kind: "published" });
      }
      for (const actor of [...publishers, await apiKey(next)]) {
        const repeated = await store.messages.publish(message(), 2, once, by(actor));
        expect(repeated.kind).toBe("repeated");
        expect(await store.messages.findPublished(projectId, once, actor)).toEqual(repeated);
      }
      expect(await store.messages.list(projectId, 9)).toHaveLength(publishers.length);
    });

    test("used by two stores at once publishes one message", async () => {
      const { store, projectId, message } = bench();
      const another = await openAnother();
      try {
        const once = idempotency("key", "x");
        const results = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            (index % 2 === 0 ? store : another).messages.publish(message(), 1, once),
          ),
        );
        const published = results.filter(({ kind }) => kind === "published");
        expect(published).toHaveLength(1);
        const [only] = await store.messages.list(projectId, 9);
        expect(results.filter((result) => result.kind === "repeated")).toEqual(
          Array.from({ length: 19 }, () => ({ kind: "repeated", message: withoutPublisher(only) })),
        );
        expect(await store.messages.list(projectId, 9)).toHaveLength(1);
      } finally {
        await another.close();
      }
    });
  });
}

function idempotency(key: string, request: string): Idempotency {
  return { key, requestHash: hashOf(request) };
}

function hashOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

/** As whoever repeats a publication is told of it. */
function withoutPublisher(message: PublishedMessage | null | undefined): object {
  const { publisher, replacedBy, ...rest } = message ?? { publisher: null, replacedBy: null };
  expect({ publisher, replacedBy }).toEqual({ publisher: null, replacedBy: null });
  return rest;
}
