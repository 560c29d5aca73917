import { describe, expect, test } from "vitest";
import type { ContractBench } from "./bench.ts";
import { accepted, gone, mustLease, planMessage, refused, retry, writePage } from "./delivering.ts";

const east = "https://east.example";
const hourMs = 3_600_000;

/** Who did not simply accept a message, and when the others did. */
export function exceptionContract(bench: () => ContractBench): void {
  async function sent() {
    const tokens: string[] = [];
    for (let count = 0; count < 6; count += 1) tokens.push(await bench().add({ pushOrigin: east }));
    const { id } = await planMessage(bench(), { ttlSeconds: 86_400 });
    const batch = await mustLease(bench().store, 1_000, { messageId: id });
    const walked = [
      accepted(1),
      gone(2),
      retry(3, 5_000),
      { ...refused(4), detail: "4,097 bytes" },
      refused(5, "failed", "keys-unusable"),
      refused(6),
    ];
    await writePage(bench().store, batch, { walked }, 2_000);
    return { id, tokens };
  }

  const receive = (messageId: string, token: string, nowMs: number) => {
    const receipt = { messageId, token, event: "displayed" as const, action: null };
    return bench().store.receipts.add({ projectId: bench().projectId, ...receipt }, nowMs);
  };

  describe("exceptions", () => {
    test("are all who did not simply accept it, by token, in the order of registration", async () => {
      const { id, tokens } = await sent();
      await bench().reopen();
      const all = await bench().store.messages.exceptions(id, { afterId: 0, limit: 9 });
      const common = {
        pushOrigin: east,
        attempts: 1,
        changedAtMs: 2_000,
        dueAtMs: null,
        detail: "",
      };
      expect(all).toEqual({
        nextAfterId: null,
        exceptions: [
          { ...common, registrationId: 2, token: tokens[1], kind: "gone", reason: "gone" },
          {
            ...common,
            registrationId: 3,
            token: tokens[2],
            kind: "retry",
            reason: "busy",
            detail: "429",
            dueAtMs: 5_000,
          },
          {
            ...common,
            registrationId: 4,
            token: tokens[3],
            kind: "rejected",
            reason: "too-large",
            detail: "4,097 bytes",
          },
          {
            ...common,
            registrationId: 5,
            token: tokens[4],
            kind: "failed",
            reason: "keys-unusable",
          },
          { ...common, registrationId: 6, token: tokens[5], kind: "rejected", reason: "too-large" },
        ],
      });
    });

    test("have no token once the registration was removed; the others keep theirs", async () => {
      const { id, tokens } = await sent();
      const { registrations, retention, messages } = bench().store;
      for (const left of [2, 4]) await registrations.leave(left, 3_000);
      await retention.removeEnded(4_000, 9);
      const { exceptions } = await messages.exceptions(id, { afterId: 0, limit: 9 });
      expect(
        exceptions.map(({ registrationId, token, kind }) => [registrationId, token, kind]),
      ).toEqual([
        [2, null, "gone"],
        [3, tokens[2], "retry"],
        [4, null, "rejected"],
        [5, tokens[4], "failed"],
        [6, tokens[5], "rejected"],
      ]);
    });

    test("come page by page, of one outcome and reason", async () => {
      const { id, tokens } = await sent();
      const { messages } = bench().store;
      const wanted = { kind: "rejected", reason: "too-large", limit: 1 } as const;
      const first = await messages.exceptions(id, { ...wanted, afterId: 0 });
      expect(first).toMatchObject({ exceptions: [{ token: tokens[3] }], nextAfterId: 4 });
      const second = await messages.exceptions(id, { ...wanted, afterId: 4 });
      expect(second).toMatchObject({ exceptions: [{ token: tokens[5] }], nextAfterId: null });
      const none = await messages.exceptions(id, { ...wanted, afterId: 6 });
      expect(none).toEqual({ exceptions: [], nextAfterId: null });
      const ofKind = await messages.exceptions(id, { afterId: 0, limit: 9, kind: "failed" });
      expect(ofKind.exceptions).toMatchObject([{ token: tokens[4] }]);
      const ofReason = await messages.exceptions(id, { afterId: 0, limit: 9, reason: "gone" });
      expect(ofReason.exceptions).toMatchObject([{ token: tokens[1] }]);
    });

    test("are of one message alone", async () => {
      await sent();
      const { id } = await planMessage(bench());
      const none = { exceptions: [], nextAfterId: null };
      expect(await bench().store.messages.exceptions(id, { afterId: 0, limit: 9 })).toEqual(none);
    });

    test("one that was accepted after all is none any more", async () => {
      const { id, tokens } = await sent();
      const { store } = bench();
      const batch = await mustLease(store, 6_000, { messageId: id });
      await writePage(store, batch, { retried: [{ attempts: 1, delivered: accepted(3) }] }, 6_000);
      const { exceptions } = await store.messages.exceptions(id, { afterId: 0, limit: 9 });
      expect(exceptions.map(({ token }) => token)).not.toContain(tokens[2]);
    });
  });

  describe("the hours of a message", () => {
    test("have what was accepted and reported in each, and no hour without", async () => {
      const { id, tokens } = await sent();
      const { store, projectId } = bench();
      const retried = [{ attempts: 1, delivered: accepted(3) }];
      const batch = await mustLease(store, hourMs + 6_000, { messageId: id });
      await writePage(store, batch, { retried }, hourMs + 6_000);
      const [first = "", , third = ""] = tokens;
      await receive(id, first, 3_000);
      // A second time it counts nothing.
      await receive(id, first, hourMs);
      await receive(id, third, 5 * hourMs - 1);
      for (const event of ["clicked", "closed"] as const) {
        const receipt = { projectId, messageId: id, token: first, event, action: null };
        await store.receipts.add(receipt, 5 * hourMs);
      }
      await bench().reopen();
      const none = { accepted: 0, displayed: 0, clicked: 0, closed: 0 };
      expect(await bench().store.messages.hours(id)).toEqual([
        { ...none, hourMs: 0, accepted: 1, displayed: 1 },
        { ...none, hourMs, accepted: 1 },
        { ...none, hourMs: 4 * hourMs, displayed: 1 },
        { ...none, hourMs: 5 * hourMs, clicked: 1, closed: 1 },
      ]);
    });

    test("are its own, and stay when receipts are removed", async () => {
      const { id, tokens } = await sent();
      const other = await planMessage(bench());
      const { store, projectId } = bench();
      await receive(other.id, tokens[0] ?? "", 3_000);
      expect(await store.messages.hours(other.id)).toMatchObject([{ accepted: 0, displayed: 1 }]);
      await store.messages.cancel(projectId, other.id, 4_000);
      await store.retention.removeReceipts(5_000, 9);
      expect(await store.messages.hours(other.id)).toMatchObject([{ accepted: 0, displayed: 1 }]);
      expect(await store.messages.hours(id)).toMatchObject([{ accepted: 1, displayed: 0 }]);
    });

    test("a hundred reports at once are a hundred", async () => {
      const { id } = await planMessage(bench());
      const tokens = await Promise.all(Array.from({ length: 100 }, () => bench().add()));
      await Promise.all(tokens.map((token) => receive(id, token, 7)));
      expect(await bench().store.messages.hours(id)).toMatchObject([{ displayed: 100 }]);
    });
  });
}
