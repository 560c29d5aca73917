import { describe, expect, test } from "vitest";
import { asNew, endAsGone, randomToken, type ContractBench } from "./bench.ts";
import {
  accepted,
  findMessage,
  gone,
  leaseAll,
  mustLease,
  planMessage,
  refused,
  retry,
  startMessage,
  writePage,
} from "./delivering.ts";
import { addMember, addTopic, idOf } from "./members.ts";

const entry = {
  actor: { kind: "server", name: "" },
  address: null,
  projectId: null,
  action: "test.done",
  subject: "",
  change: null,
} as const;

/** How much is kept of registrations that have ended: a stranger may register and leave over and over. */
export function endedRegistrationContract(bench: () => ContractBench): void {
  /** Registers one and lets it leave. */
  async function comeAndGo(leavesAtMs: number): Promise<void> {
    const token = await bench().add();
    await bench().store.registrations.leave(await idOf(bench(), token), leavesAtMs);
  }
  async function startElsewhere(projectId: number): Promise<void> {
    const message = bench().message({ projectId });
    await bench().store.messages.publish(message, 1);
    await bench().store.delivery.startSending(message.id, message.scheduledAtMs);
  }
  async function leaveInTurn(tokens: readonly string[]): Promise<void> {
    for (const [index, token] of tokens.entries()) {
      await bench().store.registrations.leave(await idOf(bench(), token), 1_100 + index);
    }
  }
  const setQuota = (registrationsQuota: number) =>
    bench().store.projects.changeSettings(bench().projectId, { registrationsQuota }, entry, 3);
  /** Those of these tokens of which something is kept. */
  async function kept(tokens: readonly string[]): Promise<string[]> {
    const { store, projectId } = bench();
    const found = await Promise.all(
      tokens.map((token) => store.registrations.find(projectId, token)),
    );
    return tokens.filter((_, index) => found[index] !== null);
  }

  describe("registrations that have ended", () => {
    test("one that leaves before a message was sent to it is removed at once; it was registered and has left", async () => {
      const { store, projectId, candidate } = bench();
      const bread = await addTopic(bench(), "bread");
      const early = await bench().add();
      await startMessage(bench());
      const { endpoint, endpointHash } = candidate();
      const late = await addMember(bench(), { joins: [bread.id] }, { endpoint, endpointHash });
      const before = (await store.audience.list(projectId, {}, { limit: 9, keys: 9 }))
        .registrations;
      expect(before).toHaveLength(2);
      expect(await store.registrations.leave(late, 7)).toBe(true);
      expect(await store.registrations.leave(late, 8)).toBe(false);
      const after = (await store.audience.list(projectId, {}, { limit: 9, keys: 9 })).registrations;
      expect(after.map(({ token }) => token)).toEqual([early]);
      expect(await store.audience.days(projectId, 0, 9)).toMatchObject([
        { registered: 2, left: 1 },
      ]);
      expect(await store.topics.list(projectId)).toMatchObject([{ liveCount: 0 }]);
      // Its browser may come back.
      await bench().add({ endpoint, endpointHash });
      expect(await store.registrations.countLive(projectId)).toBe(2);
    });

    test("one that is forgotten before a message was sent to it is removed, too", async () => {
      const { store, projectId } = bench();
      const id = await idOf(bench(), await bench().add());
      const stranger = randomToken();
      await store.registrations.forget(id, stranger, 7);
      expect(await store.registrations.find(projectId, stranger)).toBeNull();
      expect(await store.registrations.countLive(projectId)).toBe(0);
    });

    test("what another project has sent changes nothing", async () => {
      const { store, projectId } = bench();
      const other = await store.projects.ensure("other", 2);
      const token = await bench().add();
      await bench().add({ projectId: other.id });
      await startElsewhere(other.id);
      await store.registrations.leave(await idOf(bench(), token), 7);
      expect(await store.registrations.find(projectId, token)).toBeNull();
    });

    test("a project keeps as many as it may have live ones; the oldest go first", async () => {
      await setQuota(3);
      const tokens: string[] = [];
      for (const leavesAtMs of [90, 40, 60, 70]) {
        const token = await bench().add();
        await startMessage(bench());
        await bench().store.registrations.leave(await idOf(bench(), token), leavesAtMs);
        tokens.push(token);
      }
      // One too many, until somebody registers.
      expect(await kept(tokens)).toEqual(tokens);
      await bench().add();
      expect(await kept(tokens)).toEqual(tokens.filter((_, index) => index !== 1));
    });

    test("those that are gone count, and another project's do not", async () => {
      const { store, message } = bench();
      const other = await store.projects.ensure("other", 2);
      const away = await bench().add({ projectId: other.id });
      await startElsewhere(other.id);
      await store.registrations.leave(await idOf(bench(), away, other.id), 1);
      await setQuota(1);
      const tokens: string[] = [];
      for (const scheduledAtMs of [10, 20, 30]) {
        const token = await bench().add();
        await endAsGone(bench(), message({ scheduledAtMs }), await idOf(bench(), token), 1);
        tokens.push(token);
      }
      await bench().add();
      expect(await kept(tokens)).toEqual(tokens.slice(2));
      expect(await store.registrations.find(other.id, away)).not.toBeNull();
    });

    test("where a quota was lowered, two go for each that comes, together too", async () => {
      const { store, candidate } = bench();
      const tokens = await Promise.all(Array.from({ length: 9 }, () => bench().add()));
      await startMessage(bench());
      await leaveInTurn(tokens);
      await setQuota(4);
      await bench().add();
      expect(await kept(tokens)).toEqual(tokens.slice(2));
      await Promise.all([1, 2, 3].map(() => store.registrations.register(candidate(), asNew, 9)));
      expect(await kept(tokens)).toEqual(tokens.slice(5));
    });

    test("a message that was still to be tried at those that go has failed there, and ends", async () => {
      const { store } = bench();
      const tokens = [await bench().add(), await bench().add(), await bench().add()];
      const { id } = await planMessage(bench());
      const walked = [retry(1, 2_000), retry(2, 2_000), accepted(3)];
      await writePage(store, await mustLease(store, 1_000), { walked }, 1_000);
      await leaveInTurn(tokens);
      await setQuota(1);
      await bench().add();
      expect(await kept(tokens)).toEqual(tokens.slice(2));
      expect(await store.delivery.finishMessages(1_600)).toEqual([id]);
      expect(await findMessage(bench(), id)).toMatchObject({
        counts: { accepted: 1, gone: 0, retry: 0, rejected: 0, failed: 2 },
        plannedCount: 3,
      });
      expect(await store.messages.progress(id)).toMatchObject([
        { counts: { failed: 2, retry: 0 } },
      ]);
    });

    test("a message that had yet to be sent to one that moved and went counts nowhere there", async () => {
      const { store, candidate } = bench();
      const tokens = [await bench().add(), await bench().add()];
      const { id } = await planMessage(bench());
      const elsewhere = candidate({ pushOrigin: "https://elsewhere.example" });
      await store.registrations.register(elsewhere, () => ({ kind: "renew", id: 1 }), 1_000);
      await leaveInTurn(tokens);
      await setQuota(1);
      await bench().add();
      expect(await kept(tokens)).toEqual(tokens.slice(1));
      for await (const batch of leaseAll(store, 1_600)) await writePage(store, batch, {}, 1_600);
      expect(await store.delivery.finishMessages(1_600)).toEqual([id]);
      expect(await findMessage(bench(), id)).toMatchObject({
        counts: { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 },
        plannedCount: 0,
      });
    });

    test("what was on its way to those that went counts, and is not tried again", async () => {
      const { store } = bench();
      const tokens: string[] = [];
      for (let made = 0; made < 5; made += 1) tokens.push(await bench().add());
      const { id } = await planMessage(bench());
      const batch = await mustLease(store, 1_000);
      await leaveInTurn(tokens);
      await setQuota(1);
      await comeAndGo(1_200);
      await bench().add();
      expect(await kept(tokens)).toEqual(tokens.slice(4));
      const walked = [accepted(1), gone(2), retry(3, 2_000), refused(4), retry(5, 2_000)];
      expect(await writePage(store, batch, { walked }, 1_300)).toMatchObject({
        counts: { accepted: 1, gone: 1, failed: 1, rejected: 1, retry: 1 },
        done: false,
      });
      const again = await mustLease(store, 2_000);
      const message = await findMessage(bench(), id);
      expect(await store.delivery.dueRetries(again, message, 2_000, 9)).toMatchObject([
        { registrationId: 5, recipient: null },
      ]);
      const delivered = refused(5, "failed", "not-in-audience");
      await writePage(store, again, { retried: [{ attempts: 1, delivered }] }, 2_000);
      expect(await store.delivery.finishMessages(2_100)).toEqual([id]);
      expect(await findMessage(bench(), id)).toMatchObject({
        counts: { accepted: 1, gone: 1, failed: 2, rejected: 1, retry: 0 },
      });
    });
  });
}
