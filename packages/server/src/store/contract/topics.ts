import { describe, expect, test } from "vitest";
import type {
  DecideRegistration,
  Membership,
  MembershipDecision,
  MembershipRequest,
  Message,
  MessageTarget,
  Topic,
} from "../port.ts";
import { asNew, endAsGone, findMembership, tokenOf, type ContractBench } from "./bench.ts";

const renew =
  (id: number): DecideRegistration =>
  () => ({ kind: "renew", id });

/** Binds to this user, and joins and leaves these topics. */
const change = (
  over: Partial<Extract<MembershipDecision, { kind: "change" }>>,
): MembershipRequest => ({
  topicNames: [],
  decide: ({ current }) => ({
    kind: "change",
    userId: current.userId,
    joins: [],
    leaves: [],
    ...over,
  }),
});
const refuse: MembershipRequest = {
  topicNames: [],
  decide: () => ({ kind: "refuse", code: "topic-kept" }),
};

export function topicContract(bench: () => ContractBench): void {
  const idOf = async (token: string) =>
    (await bench().store.registrations.find(bench().projectId, token))?.id ?? 0;

  async function addTopic(name: string, policy: "open" | "kept" = "open"): Promise<Topic> {
    const { store, projectId } = bench();
    expect(await store.topics.add(projectId, { name, policy }, 1)).toBe(true);
    const topic = await store.topics.find(projectId, name);
    if (topic === null) throw new Error("the topic is not there");
    return topic;
  }

  /** A new registration with this membership. */
  async function addMember(
    over: Parameters<typeof change>[0],
    candidate: Parameters<ContractBench["candidate"]>[0] = {},
  ): Promise<number> {
    const result = await bench().store.registrations.register(
      bench().candidate(candidate),
      asNew,
      1,
      change(over),
    );
    return idOf(tokenOf(result));
  }

  /** A registration of the user `baker`, in the topic `bread`. */
  async function addBaker() {
    const bread = await addTopic("bread");
    const first = bench().candidate();
    const membership = change({ userId: "baker", joins: [bread.id] });
    await bench().store.registrations.register(first, asNew, 1, membership);
    return { bread, first };
  }

  const membershipOf = (id: number) => findMembership(bench().store, id);

  /** A message that is being sent. */
  async function sendTo(target: MessageTarget): Promise<Message> {
    const { store, projectId, message } = bench();
    const published = message({ target });
    await store.messages.publish(published, 1);
    await store.delivery.startSending(published.id, 1_000);
    const found = await store.messages.find(projectId, published.id);
    if (found === null) throw new Error("the message is not there");
    return found;
  }
  async function idsOf(message: Message, afterId = 0, limit = 10): Promise<number[]> {
    const page = await bench().store.delivery.audiencePage(message, afterId, limit);
    return page.map(({ registrationId }) => registrationId);
  }

  describe("topics", () => {
    test("there is one of each name in a project", async () => {
      const { store, projectId } = bench();
      const bread = await addTopic("bread");
      expect(await store.topics.add(projectId, { name: "bread", policy: "kept" }, 2)).toBe(false);
      expect(await store.topics.find(projectId, "bread")).toEqual(bread);
      const other = await store.projects.ensure("other", 2);
      expect(await store.topics.find(other.id, "bread")).toBeNull();
      expect(await store.topics.add(other.id, { name: "bread", policy: "kept" }, 2)).toBe(true);
      expect(await store.topics.find(projectId, "Bread")).toBeNull();
    });

    test("are listed by name, each with its live registrations", async () => {
      const { store, projectId, message } = bench();
      const cake = await addTopic("cake", "kept");
      const bread = await addTopic("bread");
      const [gone, left] = [
        await addMember({ joins: [bread.id] }),
        await addMember({ joins: [bread.id] }),
        await addMember({ joins: [bread.id] }),
      ];
      await endAsGone(bench(), message(), gone, 1);
      await store.registrations.leave(left, 2);
      await bench().reopen();
      expect(await bench().store.topics.list(projectId)).toEqual([
        { ...bread, liveCount: 1 },
        { ...cake, liveCount: 0 },
      ]);
      expect(await bench().store.topics.list(projectId + 1)).toEqual([]);
    });

    test("another policy leaves who is in", async () => {
      const { store, projectId } = bench();
      const bread = await addTopic("bread");
      await addMember({ joins: [bread.id] });
      const other = await store.projects.ensure("other", 1);
      await store.topics.add(other.id, { name: "bread", policy: "open" }, 1);
      expect(await store.topics.setPolicy(projectId, "bread", "kept")).toBe(true);
      expect(await store.topics.find(other.id, "bread")).toMatchObject({ policy: "open" });
      expect(await store.topics.setPolicy(projectId, "cake", "kept")).toBe(false);
      expect(await store.topics.list(projectId)).toEqual([
        { ...bread, policy: "kept", liveCount: 1 },
      ]);
    });

    test("are emptied in portions and removed whole; other topics stay", async () => {
      const { store, projectId } = bench();
      const [bread, cake] = [await addTopic("bread"), await addTopic("cake")];
      const ids: number[] = [];
      for (let count = 0; count < 5; count += 1) {
        ids.push(await addMember({ joins: [bread.id, cake.id] }));
      }
      expect(await store.topics.empty(bread.id, 2)).toBe(2);
      expect(await store.topics.list(projectId)).toMatchObject([
        { liveCount: 3 },
        { liveCount: 5 },
      ]);
      expect(await store.topics.remove(bread.id)).toBe(true);
      expect(await store.topics.remove(bread.id)).toBe(false);
      expect(await store.topics.empty(bread.id, 2)).toBe(0);
      for (const id of ids) expect((await membershipOf(id)).topics).toEqual([cake]);
      expect(await store.topics.find(projectId, "bread")).toBeNull();
    });
  });

  describe("memberships", () => {
    test("come with a registration, and are shown to the next request", async () => {
      const { candidate } = bench();
      const [bread, vip] = [await addTopic("bread"), await addTopic("vip", "kept")];
      const other = await bench().store.projects.ensure("other", 1);
      await bench().store.topics.add(other.id, { name: "vip", policy: "open" }, 1);
      const id = await addMember({ userId: "baker", joins: [bread.id] });
      await bench().reopen();
      let found: Parameters<MembershipRequest["decide"]>[0] | undefined;
      await bench().store.registrations.register(candidate(), () => ({ kind: "refresh", id }), 2, {
        topicNames: ["vip", "nothing", "vip"],
        decide: (both) => {
          found = both;
          return { kind: "change", userId: "cook", joins: [vip.id], leaves: [bread.id] };
        },
      });
      expect(found).toEqual({ current: { userId: "baker", topics: [bread] }, named: [vip] });
      expect(await membershipOf(id)).toEqual({ userId: "cook", topics: [vip] });
    });

    test("are empty for a new registration, whatever its earlier token belongs to", async () => {
      const { store, candidate, projectId } = bench();
      const { first } = await addBaker();
      let current: Membership | undefined;
      const result = await store.registrations.register(
        candidate({ earlierToken: first.newToken }),
        asNew,
        2,
        {
          topicNames: [],
          decide: (found) => {
            ({ current } = found);
            return { kind: "change", userId: null, joins: [], leaves: [] };
          },
        },
      );
      expect(current).toEqual({ userId: null, topics: [] });
      const id = (await store.registrations.find(projectId, tokenOf(result)))?.id ?? 0;
      expect(await membershipOf(id)).toEqual({ userId: null, topics: [] });
    });

    test("a refused one refuses the registration, and nothing is changed", async () => {
      const { store, candidate, projectId } = bench();
      const refused = { kind: "refused", code: "topic-kept" };
      expect(await store.registrations.register(candidate(), asNew, 2, refuse)).toEqual(refused);
      expect(await store.registrations.countLive(projectId)).toBe(0);

      const { bread, first } = await addBaker();
      const before = await store.registrations.find(projectId, first.newToken);
      const id = before?.id ?? 0;
      for (const decide of [renew(id), () => ({ kind: "refresh" as const, id })]) {
        const again = candidate({ auth: "other", origin: "https://the-longest.example" });
        expect(await store.registrations.register(again, decide, 3, refuse)).toEqual(refused);
      }
      expect(await store.registrations.changeMembership(id, refuse, 3)).toEqual(refused);
      expect(await store.registrations.find(projectId, first.newToken)).toEqual(before);
      expect(await store.registrations.longestOrigin(projectId)).toBe(first.origin);
      expect(await membershipOf(id)).toEqual({ userId: "baker", topics: [bread] });
    });

    test("what cannot be written leaves no registration behind", async () => {
      const { store, candidate, projectId } = bench();
      const noTopic = change({ joins: [4711] });
      await expect(store.registrations.register(candidate(), asNew, 2, noTopic)).rejects.toThrow(
        /foreign key/i,
      );
      expect(await store.registrations.countLive(projectId)).toBe(0);
    });

    test("outlive refresh, renewal, and gone; a renewed registration is the same user's", async () => {
      const { store, candidate, message } = bench();
      const bread = await addTopic("bread");
      const id = await addMember({ userId: "baker", joins: [bread.id] });
      const expected = { userId: "baker", topics: [bread] };
      await store.registrations.register(candidate(), () => ({ kind: "refresh", id }), 2);
      expect(await membershipOf(id)).toEqual(expected);
      await store.registrations.register(candidate(), renew(id), 3);
      expect(await membershipOf(id)).toEqual(expected);
      await endAsGone(bench(), message(), id, 2);
      expect(await membershipOf(id)).toEqual(expected);
      await store.registrations.register(candidate(), renew(id), 4);
      expect(await membershipOf(id)).toEqual(expected);
      expect(await idsOf(await sendTo({ kind: "user", userId: "baker" }))).toEqual([id]);
      expect(await idsOf(await sendTo({ kind: "topic", topic: "bread" }))).toEqual([id]);
    });

    test("a gone registration may change them, one that left has none and may not", async () => {
      const { store, message, candidate } = bench();
      const [bread, cake] = [await addTopic("bread"), await addTopic("cake")];
      const id = await addMember({ userId: "baker", joins: [bread.id] });
      await endAsGone(bench(), message(), id, 1);
      const request = change({ joins: [cake.id] });
      expect(await store.registrations.changeMembership(id, request, 2)).toEqual({
        kind: "changed",
      });
      expect((await membershipOf(id)).topics).toEqual([bread, cake]);
      await store.registrations.leave(id, 3);
      expect(await store.registrations.changeMembership(id, request, 4)).toEqual({ kind: "left" });
      expect(await store.registrations.changeMembership(id + 1, request, 4)).toEqual({
        kind: "left",
      });
      // Nothing of the user is left, and nothing holds the topics any more.
      let current: Membership | undefined;
      const look: MembershipRequest = {
        topicNames: [],
        decide: (found) => {
          ({ current } = found);
          return { kind: "refuse", code: "topic-kept" };
        },
      };
      await store.registrations.register(candidate(), () => ({ kind: "refresh", id }), 5, look);
      expect(current).toEqual({ userId: null, topics: [] });
      expect(await store.topics.empty(bread.id, 10)).toBe(0);
      expect(await store.topics.empty(cake.id, 10)).toBe(0);
      expect(await idsOf(await sendTo({ kind: "user", userId: "baker" }))).toEqual([]);
    });

    test("ten requests at once that join one topic make one membership", async () => {
      const { store } = bench();
      const bread = await addTopic("bread");
      const id = await addMember({});
      const join: MembershipRequest = {
        topicNames: ["bread"],
        decide: ({ current, named }) => ({
          kind: "change",
          userId: current.userId,
          joins: current.topics.length === 0 ? named.map((topic) => topic.id) : [],
          leaves: [],
        }),
      };
      const results = await Promise.all(
        Array.from({ length: 10 }, () => store.registrations.changeMembership(id, join, 2)),
      );
      expect(results).toEqual(Array.from({ length: 10 }, () => ({ kind: "changed" })));
      expect((await membershipOf(id)).topics).toEqual([bread]);
    });
  });

  describe("audiences", () => {
    test("a topic: who is in it, live, in pages, up to the watermark, with all it takes to send", async () => {
      const { store, message, projectId, vapidKeyId } = bench();
      const [bread, cake] = [await addTopic("bread"), await addTopic("cake")];
      const other = await store.projects.ensure("other", 1);
      await store.topics.add(other.id, { name: "bread", policy: "open" }, 1);
      const ids: number[] = [];
      for (const topic of [bread, cake, bread, bread, bread, cake]) {
        ids.push(await addMember({ joins: [topic.id] }));
      }
      const [first = 0, , gone = 0, left = 0, last = 0] = ids;
      await endAsGone(bench(), message(), gone, 1);
      await store.registrations.leave(left, 2);
      const sending = await sendTo({ kind: "topic", topic: "bread" });
      await addMember({ joins: [bread.id] });

      expect(await idsOf(sending)).toEqual([first, last]);
      expect(await idsOf(sending, 0, 1)).toEqual([first]);
      expect(await idsOf(sending, first, 1)).toEqual([last]);
      expect(await idsOf(sending, last)).toEqual([]);
      const [recipient] = await store.delivery.audiencePage(sending, 0, 1);
      const { target } = await sendTo({ kind: "all" });
      const [fromAll] = await store.delivery.audiencePage({ ...sending, target }, 0, 1);
      expect(recipient).toEqual(fromAll);
      expect(recipient).toMatchObject({ registrationId: first, vapidKeyId, p256dh: "p256dh" });
      const elsewhere = { ...sending, projectId: other.id };
      expect(await idsOf(elsewhere)).toEqual([]);
      expect(await store.topics.find(projectId, "bread")).toEqual(bread);
    });

    test("a topic that nobody is in, and one that there is not", async () => {
      await addTopic("bread");
      await addMember({});
      expect(await idsOf(await sendTo({ kind: "topic", topic: "bread" }))).toEqual([]);
      expect(await idsOf(await sendTo({ kind: "topic", topic: "cake" }))).toEqual([]);
    });

    test("a user: the own live browsers, in pages, up to the watermark", async () => {
      const { store, message, candidate } = bench();
      const other = await store.projects.ensure("other", 1);
      const ids: number[] = [];
      for (const userId of ["baker", "Baker", "baker", "baker", null, "baker"]) {
        ids.push(await addMember({ userId }));
      }
      await store.registrations.register(
        candidate({ projectId: other.id }),
        asNew,
        1,
        change({ userId: "baker" }),
      );
      const [first = 0, , gone = 0, left = 0, , last = 0] = ids;
      await endAsGone(bench(), message(), gone, 1);
      await store.registrations.leave(left, 2);
      const sending = await sendTo({ kind: "user", userId: "baker" });
      await addMember({ userId: "baker" });

      expect(await idsOf(sending)).toEqual([first, last]);
      expect(await idsOf(sending, 0, 1)).toEqual([first]);
      expect(await idsOf(sending, first, 1)).toEqual([last]);
      expect(await idsOf(sending, last)).toEqual([]);
      expect(await idsOf(await sendTo({ kind: "user", userId: "cook" }))).toEqual([]);
    });

    test("who is not in the audience any more is not tried again", async () => {
      const { store } = bench();
      const bread = await addTopic("bread");
      const [stays, leaves] = [
        await addMember({ userId: "baker", joins: [bread.id] }),
        await addMember({ userId: "baker", joins: [bread.id] }),
      ];
      const messages = [
        await sendTo({ kind: "topic", topic: "bread" }),
        await sendTo({ kind: "user", userId: "baker" }),
        await sendTo({ kind: "all" }),
      ];
      for (const { id: messageId } of messages) {
        const delivered = [stays, leaves].map((registrationId) => ({
          registrationId,
          generation: 1,
          kind: "retry" as const,
          reason: "busy",
          detail: "",
          dueAtMs: 5_000,
          counted: true,
        }));
        await store.delivery.checkpoint({ messageId, from: 0, to: leaves, delivered }, 2_000);
      }
      const logOut = change({ userId: "cook", leaves: [bread.id] });
      await store.registrations.changeMembership(leaves, logOut, 3_000);
      const dueOf = async (message: Message | undefined) => {
        const due = message === undefined ? [] : await store.delivery.dueRetries(message, 5_000, 9);
        return due.map(({ registrationId, recipient }) => [registrationId, recipient !== null]);
      };
      const [toTopic, toUser, toAll] = messages;
      const but = [
        [stays, true],
        [leaves, false],
      ];
      expect(await dueOf(toTopic)).toEqual(but);
      expect(await dueOf(toUser)).toEqual(but);
      expect(await dueOf(toAll)).toEqual([
        [stays, true],
        [leaves, true],
      ]);
    });
  });
}
