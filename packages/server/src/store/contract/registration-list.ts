import { randomUUIDv7 } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { RegistrationFilter } from "../port.ts";
import { removal } from "./audience-figures.ts";
import { endAsGone, randomToken, type ContractBench } from "./bench.ts";
import { startMessage } from "./delivering.ts";
import { addMember, addTopic, idOf } from "./members.ts";

export function registrationListContract(bench: () => ContractBench): void {
  /** All that a filter finds, by pages; and how many pages that took. */
  async function walk(filter: RegistrationFilter, options: { limit: number; keys: number }) {
    const { store, projectId } = bench();
    const ids: number[] = [];
    let pages = 0;
    let beforeId: number | undefined;
    for (;;) {
      const page = await store.audience.list(projectId, filter, { ...options, beforeId });
      pages += 1;
      expect(page.registrations.length).toBeLessThanOrEqual(options.limit);
      ids.push(...page.registrations.map(({ id }) => id));
      if (page.next === null) return { ids, pages };
      expect(page.next).toBeLessThan(beforeId ?? Number.MAX_SAFE_INTEGER);
      beforeId = page.next;
    }
  }

  describe("registrations, listed", () => {
    test("newest first, each once, however they are paged; another project's never", async () => {
      const { store, add } = bench();
      const other = await store.projects.ensure("other", 1);
      for (let count = 0; count < 10; count += 1) {
        await add({ browser: count % 5 === 0 ? "firefox" : "chrome" });
        await add({ projectId: other.id });
      }
      const every = await walk({}, { limit: 100, keys: 100 });
      expect(every.ids).toHaveLength(10);
      expect(every.ids).toEqual(every.ids.toSorted((one, two) => two - one));
      expect(every.pages).toBe(1);
      expect((await walk({}, { limit: 3, keys: 100 })).ids).toEqual(every.ids);
      expect((await walk({}, { limit: 3, keys: 2 })).ids).toEqual(every.ids);
      const few = await walk({ browser: "firefox" }, { limit: 100, keys: 100 });
      expect(few.ids).toHaveLength(2);
      // It looks at no more than it may, and says where to go on.
      const slow = await walk({ browser: "firefox" }, { limit: 100, keys: 2 });
      expect(slow.ids).toEqual(few.ids);
      expect(slow.pages).toBeGreaterThan(4);
      expect((await walk({ browser: "firefox" }, { limit: 1, keys: 2 })).ids).toEqual(few.ids);
    });

    test("by topic, user and token, and by these together", async () => {
      const { store, projectId, message } = bench();
      const [bread, cake] = [await addTopic(bench(), "bread"), await addTopic(bench(), "cake")];
      const ids: number[] = [];
      for (let count = 0; count < 6; count += 1) {
        const joins = count % 2 === 0 ? [bread.id] : [bread.id, cake.id];
        const userId = count < 3 ? "reader" : null;
        ids.push(await addMember(bench(), { joins, userId }, { newToken: randomToken() }));
      }
      const [first = 0, , , , , last = 0] = ids;
      const options = { limit: 2, keys: 3 };
      const found = async (filter: RegistrationFilter) => (await walk(filter, options)).ids;
      expect(await found({ topicId: bread.id })).toEqual(ids.toReversed());
      expect(await found({ topicId: cake.id })).toEqual([ids[5], ids[3], ids[1]]);
      expect(await found({ userId: "reader" })).toEqual([ids[2], ids[1], ids[0]]);
      expect(await found({ userId: "reader", topicId: cake.id })).toEqual([ids[1]]);
      await endAsGone(bench(), message(), first, 1);
      expect(await found({ topicId: bread.id, state: "gone" })).toEqual([first]);
      expect(await found({ userId: "reader", state: "live" })).toEqual([ids[2], ids[1]]);
      const { registrations } = await store.audience.list(projectId, {}, { limit: 1, keys: 9 });
      const token = registrations[0]?.token ?? "";
      expect(await found({ token })).toEqual([last]);
      expect(await found({ token, topicId: cake.id })).toEqual([last]);
      expect(await found({ token, userId: "reader" })).toEqual([]);
      expect(await found({ token, state: "gone" })).toEqual([]);
      expect(await found({ token: "nobody" })).toEqual([]);
    });
  });

  test("registrations, listed with more of each, have their time zones and topics", async () => {
    const { store, projectId } = bench();
    const [cake, bread] = [await addTopic(bench(), "cake"), await addTopic(bench(), "bread")];
    await store.topics.edit(projectId, "cake", { displayName: "Bolo" });
    await addMember(bench(), { joins: [cake.id, bread.id] }, { newToken: randomToken() });
    const bare = { newToken: randomToken(), timeZone: null };
    await addMember(bench(), { joins: [] }, bare);
    await addMember(bench(), { joins: [cake.id] }, { newToken: randomToken() });
    const page = { limit: 2, keys: 9 };
    for (const beforeId of [undefined, 3]) {
      const listed = await store.audience.list(projectId, {}, { ...page, beforeId });
      const { registrations, next } = await store.audience.listDetailed(
        projectId,
        {},
        { ...page, beforeId },
      );
      const without = registrations.map(({ timeZone: _zone, topics: _topics, ...rest }) => rest);
      expect({ registrations: without, next }).toEqual(listed);
    }
    const every = await store.audience.listDetailed(projectId, {}, { limit: 9, keys: 9 });
    expect(every.registrations.map(({ timeZone, topics }) => [timeZone, topics])).toEqual([
      ["America/Sao_Paulo", [{ name: "cake", displayName: "Bolo" }]],
      [null, []],
      [
        "America/Sao_Paulo",
        [
          { name: "bread", displayName: "bread" },
          { name: "cake", displayName: "Bolo" },
        ],
      ],
    ]);
    const ofTopic = { topicId: bread.id };
    const found = await store.audience.listDetailed(projectId, ofTopic, { limit: 9, keys: 9 });
    expect(found.registrations.map(({ topics }) => topics.length)).toEqual([2]);
  });

  describe("the story of a registration", () => {
    test("has what is known of it, and nothing that leads to its browser", async () => {
      const { store, projectId, candidate, message } = bench();
      const bread = await addTopic(bench(), "bread", "kept");
      const newToken = randomToken();
      const own = { newToken, pushOrigin: "https://push.example", auth: "secret-auth" };
      const id = await addMember(bench(), { userId: "reader", joins: [bread.id] }, own);
      await store.topics.edit(projectId, "bread", { displayName: "Pão do dia" });
      await store.registrations.register(candidate(), () => ({ kind: "renew", id }), 3);
      const title = "Pão quente";
      const due = message({ id: randomUUIDv7(), scheduledAtMs: 7, notification: { title } });
      await endAsGone(bench(), due, id, 2);
      const receipt = { projectId, messageId: due.id, token: newToken };
      await store.receipts.add({ ...receipt, event: "clicked", action: "buy" }, 8);
      const story = await store.audience.story(projectId, newToken, 10);
      expect(story).toEqual({
        id,
        token: newToken,
        state: "gone",
        pushOrigin: "https://push.example",
        browser: "chrome",
        system: "linux",
        language: "pt",
        origin: "https://site.example",
        userId: "reader",
        createdAtMs: 1,
        refreshedAtMs: 3,
        loss: null,
        renewedAtMs: 3,
        refusedAtMs: null,
        endedAtMs: 7,
        locale: "pt-BR",
        timeZone: "America/Sao_Paulo",
        generation: 2,
        topics: [{ name: "bread", displayName: "Pão do dia", policy: "kept", joinedAtMs: 1 }],
        exceptions: [
          {
            messageId: due.id,
            title,
            outcome: "gone",
            reason: "gone",
            detail: "",
            attempts: 1,
            atMs: 7,
          },
        ],
        receipts: [{ messageId: due.id, title, event: "clicked", action: "buy", atMs: 8 }],
      });
      expect(await store.audience.story(projectId + 1, newToken, 10)).toBeNull();
      expect(await store.audience.story(projectId, "nobody", 10)).toBeNull();
    });

    test("is bounded: the newest are told", async () => {
      const { store, projectId, add, message } = bench();
      const token = await add();
      for (let count = 1; count <= 3; count += 1) {
        const { id } = message();
        await store.messages.publish(message({ id, scheduledAtMs: 1e12 }), count);
        const event = "displayed" as const;
        await store.receipts.add({ projectId, messageId: id, token, event, action: null }, count);
      }
      const story = await store.audience.story(projectId, token, 2);
      expect(story?.receipts.map(({ atMs }) => atMs)).toEqual([3, 2]);
    });
  });

  describe("an operator removes a registration", () => {
    test("once; it is scrubbed, in no topic, and the audit says so", async () => {
      const { store, projectId, add } = bench();
      const bread = await addTopic(bench(), "bread");
      const token = await add();
      await store.topics.changeMany({ projectId, topicId: bread.id }, "join", [token], 1);
      expect(await store.audience.remove(projectId + 1, token, removal, 5)).toBe(false);
      expect(await store.audience.remove(projectId, "nobody", removal, 5)).toBe(false);
      expect(await store.audience.remove(projectId, token, removal, 5)).toBe(true);
      expect(await store.audience.remove(projectId, token, removal, 6)).toBe(false);
      expect(await store.registrations.find(projectId, token)).toMatchObject({
        subscription: null,
        clientSecretHash: null,
        endReason: "left",
      });
      const story = await store.audience.story(projectId, token, 9);
      expect(story).toMatchObject({ state: "removed", endedAtMs: 5, topics: [], userId: null });
      const lines = await store.audit.list([1], { limit: 9 });
      expect(lines.map(({ action }) => action)).toEqual(["registration.removed"]);
      const id = await idOf(bench(), token);
      expect(await store.registrations.leave(id, 7)).toBe(false);
    });

    test("that has left was not removed", async () => {
      const { store, projectId, add } = bench();
      const token = await add();
      await startMessage(bench());
      await store.registrations.leave(await idOf(bench(), token), 4);
      expect(await store.audience.remove(projectId, token, removal, 5)).toBe(false);
      expect((await store.audience.story(projectId, token, 9))?.state).toBe("left");
      expect(await store.audit.list([1], { limit: 9 })).toEqual([]);
    });
  });
}
