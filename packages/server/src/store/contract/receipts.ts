import { randomUUIDv7 } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { NewReceipt, ReceiptCounts } from "../port.ts";
import { endAsGone, randomToken, testEntry, type ContractBench } from "./bench.ts";

const counts = (over: Partial<ReceiptCounts> = {}): ReceiptCounts => ({
  displayed: 0,
  clicked: 0,
  closed: 0,
  ...over,
});

export function receiptContract(bench: () => ContractBench): void {
  async function published(): Promise<string> {
    const message = bench().message();
    await bench().store.messages.publish(message, 1);
    return message.id;
  }

  function add(
    receipt: Pick<NewReceipt, "messageId" | "token"> & Partial<NewReceipt>,
  ): Promise<boolean> {
    const { store, projectId } = bench();
    return store.receipts.add({ projectId, event: "displayed", action: null, ...receipt }, 5);
  }

  const isAsked = async (id: string) =>
    (await bench().store.messages.find(bench().projectId, id))?.withReceipts;

  const counted = async (messageId: string) =>
    (await bench().store.messages.find(bench().projectId, messageId))?.receipts;

  const switchTo = (receipts: boolean) =>
    bench().store.projects.changeSettings(bench().projectId, { receipts }, testEntry, 1);

  describe("receipts that are switched off", () => {
    test("are not asked for with what is published then, nor kept if they come all the same", async () => {
      const before = await published();
      const token = await bench().add();
      await switchTo(false);
      const meanwhile = await published();
      expect(await add({ messageId: before, token })).toBe(true);
      expect(await counted(before)).toEqual(counts());
      await switchTo(true);
      expect([await isAsked(before), await isAsked(meanwhile)]).toEqual([true, false]);
      expect(await isAsked(await published())).toBe(true);
      // What came meanwhile was not kept: it counts when it comes now.
      expect(await add({ messageId: before, token })).toBe(true);
      expect(await counted(before)).toEqual(counts({ displayed: 1 }));
    });
  });

  describe("receipts", () => {
    test("are counted once for each message, registration and event, after a restart too", async () => {
      const [messageId, other] = [await published(), await published()];
      const [first, second] = [await bench().add(), await bench().add()];
      expect(await add({ messageId, token: first })).toBe(true);
      expect(await counted(messageId)).toEqual(counts({ displayed: 1 }));
      expect(await add({ messageId, token: first })).toBe(true);
      await bench().reopen();
      expect(await add({ messageId, token: first })).toBe(true);
      expect(await counted(messageId)).toEqual(counts({ displayed: 1 }));

      await add({ messageId, token: first, event: "clicked" });
      await add({ messageId, token: first, event: "closed" });
      await add({ messageId, token: second });
      await add({ messageId: other, token: first, event: "closed" });
      expect(await counted(messageId)).toEqual({ displayed: 2, clicked: 1, closed: 1 });
      expect(await counted(other)).toEqual(counts({ closed: 1 }));
      // What push services accepted is another figure.
      const message = await bench().store.messages.find(bench().projectId, messageId);
      expect(message?.counts.accepted).toBe(0);
    });

    test("a hundred at once of the same three are three", async () => {
      const messageId = await published();
      const token = await bench().add();
      const events = ["displayed", "clicked", "closed"] as const;
      const results = await Promise.all(
        Array.from({ length: 99 }, (_, index) =>
          add({ messageId, token, event: events[index % 3] ?? "closed" }),
        ),
      );
      expect(results.every(Boolean)).toBe(true);
      expect(await counted(messageId)).toEqual({ displayed: 1, clicked: 1, closed: 1 });
    });

    test("that name no message or no registration are refused, and nothing is written", async () => {
      const messageId = await published();
      const token = await bench().add();
      expect(await add({ messageId: randomUUIDv7(), token })).toBe(false);
      expect(await add({ messageId, token: randomToken() })).toBe(false);
      expect(await counted(messageId)).toEqual(counts());
      // It is still the first.
      expect(await add({ messageId, token })).toBe(true);
      expect(await counted(messageId)).toEqual(counts({ displayed: 1 }));
    });

    test("are of one project: message and registration must both be its own", async () => {
      const { store, candidate, message } = bench();
      const { id: otherProject } = await store.projects.ensure("other", 1);
      const messageId = await published();
      const token = await bench().add();
      const foreign = message({ projectId: otherProject });
      await store.messages.publish(foreign, 1);
      const stranger = candidate({ projectId: otherProject });
      await store.registrations.register(stranger, () => ({ kind: "new" }), 1);

      expect(await add({ messageId: foreign.id, token })).toBe(false);
      expect(await add({ messageId, token: stranger.newToken })).toBe(false);
      expect(await add({ projectId: otherProject, messageId, token })).toBe(false);
      expect(await counted(messageId)).toEqual(counts());
      expect((await store.messages.find(otherProject, foreign.id))?.receipts).toEqual(counts());
    });

    test("of registrations that have ended count, too", async () => {
      const { store, projectId, message } = bench();
      const messageId = await published();
      const [gone, left] = [await bench().add(), await bench().add()];
      const idOf = async (token: string) =>
        (await store.registrations.find(projectId, token))?.id ?? 0;
      await endAsGone(bench(), message(), await idOf(gone), 1);
      await store.registrations.leave(await idOf(left), 2);
      expect(await add({ messageId, token: gone })).toBe(true);
      expect(await add({ messageId, token: left, event: "closed" })).toBe(true);
      expect(await counted(messageId)).toEqual(counts({ displayed: 1, closed: 1 }));
    });

    test("of clicks keep the action; the first click of a registration stays", async () => {
      const [messageId, other] = [await published(), await published()];
      const click = async (action: string | null, id = messageId) =>
        add({ messageId: id, token: await bench().add(), event: "clicked", action });
      await click("1");
      await click("1");
      await click("2");
      await click(null);
      await click("1", other);
      const token = await bench().add();
      await add({ messageId, token, event: "clicked", action: "2" });
      await add({ messageId, token, event: "clicked", action: "1" });
      expect(await counted(messageId)).toEqual(counts({ clicked: 5 }));
      const byAction = await bench().store.receipts.clicksByAction(messageId);
      expect(byAction).toEqual(
        new Map([
          ["1", 2],
          ["2", 2],
        ]),
      );
    });
  });
}
