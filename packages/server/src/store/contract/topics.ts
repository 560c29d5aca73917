import { describe, expect, test } from "vitest";
import type { DecideRegistration, Membership, MembershipRequest, TopicEdit } from "../port.ts";
import { removal } from "./audience-figures.ts";
import { asNew, endAsGone, findMembership, tokenOf, type ContractBench } from "./bench.ts";
import { addMember, addTopic, change, idOf, idsOf } from "./members.ts";

const renew =
  (id: number): DecideRegistration =>
  () => ({ kind: "renew", id });

const refuse: MembershipRequest = {
  topicNames: [],
  decide: () => ({ kind: "refuse", code: "topic-kept", topics: ["bread"] }),
};

export function topicContract(bench: () => ContractBench): void {
  /** A registration of the user `baker`, in the topic `bread`. */
  async function addBaker() {
    const bread = await addTopic(bench(), "bread");
    const first = bench().candidate();
    const membership = change({ userId: "baker", joins: [bread.id] });
    await bench().store.registrations.register(first, asNew, 1, membership);
    return { bread, first };
  }

  const membershipOf = (id: number) => findMembership(bench().store, id);

  const changeMany = (verb: "join" | "leave", topicId: number, tokens: readonly string[]) => {
    const { store, projectId } = bench();
    return store.topics.changeMany({ projectId, topicId }, verb, tokens, 5);
  };
  const membersOf = async (name: string) => {
    const topics = await bench().store.topics.list(bench().projectId);
    return topics.find((topic) => topic.name === name)?.liveCount;
  };

  describe("topics", () => {
    test("there is one of each name in a project", async () => {
      const { store, projectId } = bench();
      const bread = await addTopic(bench(), "bread");
      expect(await store.topics.add(projectId, { name: "bread", policy: "kept" }, 2)).toBe(
        "exists",
      );
      expect(await store.topics.find(projectId, "bread")).toEqual(bread);
      const other = await store.projects.ensure("other", 2);
      expect(await store.topics.find(other.id, "bread")).toBeNull();
      expect(await store.topics.add(other.id, { name: "bread", policy: "kept" }, 2)).toBe("added");
      expect(await store.topics.find(projectId, "Bread")).toBeNull();
    });

    test("are a thousand at most", async () => {
      const { store, projectId } = bench();
      const add = (name: string) => store.topics.add(projectId, { name, policy: "open" }, 1);
      for (let count = 0; count < 1000; count++) expect(await add(`t${count}`)).toBe("added");
      expect(await add("one-more")).toBe("full");
      expect(await add("t7")).toBe("exists");
      expect(await store.topics.list(projectId)).toHaveLength(1000);
      const { id: topicId } = (await store.topics.find(projectId, "t7")) ?? { id: 0 };
      await store.topics.remove(topicId);
      expect(await add("one-more")).toBe("added");
    });

    test("are listed by name, each with its live registrations", async () => {
      const { store, projectId, message } = bench();
      const cake = await addTopic(bench(), "cake", "kept");
      const bread = await addTopic(bench(), "bread");
      const [gone, left] = [
        await addMember(bench(), { joins: [bread.id] }),
        await addMember(bench(), { joins: [bread.id] }),
        await addMember(bench(), { joins: [bread.id] }),
      ];
      await endAsGone(bench(), message(), gone, 1);
      await store.registrations.leave(left, 2);
      await bench().reopen();
      expect(await bench().store.topics.list(projectId)).toEqual([
        { ...bread, displayName: "bread", liveCount: 1 },
        { ...cake, displayName: "cake", liveCount: 0 },
      ]);
      expect(await bench().store.topics.list(projectId + 1)).toEqual([]);
    });

    test("another policy leaves who is in", async () => {
      const { store, projectId } = bench();
      const bread = await addTopic(bench(), "bread");
      await addMember(bench(), { joins: [bread.id] });
      const other = await store.projects.ensure("other", 1);
      await store.topics.add(other.id, { name: "bread", policy: "open" }, 1);
      expect(await store.topics.edit(projectId, "bread", { policy: "kept" })).toEqual({
        ...bread,
        displayName: "bread",
        policy: "kept",
      });
      expect(await store.topics.find(other.id, "bread")).toMatchObject({ policy: "open" });
      expect(await store.topics.edit(projectId, "cake", { policy: "kept" })).toBeNull();
      expect(await store.topics.list(projectId)).toEqual([
        { ...bread, displayName: "bread", policy: "kept", liveCount: 1 },
      ]);
    });

    test("have a display name, until it is taken away; the audit says what has changed", async () => {
      const { store, projectId } = bench();
      const made = { name: "promocoes", displayName: "Promoções do dia", policy: "open" } as const;
      await store.topics.add(projectId, made, 1);
      await addMember(bench(), {
        joins: [(await store.topics.find(projectId, "promocoes"))?.id ?? 0],
      });
      expect(await store.topics.list(projectId)).toMatchObject([{ ...made, liveCount: 1 }]);
      const entry = { ...removal, action: "topic.changed", subject: "promocoes" };
      const edit = (wanted: TopicEdit) =>
        store.topics.edit(projectId, "promocoes", wanted, { entry, nowMs: 2 });
      const changes = async () =>
        (await store.audit.list([projectId], { limit: 9 })).map((line) => line.change);
      expect(await edit({ policy: "open", displayName: "Promoções do dia" })).toMatchObject(made);
      expect(await changes()).toEqual([]);
      const other = { policy: "kept", displayName: "Promoções" } as const;
      expect(await edit(other)).toMatchObject(other);
      expect(await edit({ displayName: "" })).toMatchObject({
        displayName: "promocoes",
        policy: "kept",
      });
      expect(await changes()).toEqual([{ displayName: "" }, other]);
      await bench().reopen();
      expect(await bench().store.topics.list(projectId)).toMatchObject([
        { name: "promocoes", displayName: "promocoes", policy: "kept", liveCount: 1 },
      ]);
    });

    test("are emptied in portions and removed whole; other topics stay", async () => {
      const { store, projectId } = bench();
      const [bread, cake] = [await addTopic(bench(), "bread"), await addTopic(bench(), "cake")];
      const ids: number[] = [];
      for (let count = 0; count < 5; count += 1) {
        ids.push(await addMember(bench(), { joins: [bread.id, cake.id] }));
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

  describe("many at once", () => {
    test("a thousand join and leave, whatever the policy; only those that change are counted", async () => {
      const [vip, cake] = [await addTopic(bench(), "vip", "kept"), await addTopic(bench(), "cake")];
      const tokens = await Promise.all(Array.from({ length: 1_000 }, () => bench().add()));
      const early = await idOf(bench(), tokens[0] ?? "");
      await bench().store.registrations.changeMembership(
        early,
        change({ joins: [vip.id, cake.id] }),
        2,
      );
      expect(await changeMany("join", vip.id, tokens)).toEqual({ changed: 999, unknown: [] });
      expect(await changeMany("join", vip.id, tokens)).toEqual({ changed: 0, unknown: [] });
      await bench().reopen();
      expect(await membersOf("vip")).toBe(1_000);
      expect(await changeMany("leave", vip.id, tokens.slice(1))).toEqual({
        changed: 999,
        unknown: [],
      });
      expect(await changeMany("leave", vip.id, tokens)).toEqual({ changed: 1, unknown: [] });
      expect(await membersOf("vip")).toBe(0);
      expect(await membersOf("cake")).toBe(1);
    });

    test("tokens of nobody, of who has left and of another project are told, each once; the others change", async () => {
      const { store, projectId, message, candidate, add } = bench();
      const bread = await addTopic(bench(), "bread");
      const other = await store.projects.ensure("other", 1);
      const foreign = candidate({ projectId: other.id });
      await store.registrations.register(foreign, asNew, 1);
      const [live, gone, left] = [await add(), await add(), await add()];
      await endAsGone(bench(), message({ target: { kind: "token", token: gone } }), 3, 1);
      await store.registrations.leave(await idOf(bench(), left), 2);
      const tokens = ["nobody", live, left, gone, live, "nobody", foreign.newToken, "' or 1=1 --"];
      const unknown = ["nobody", left, foreign.newToken, "' or 1=1 --"];
      expect(await changeMany("join", bread.id, tokens)).toEqual({ changed: 2, unknown });
      expect(await changeMany("leave", bread.id, [foreign.newToken])).toMatchObject({ changed: 0 });
      const browsers = await Promise.all([live, gone].map((token) => idOf(bench(), token)));
      for (const id of browsers) expect((await membershipOf(id)).topics).toEqual([bread]);
      // Who is gone may come back, and is in it then.
      await store.registrations.register(candidate(), renew(browsers[1] ?? 0), 6);
      expect(await idsOf(bench(), { kind: "topic", topic: "bread" })).toEqual(browsers);
      expect(await changeMany("leave", bread.id, tokens)).toEqual({ changed: 2, unknown });
      expect(await store.topics.list(projectId)).toMatchObject([{ liveCount: 0 }]);
    });

    test("all of it or nothing: into a topic that there is not nobody comes", async () => {
      const token = await bench().add();
      await expect(changeMany("join", 4711, [token])).rejects.toThrow(/foreign key/i);
      expect((await membershipOf(await idOf(bench(), token))).topics).toEqual([]);
      expect(await changeMany("leave", 4711, [token])).toEqual({ changed: 0, unknown: [] });
    });
  });

  describe("memberships", () => {
    test("come with a registration, and are shown to the next request", async () => {
      const { candidate } = bench();
      const [bread, vip] = [
        await addTopic(bench(), "bread"),
        await addTopic(bench(), "vip", "kept"),
      ];
      const other = await bench().store.projects.ensure("other", 1);
      await bench().store.topics.add(other.id, { name: "vip", policy: "open" }, 1);
      const id = await addMember(bench(), { userId: "baker", joins: [bread.id] });
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
      const { store, candidate } = bench();
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
      const id = await idOf(bench(), tokenOf(result));
      expect(await membershipOf(id)).toEqual({ userId: null, topics: [] });
    });

    test("a refused one refuses the registration, and nothing is changed", async () => {
      const { store, candidate, projectId } = bench();
      const unchanged = { kind: "refused", code: "topic-kept" };
      const refused = { ...unchanged, topics: ["bread"] };
      expect(await store.registrations.register(candidate(), asNew, 2, refuse)).toEqual(refused);
      expect(await store.registrations.countLive(projectId)).toBe(0);

      const { bread, first } = await addBaker();
      const before = await store.registrations.find(projectId, first.newToken);
      const id = before?.id ?? 0;
      for (const decide of [renew(id), () => ({ kind: "refresh" as const, id })]) {
        const again = candidate({ auth: "other", origin: "https://the-longest.example" });
        expect(await store.registrations.register(again, decide, 3, refuse)).toEqual(refused);
      }
      expect(await store.registrations.changeMembership(id, refuse, 3)).toEqual(unchanged);
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
      const bread = await addTopic(bench(), "bread");
      const id = await addMember(bench(), { userId: "baker", joins: [bread.id] });
      const expected = { userId: "baker", topics: [bread] };
      await store.registrations.register(candidate(), () => ({ kind: "refresh", id }), 2);
      expect(await membershipOf(id)).toEqual(expected);
      await store.registrations.register(candidate(), renew(id), 3);
      expect(await membershipOf(id)).toEqual(expected);
      await endAsGone(bench(), message(), id, 2);
      expect(await membershipOf(id)).toEqual(expected);
      await store.registrations.register(candidate(), renew(id), 4);
      expect(await membershipOf(id)).toEqual(expected);
      expect(await idsOf(bench(), { kind: "user", userId: "baker" })).toEqual([id]);
      expect(await idsOf(bench(), { kind: "topic", topic: "bread" })).toEqual([id]);
    });

    test("a gone registration may change them, one that left has none and may not", async () => {
      const { store, message, candidate } = bench();
      const [bread, cake] = [await addTopic(bench(), "bread"), await addTopic(bench(), "cake")];
      const id = await addMember(bench(), { userId: "baker", joins: [bread.id] });
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
          return { kind: "refuse", code: "topic-kept", topics: [] };
        },
      };
      await store.registrations.register(candidate(), () => ({ kind: "refresh", id }), 5, look);
      expect(current).toEqual({ userId: null, topics: [] });
      expect(await store.topics.empty(bread.id, 10)).toBe(0);
      expect(await store.topics.empty(cake.id, 10)).toBe(0);
      expect(await idsOf(bench(), { kind: "user", userId: "baker" })).toEqual([]);
    });

    test("ten requests at once that join one topic make one membership", async () => {
      const { store } = bench();
      const bread = await addTopic(bench(), "bread");
      const id = await addMember(bench(), {});
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
}
