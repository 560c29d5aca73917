import { describe, expect, test } from "vitest";
import type { ContractBench } from "./bench.ts";
import { addOperator, linesOf, ownEntry } from "./second-factors.ts";

const bytes = (byte: number) => Buffer.alloc(32, byte);

export function passkeyContract(bench: () => ContractBench): void {
  const passkeys = () => bench().store.passkeys;
  const add = (operatorId: number, byte: number, { atMost = 20, counter = 0 } = {}) =>
    passkeys().addPasskey(
      {
        operatorId,
        credentialId: bytes(byte),
        publicKey: bytes(100 + byte),
        counter,
        transports: ["internal", "hybrid"],
        name: `key ${byte}`,
        rpId: byte === 2 ? null : "site.example",
      },
      atMost,
      null,
      ownEntry,
      7,
    );
  const idOf = async (byte: number) => (await passkeys().findPasskey(bytes(byte)))?.id ?? 0;

  describe("passkeys", () => {
    test("are found by their credential, after a restart too, and listed of their operator", async () => {
      const [baker, florist] = [
        await addOperator(bench(), "baker"),
        await addOperator(bench(), "florist"),
      ];
      expect(await add(baker, 1, { counter: 4 })).toBe("added");
      expect(await add(baker, 2)).toBe("added");
      expect(await add(florist, 3)).toBe("added");
      await bench().reopen();
      const found = await passkeys().findPasskey(bytes(1));
      expect(found).toEqual({
        id: expect.any(Number),
        operatorId: baker,
        credentialId: expect.anything(),
        publicKey: expect.anything(),
        counter: 4,
        transports: ["internal", "hybrid"],
        name: "key 1",
        createdAtMs: 7,
        lastUsedAtMs: null,
        rpId: "site.example",
      });
      expect((await passkeys().findPasskey(bytes(2)))?.rpId).toBeNull();
      expect(Buffer.from(found?.credentialId ?? [])).toEqual(bytes(1));
      expect(Buffer.from(found?.publicKey ?? [])).toEqual(bytes(101));
      expect((await passkeys().passkeys(baker)).map(({ name }) => name)).toEqual([
        "key 1",
        "key 2",
      ]);
      expect(await passkeys().findPasskey(bytes(4))).toBeNull();
      expect(await linesOf(bench())).toBe(3);
      expect((await bench().store.operators.findById(baker))?.passkeys).toBe(2);
    });

    test("belong to one operator, who has so many at most", async () => {
      const [baker, florist] = [
        await addOperator(bench(), "baker"),
        await addOperator(bench(), "florist"),
      ];
      expect(await add(baker, 1)).toBe("added");
      expect(await add(florist, 1)).toBe("known");
      expect((await passkeys().findPasskey(bytes(1)))?.operatorId).toBe(baker);
      expect(await add(baker, 2, { atMost: 1 })).toBe("too-many");
      expect(await passkeys().findPasskey(bytes(2))).toBeNull();
      expect(await add(florist, 2, { atMost: 1 })).toBe("added");
      expect(await linesOf(bench())).toBe(2);
    });

    test.for<[from: number, to: number, used: boolean]>([
      [0, 0, true],
      [0, 1, true],
      [5, 6, true],
      [5, 9, true],
      [5, 5, false],
      [5, 4, false],
      [5, 0, false],
    ])("whose counter was %d and is %d may be used: %s", async ([from, to, used]) => {
      await add(await addOperator(bench()), 1, { counter: from });
      expect(await passkeys().usePasskey(await idOf(1), to, 9)).toBe(used);
      expect(await passkeys().findPasskey(bytes(1))).toMatchObject({
        counter: used ? to : from,
        lastUsedAtMs: used ? 9 : null,
      });
    });

    test("use each count once, however many ask at the same moment", async () => {
      await add(await addOperator(bench()), 1);
      const id = await idOf(1);
      const another = await bench().openAnother();
      const used = await Promise.all(
        [passkeys(), another.passkeys].flatMap((store) =>
          Array.from({ length: 5 }, () => store.usePasskey(id, 1, 9)),
        ),
      );
      expect(used.filter(Boolean)).toHaveLength(1);
    });

    test("are removed by their operator alone, once", async () => {
      const [baker, florist] = [
        await addOperator(bench(), "baker"),
        await addOperator(bench(), "florist"),
      ];
      await add(baker, 1);
      const id = await idOf(1);
      expect(await passkeys().removePasskey(florist, id, null, ownEntry, 9)).toBe(false);
      expect(await idOf(1)).toBe(id);
      expect(await passkeys().removePasskey(baker, id, null, ownEntry, 9)).toBe(true);
      expect(await passkeys().removePasskey(baker, id, null, ownEntry, 9)).toBe(false);
      expect(await passkeys().usePasskey(id, 1, 9)).toBe(false);
      expect(await linesOf(bench())).toBe(2);
    });

    test("and second factors end for one who has lost everything, and with the operator", async () => {
      const [baker, florist] = [
        await addOperator(bench(), "baker"),
        await addOperator(bench(), "florist"),
      ];
      const { operators, secondFactors } = bench().store;
      for (const id of [baker, florist]) {
        await add(id, id);
        await secondFactors.offerTotp(id, bytes(1));
        const confirmed = { sealedSecret: bytes(1), step: 1, recoveryCodeHashes: [bytes(2)] };
        await secondFactors.confirmTotp(id, confirmed, null, ownEntry, 8);
        await challenge(id, id);
      }
      await operators.recover(baker, "new hash", ownEntry, 9);
      expect(await operators.findById(baker)).toMatchObject({
        sealedTotpSecret: null,
        passkeys: 0,
      });
      expect(await secondFactors.offeredTotp(baker)).toBeNull();
      expect(await secondFactors.recoveryCodesLeft(baker)).toBe(0);
      expect(await take(baker, baker)).toBe(false);
      expect(await operators.findById(florist)).toMatchObject({ passkeys: 1 });
      expect(await secondFactors.recoveryCodesLeft(florist)).toBe(1);
      await operators.remove(florist, ownEntry, 9);
      expect(await passkeys().findPasskey(bytes(florist))).toBeNull();
      expect(await secondFactors.recoveryCodesLeft(florist)).toBe(0);
      expect(await take(florist, florist)).toBe(false);
    });
  });

  const challenge = (
    byte: number,
    operatorId: number | null,
    { expiresAtMs = 100, atMost = 1_000, nowMs = 5 } = {},
  ) => passkeys().addChallenge({ hash: bytes(byte), operatorId, expiresAtMs }, atMost, nowMs);
  const take = (byte: number, operatorId: number | null, nowMs = 50) =>
    passkeys().takeChallenge(bytes(byte), operatorId, nowMs);

  describe("challenges", () => {
    test("are good once, after a restart too", async () => {
      await challenge(1, null);
      await bench().reopen();
      expect(await take(2, null)).toBe(false);
      expect([await take(1, null), await take(1, null)]).toEqual([true, false]);
    });

    test("are good once for however many ask at the same moment", async () => {
      await challenge(1, null);
      const another = await bench().openAnother();
      const taken = await Promise.all(
        [passkeys(), another.passkeys].flatMap((store) =>
          Array.from({ length: 5 }, () => store.takeChallenge(bytes(1), null, 50)),
        ),
      );
      expect(taken.filter(Boolean)).toHaveLength(1);
    });

    test("are good for whom they were made", async () => {
      const [baker, florist] = [
        await addOperator(bench(), "baker"),
        await addOperator(bench(), "florist"),
      ];
      await challenge(1, baker);
      await challenge(2, null);
      expect(await take(1, florist)).toBe(false);
      expect(await take(1, null)).toBe(false);
      expect(await take(2, baker)).toBe(false);
      expect([await take(1, baker), await take(2, null)]).toEqual([true, true]);
    });

    test("for log-ins are so many at once; the oldest make room, and no operator's own", async () => {
      const baker = await addOperator(bench(), "baker");
      await challenge(1, null);
      await challenge(2, baker);
      for (const byte of [3, 4, 5]) await challenge(byte, null, { atMost: 3 });
      expect(await take(1, null)).toBe(false);
      expect([await take(2, baker), await take(3, null), await take(5, null)]).toEqual([
        true,
        true,
        true,
      ]);
      await challenge(6, null, { atMost: 1 });
      expect(await take(4, null)).toBe(false);
    });

    test("expire", async () => {
      await challenge(1, null);
      expect(await take(1, null, 100)).toBe(false);
      expect(await take(1, null, 99)).toBe(true);
      // Those that have expired make room for others.
      await challenge(2, null);
      await challenge(3, null, { expiresAtMs: 200, nowMs: 100 });
      expect(await take(2, null)).toBe(false);
      expect(await take(3, null)).toBe(true);
    });

    test("that have expired are removed a hundred at a time, however many there are", async () => {
      for (let byte = 1; byte <= 150; byte += 1) await challenge(byte, null);
      const late = { expiresAtMs: 200, nowMs: 100 };
      await challenge(151, null, late);
      let left = 0;
      for (let byte = 1; byte <= 150; byte += 1) if (await take(byte, null)) left += 1;
      expect(left).toBe(50);
    });

    test("take the place of the one before, of the same operator alone", async () => {
      const [baker, florist] = [
        await addOperator(bench(), "baker"),
        await addOperator(bench(), "florist"),
      ];
      await challenge(1, baker);
      await challenge(2, florist);
      await challenge(3, null);
      await challenge(4, null);
      await challenge(5, baker);
      expect(await take(1, baker)).toBe(false);
      expect([await take(2, florist), await take(3, null), await take(4, null)]).toEqual([
        true,
        true,
        true,
      ]);
      expect(await take(5, baker)).toBe(true);
    });
  });
}
