import { describe, expect, test } from "vitest";
import type { DecideRegistration } from "../port.ts";
import { asNew, endAsGone, randomToken, tokenOf, type ContractBench } from "./bench.ts";
import { startMessage } from "./delivering.ts";
import { idOf } from "./members.ts";

const newOrRefreshed: DecideRegistration = ({ byEndpoint }) =>
  byEndpoint === null ? { kind: "new" } : { kind: "refresh", id: byEndpoint.id };

export function registrationContract(bench: () => ContractBench): void {
  describe("registrations", () => {
    test("a new one is found by endpoint and by token, after a restart too", async () => {
      const { candidate, projectId, vapidKeyId } = bench();
      const first = candidate();
      await bench().store.registrations.register(first, asNew, 5);
      await bench().reopen();
      let found: Parameters<DecideRegistration>[0] | undefined;
      await bench().store.registrations.register(
        candidate({ endpoint: first.endpoint, earlierToken: first.newToken }),
        (both) => {
          found = both;
          return { kind: "refuse" };
        },
        6,
      );
      const expected = {
        token: first.newToken,
        generation: 1,
        subscription: { p256dh: "p256dh", auth: "auth", vapidKeyId },
        endReason: null,
      };
      expect(found?.byEndpoint).toMatchObject(expected);
      expect(found?.byToken).toMatchObject(expected);
      expect(Buffer.from(found?.byToken?.clientSecretHash ?? [])).toEqual(Buffer.alloc(32, 7));
      expect(await bench().store.registrations.find(projectId + 1, first.newToken)).toBeNull();
      expect(await bench().store.registrations.find(projectId, randomToken())).toBeNull();
    });

    test("of many tokens those are told that nobody has who can be reached", async () => {
      const { store, projectId, add } = bench();
      const [live, left] = [await add(), await add()];
      const registration = await store.registrations.find(projectId, left);
      await store.registrations.leave(registration?.id ?? 0, 2);
      const other = await store.projects.ensure("other", 1);
      const foreign = await add({ projectId: other.id });
      const nobody = randomToken();
      const tokens = [nobody, live, left, nobody, foreign, live];
      const unreachable = await store.registrations.unreachable(projectId, tokens);
      expect(unreachable).toEqual([nobody, left, foreign]);
      expect(await store.registrations.unreachable(projectId, [])).toEqual([]);
    });

    test("what is refused changes nothing", async () => {
      const { store, candidate, projectId, add } = bench();
      const token = await add();
      const before = await store.registrations.find(projectId, token);
      const result = await store.registrations.register(
        candidate({ earlierToken: token, auth: "other" }),
        () => ({ kind: "refuse" }),
        6,
      );
      expect(result).toEqual({ kind: "refused", code: "registration-refused" });
      expect(await store.registrations.find(projectId, token)).toEqual(before);
      expect(await store.registrations.countLive(projectId)).toBe(1);
    });

    test("a refreshed one keeps token and generation", async () => {
      const { store, candidate, projectId, add } = bench();
      const token = await add();
      const id = (await store.registrations.find(projectId, token))?.id ?? 0;
      const decide: DecideRegistration = () => ({ kind: "refresh", id });
      expect(await store.registrations.register(candidate(), decide, 9)).toEqual({
        kind: "refreshed",
        token,
      });
      expect(await store.registrations.find(projectId, token)).toMatchObject({ id, generation: 1 });
    });

    test("a renewed one keeps its token, has the new subscription, and is alive again", async () => {
      const { store, candidate, projectId, add, message } = bench();
      const token = await add();
      const id = (await store.registrations.find(projectId, token))?.id ?? 0;
      await endAsGone(bench(), message(), id, 1);
      const decide: DecideRegistration = () => ({ kind: "renew", id });
      const result = await store.registrations.register(candidate({ auth: "new" }), decide, 9);
      expect(result).toEqual({ kind: "renewed", token });
      expect(await store.registrations.find(projectId, token)).toMatchObject({
        id,
        generation: 2,
        subscription: { auth: "new" },
        endReason: null,
      });
    });

    test("a browser sees its registration, live or ended, and many at once each their own", async () => {
      const { store, projectId, vapidKeyId, candidate } = bench();
      const { registrations } = store;
      const [live, left] = [candidate(), candidate()];
      for (const each of [live, left]) await registrations.register(each, asNew, 5);
      const ids = [await idOf(bench(), live.newToken), await idOf(bench(), left.newToken)];
      await startMessage(bench());
      await registrations.leave(ids[1] ?? 0, 6);
      const nobody = randomToken();
      const seen = await Promise.all([
        registrations.see(projectId, live.newToken),
        registrations.see(projectId, nobody),
        registrations.see(projectId + 1, live.newToken),
        registrations.see(projectId, left.newToken),
        registrations.see(projectId, live.newToken),
      ]);
      expect(seen).toMatchObject([
        { id: ids[0], vapidKeyId, seenAtMs: 5 },
        null,
        null,
        { id: ids[1], clientSecretHash: null, endpointHash: null },
        { id: ids[0] },
      ]);
      expect(Buffer.from(seen[0]?.clientSecretHash ?? [])).toEqual(live.clientSecretHash);
      expect(Buffer.from(seen[0]?.endpointHash ?? [])).toEqual(live.endpointHash);
    });

    test("the store keeps when a browser was seen, unless it was seen since a given time", async () => {
      const { store, projectId, add } = bench();
      const [token, other] = [await add(), await add()];
      const seenAt = async (of: string) => (await store.registrations.see(projectId, of))?.seenAtMs;
      const id = await idOf(bench(), token);
      const note = (sinceMs: number, nowMs: number) =>
        store.registrations.noteSeen(id, sinceMs, nowMs);
      expect(await seenAt(token)).toBe(1);
      await note(2, 100);
      expect(await seenAt(token)).toBe(100);
      await note(100, 150);
      expect(await seenAt(token)).toBe(100);
      await Promise.all([note(101, 200), note(101, 201), note(300, 400)]);
      expect(await seenAt(token)).toBe(400);
      // The clock was put back.
      await note(300, 399);
      expect(await seenAt(token)).toBe(399);
      expect(await seenAt(other)).toBe(1);
      await startMessage(bench());
      await store.registrations.leave(id, 500);
      await note(600, 700);
      expect(await seenAt(token)).toBe(399);
    });

    test("twenty at once for one endpoint make one registration", async () => {
      const { store, candidate, projectId } = bench();
      const { endpoint } = candidate();
      const results = await Promise.all(
        Array.from({ length: 20 }, () =>
          store.registrations.register(candidate({ endpoint }), newOrRefreshed, 5),
        ),
      );
      expect(results.filter(({ kind }) => kind === "new")).toHaveLength(1);
      expect(new Set(results.map(tokenOf)).size).toBe(1);
      expect(await store.registrations.countLive(projectId)).toBe(1);
    });

    test("two live registrations cannot have one endpoint, whatever the rules say", async () => {
      const { store, candidate, projectId } = bench();
      const { endpoint } = candidate();
      await store.registrations.register(candidate({ endpoint }), asNew, 5);
      await expect(store.registrations.register(candidate({ endpoint }), asNew, 5)).rejects.toThrow(
        /unique/i,
      );
      expect(await store.registrations.countLive(projectId)).toBe(1);
    });

    test("the longest origin is that of a live one", async () => {
      const { store, projectId, add } = bench();
      expect(await store.registrations.longestOrigin(projectId)).toBe(null);
      await add({ origin: "https://longer.example" });
      const token = await add({ origin: "https://the-longest.example" });
      await add({ origin: "https://a.example" });
      expect(await store.registrations.longestOrigin(projectId)).toBe(
        "https://the-longest.example",
      );
      const longest = await store.registrations.find(projectId, token);
      await store.registrations.leave(longest?.id ?? 0, 6);
      expect(await store.registrations.longestOrigin(projectId)).toBe("https://longer.example");
    });

    test("one that left is scrubbed, and leaves once", async () => {
      const { store, candidate, projectId, add } = bench();
      const { endpoint } = candidate();
      const token = await add({ endpoint });
      const id = await idOf(bench(), token);
      await startMessage(bench());
      expect(await store.registrations.leave(id, 7)).toBe(true);
      expect(await store.registrations.leave(id, 8)).toBe(false);
      expect(await store.registrations.find(projectId, token)).toMatchObject({
        subscription: null,
        clientSecretHash: null,
        endReason: "left",
      });
      expect(await store.registrations.countLive(projectId)).toBe(0);
      // The endpoint is free again.
      await add({ endpoint });
    });
  });
}
