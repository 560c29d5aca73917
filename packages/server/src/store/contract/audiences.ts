import { describe, expect, test } from "vitest";
import type { AudienceGroup, Message, MessageTarget } from "../port.ts";
import { asNew, endAsGone, type ContractBench } from "./bench.ts";
import { accepted, mustLease, planMessage, retry, writePage } from "./delivering.ts";
import { addMember, addTopic, change, idsOf, readOn, recipientsOf } from "./members.ts";

export function audienceContract(bench: () => ContractBench): void {
  /** Registrations in each combination of the topics a, b and c; their names tell in which. */
  async function fillTopics(): Promise<ReadonlyMap<number, string>> {
    const { store, message } = bench();
    const topics = [
      await addTopic(bench(), "a"),
      await addTopic(bench(), "b"),
      await addTopic(bench(), "c"),
    ];
    const ids = new Map<number, string>();
    for (const name of ["", "a", "b", "c", "ab", "ac", "bc", "abc"]) {
      const joins = topics.filter((topic) => name.includes(topic.name)).map(({ id }) => id);
      ids.set(await addMember(bench(), { joins }), name || "none");
    }
    const joins = topics.map(({ id }) => id);
    const gone = await addMember(bench(), { joins });
    await endAsGone(bench(), message(), gone, 1);
    await store.registrations.leave(await addMember(bench(), { joins }), 2);
    // Another project has topics of the same names, and somebody in them.
    const { id: projectId } = await store.projects.ensure("other", 1);
    const foreign = await addTopic({ ...bench(), projectId }, "a");
    await addMember(bench(), { joins: [foreign.id] }, { projectId });
    return ids;
  }

  /** All parts, and what is found in them together. */
  async function counted(target: MessageTarget, keys: number) {
    const parts: AudienceGroup[][] = [];
    const sums: Record<string, number> = {};
    for (let from: number | null = 0; from !== null;) {
      const part = await bench().store.registrations.countAudience(
        bench().projectId,
        target,
        from,
        keys,
      );
      parts.push(part.groups);
      for (const { pushOrigin, vapidKeyId, count } of part.groups) {
        const key = `${pushOrigin} ${vapidKeyId}`;
        sums[key] = (sums[key] ?? 0) + count;
      }
      from = part.next;
    }
    return { parts: parts.length, sums };
  }

  describe("audiences", () => {
    test("a topic: who is in it, live, in pages, up to the watermark, with all it takes to send", async () => {
      const { store, message, vapidKeyId } = bench();
      const [bread, cake] = [await addTopic(bench(), "bread"), await addTopic(bench(), "cake")];
      const other = await store.projects.ensure("other", 1);
      await addTopic({ ...bench(), projectId: other.id }, "bread");
      const ids: number[] = [];
      for (const topic of [bread, cake, bread, bread, bread, cake]) {
        ids.push(await addMember(bench(), { joins: [topic.id] }));
      }
      const [first = 0, , gone = 0, left = 0, last = 0] = ids;
      await endAsGone(bench(), message(), gone, 1);
      await store.registrations.leave(left, 2);
      const sending = await planMessage(bench(), { target: { kind: "topic", topic: "bread" } });
      await addMember(bench(), { joins: [bread.id] });

      expect((await readOn(bench(), sending)).map(({ registrationId }) => registrationId)).toEqual([
        first,
        last,
      ]);
      const [one, ...more] = await readOn(bench(), sending, 1);
      expect(more).toEqual([]);
      const [fromAll] = await recipientsOf(bench(), { kind: "all" });
      expect(one).toEqual(fromAll);
      expect(one).toMatchObject({ registrationId: first, vapidKeyId, p256dh: "p256dh" });
      const batch = await mustLease(store, 1_000, { messageId: sending.id });
      await writePage(store, batch, { to: first, walked: [accepted(first)] }, 1_000);
      expect(await readOn(bench(), sending)).toMatchObject([{ registrationId: last }]);
      expect(await readOn(bench(), { ...sending, projectId: other.id })).toEqual([]);
    });

    test("a topic that nobody is in, and one that there is not", async () => {
      await addTopic(bench(), "bread");
      await addMember(bench(), {});
      expect(await idsOf(bench(), { kind: "topic", topic: "bread" })).toEqual([]);
      expect(await idsOf(bench(), { kind: "topic", topic: "cake" })).toEqual([]);
    });

    test("a user: the own live browsers, up to the watermark", async () => {
      const { store, message } = bench();
      const other = await store.projects.ensure("other", 1);
      const ids: number[] = [];
      for (const userId of ["baker", "Baker", "baker", "baker", null, "baker"]) {
        ids.push(await addMember(bench(), { userId }));
      }
      await addMember(bench(), { userId: "baker" }, { projectId: other.id });
      const [first = 0, , gone = 0, left = 0, , last = 0] = ids;
      await endAsGone(bench(), message(), gone, 1);
      await store.registrations.leave(left, 2);
      const sending = await planMessage(bench(), { target: { kind: "user", userId: "baker" } });
      await addMember(bench(), { userId: "baker" });

      const page = await readOn(bench(), sending);
      expect(page.map(({ registrationId }) => registrationId)).toEqual([first, last]);
      expect(await idsOf(bench(), { kind: "user", userId: "cook" })).toEqual([]);
    });

    test("tokens: their live registrations in the project, each once", async () => {
      const { store, message, candidate, add } = bench();
      const other = await store.projects.ensure("other", 1);
      const foreign = candidate({ projectId: other.id });
      await store.registrations.register(foreign, asNew, 1);
      const [gone, left, unnamed, last, first] = [
        await add(),
        await add(),
        await add(),
        await add(),
        await add(),
      ];
      await endAsGone(bench(), message({ target: { kind: "token", token: gone } }), 2, 1);
      await store.registrations.leave(3, 2);
      const tokens = [first, gone, left, foreign.newToken, last, first, "nobody", '"]'];
      expect(await idsOf(bench(), { kind: "tokens", tokens })).toEqual([5, 6]);
      expect(await idsOf(bench(), { kind: "token", token: unnamed })).toEqual([4]);
      expect(await idsOf(bench(), { kind: "token", token: gone })).toEqual([]);
      expect(await idsOf(bench(), { kind: "tokens", tokens: ["nobody"] })).toEqual([]);
    });

    describe("of conditions", () => {
      test.for<[string, string]>([
        ["'a' in topics", "a ab ac abc"],
        ["!('a' in topics)", "none b c bc"],
        ["'a' in topics && 'b' in topics", "ab abc"],
        ["'a' in topics || 'b' in topics", "a b ab ac bc abc"],
        ["'a' in topics && ('b' in topics || !('c' in topics))", "a ab abc"],
        ["!('a' in topics || 'b' in topics)", "none c"],
        ["!!('a' in topics && 'b' in topics && 'c' in topics)", "abc"],
        ["!'a' in topics && !'b' in topics && !'c' in topics", "none"],
        ["('a' in topics && 'b' in topics) || 'c' in topics", "c ab ac bc abc"],
        // A topic that the project does not have: nobody is in it, so everybody is not in it.
        ["'a' in topics && 'x' in topics", ""],
        ["'a' in topics || 'x' in topics", "a ab ac abc"],
        ["!('x' in topics)", "none a b c ab ac bc abc"],
        // What cannot be read is for nobody.
        ["'a' in topics &&", ""],
        ["!('a' in topic)", ""],
        ["true", ""],
        ["'a' in topics) or (1 = 1", ""],
      ])("%s", async ([text, expected]) => {
        const names = await fillTopics();
        const found = await idsOf(bench(), condition(text));
        expect(found.map((id) => names.get(id) ?? id).join(" ")).toBe(expected);
      });

      test("follow who joins and leaves until their turn", async () => {
        const { store } = bench();
        const a = await addTopic(bench(), "a");
        const [leaves, stays, joins] = [
          await addMember(bench(), { joins: [a.id] }),
          await addMember(bench(), { joins: [a.id] }),
          await addMember(bench(), {}),
        ];
        const sending = await planMessage(bench(), { target: condition("'a' in topics") });
        await store.registrations.changeMembership(leaves, change({ leaves: [a.id] }), 2);
        await store.registrations.changeMembership(joins, change({ joins: [a.id] }), 2);
        const page = await readOn(bench(), sending);
        expect(page.map(({ registrationId }) => registrationId)).toEqual([stays, joins]);
      });
    });

    test("who is not in the audience any more is not tried again", async () => {
      const { store } = bench();
      const bread = await addTopic(bench(), "bread");
      const member = { userId: "baker", joins: [bread.id] };
      const [stays, leaves] = [await addMember(bench(), member), await addMember(bench(), member)];
      const afterRetry = async (target: MessageTarget) => {
        const message = await planMessage(bench(), { target, ttlSeconds: 3_600 });
        const batch = await mustLease(store, 1_000, { messageId: message.id });
        await writePage(
          store,
          batch,
          { walked: [retry(stays, 5_000), retry(leaves, 5_000)] },
          2_000,
        );
        return message;
      };
      const [toTopic, toCondition, toUser, toAll] = [
        await afterRetry({ kind: "topic", topic: "bread" }),
        await afterRetry(condition("'bread' in topics")),
        await afterRetry({ kind: "user", userId: "baker" }),
        await afterRetry({ kind: "all" }),
      ];
      const logOut = change({ userId: "cook", leaves: [bread.id] });
      await store.registrations.changeMembership(leaves, logOut, 3_000);
      const dueOf = async (message: Message) => {
        const batch = await mustLease(store, 5_000, { messageId: message.id });
        const due = await store.delivery.dueRetries(batch, message, 5_000, 9);
        return due.map(({ registrationId, recipient }) => [registrationId, recipient !== null]);
      };
      for (const message of [toTopic, toCondition, toUser]) {
        expect(await dueOf(message)).toEqual([
          [stays, true],
          [leaves, false],
        ]);
      }
      expect(await dueOf(toAll)).toEqual([
        [stays, true],
        [leaves, true],
      ]);
    });
  });

  describe("counting", () => {
    const [east, west] = ["https://east.example", "https://west.example"];

    test("an audience is counted part by part, by destination, before anything is sent", async () => {
      const { store, vapidKeyId } = bench();
      const bread = await addTopic(bench(), "bread");
      const other = await store.projects.ensure("other", 1);
      await addMember(bench(), {}, { projectId: other.id, pushOrigin: east });
      const joins = [bread.id];
      for (const pushOrigin of [east, west, east, east, east]) {
        await addMember(bench(), { joins, userId: "baker" }, { pushOrigin });
      }
      const [left, last] = [
        await addMember(bench(), { joins, userId: "baker" }, { pushOrigin: west }),
        await addMember(bench(), {}, { pushOrigin: west }),
      ];
      await store.registrations.leave(left, 2);
      const members = { [`${east} ${vapidKeyId}`]: 4, [`${west} ${vapidKeyId}`]: 1 };
      const everybody = { ...members, [`${west} ${vapidKeyId}`]: 2 };

      expect(await counted({ kind: "all" }, 4)).toEqual({ parts: 2, sums: everybody });
      expect(await counted({ kind: "all" }, 1)).toEqual({ parts: 7, sums: everybody });
      expect(await counted({ kind: "all" }, 100)).toEqual({ parts: 1, sums: everybody });
      expect(await counted({ kind: "topic", topic: "bread" }, 2)).toEqual({
        parts: 3,
        sums: members,
      });
      expect(await counted({ kind: "user", userId: "baker" }, 9)).toEqual({
        parts: 1,
        sums: members,
      });
      expect(await counted(condition("'bread' in topics"), 2)).toEqual({ parts: 4, sums: members });
      const rest = { [`${west} ${vapidKeyId}`]: 1 };
      expect(await counted(condition("!('bread' in topics)"), 2)).toEqual({ parts: 4, sums: rest });
      expect(await counted({ kind: "topic", topic: "cake" }, 2)).toEqual({ parts: 1, sums: {} });

      const first = await store.registrations.countAudience(
        bench().projectId,
        { kind: "all" },
        0,
        2,
      );
      expect(first.groups).toEqual([
        { pushOrigin: east, vapidKeyId, count: 1 },
        { pushOrigin: west, vapidKeyId, count: 1 },
      ]);
      const after = { kind: "all" } as const;
      expect(
        await store.registrations.countAudience(bench().projectId, after, last - 1, 2),
      ).toMatchObject({ groups: [{ pushOrigin: west, count: 1 }], next: null });
    });

    test("live registrations are counted by push origin", async () => {
      const { store, projectId, add } = bench();
      expect(await store.registrations.countByOrigin(projectId)).toEqual([]);
      const other = await store.projects.ensure("other", 1);
      for (const pushOrigin of [west, east, east]) await add({ pushOrigin });
      const left = await addMember(bench(), {}, { pushOrigin: east });
      await addMember(bench(), {}, { projectId: other.id, pushOrigin: east });
      await store.registrations.leave(left, 2);
      expect(await store.registrations.countByOrigin(projectId)).toEqual([
        { pushOrigin: east, count: 2 },
        { pushOrigin: west, count: 1 },
      ]);
      const { vapidKeyId } = bench();
      const groups = await store.registrations.liveGroups(projectId);
      expect(groups.toSorted((a, b) => a.pushOrigin.localeCompare(b.pushOrigin))).toEqual([
        { pushOrigin: east, vapidKeyId, count: 2 },
        { pushOrigin: west, vapidKeyId, count: 1 },
      ]);
    });
  });
}

function condition(text: string): MessageTarget {
  return { kind: "condition", condition: text };
}
