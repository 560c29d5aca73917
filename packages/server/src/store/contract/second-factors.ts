import { describe, expect, test } from "vitest";
import type { AuditEntry } from "../port.ts";
import type { ContractBench } from "./bench.ts";

const bytes = (byte: number) => Buffer.alloc(32, byte);
const sealed = bytes(1);
const codes = [bytes(11), bytes(12)];

export const ownEntry: AuditEntry = {
  actor: { kind: "operator", name: "baker@site.example" },
  address: "192.0.2.1",
  projectId: null,
  action: "own.changed",
  subject: "baker@site.example",
  change: null,
};

/** A new operator; gives the id. */
export async function addOperator({ store, projectId }: ContractBench, name = "baker") {
  const operator = { email: `${name}@site.example`, name, passwordHash: "hash" };
  const role = { projectId, role: "editor" } as const;
  const audit = { ...ownEntry, action: "operator.created" };
  const id = await store.operators.add(operator, role, audit, 1);
  if (id === null) throw new Error("there is such an operator");
  return id;
}

/** Of what `ownEntry` tells. */
export async function linesOf({ store }: ContractBench): Promise<number> {
  const lines = await store.audit.list([null], { limit: 100 });
  return lines.filter(({ action }) => action === ownEntry.action).length;
}

export function secondFactorContract(bench: () => ContractBench): void {
  const factors = () => bench().store.secondFactors;
  const confirm = (operatorId: number, { sealedSecret = sealed, step = 100 } = {}) =>
    factors().confirmTotp(
      operatorId,
      { sealedSecret, step, recoveryCodeHashes: codes },
      null,
      ownEntry,
      9,
    );
  /** With a second factor. */
  async function addWithTotp(name = "baker"): Promise<number> {
    const id = await addOperator(bench(), name);
    await factors().offerTotp(id, sealed);
    expect(await confirm(id)).toBe(true);
    return id;
  }
  const secretOf = async (id: number) =>
    (await bench().store.operators.findById(id))?.sealedTotpSecret ?? null;

  test("what changes how one gets in ends all other sessions, and is done by no session that has ended", async () => {
    const { store } = bench();
    const [baker, florist] = [await addOperator(bench()), await addOperator(bench(), "florist")];
    let started = 0;
    const start = async (operatorId: number) => {
      started += 1;
      const from = { tokenHash: bytes(50 + started), expiresAtMs: 1e9, address: "", userAgent: "" };
      return (await store.sessions.start(null, { operatorId, ...from }, 50, ownEntry, 8)) ?? 0;
    };
    const live = async (operatorId: number) =>
      (await store.sessions.list(operatorId, { nowMs: 9, usedSinceMs: 0 })).map(({ id }) => id);
    const own = await start(baker);
    const foreign = await start(florist);
    const passkey = {
      operatorId: baker,
      publicKey: bytes(1),
      counter: 0,
      transports: [],
      name: "",
      rpId: null,
    };
    const passkeyId = async () => (await store.passkeys.passkeys(baker))[0]?.id ?? 0;
    await factors().offerTotp(baker, sealed);
    const confirmed = { sealedSecret: sealed, step: 100, recoveryCodeHashes: codes };
    const changes: ((session: number) => Promise<unknown>)[] = [
      (session) => factors().confirmTotp(baker, confirmed, session, ownEntry, 9),
      (session) => factors().replaceRecoveryCodes(baker, codes, session, ownEntry, 9),
      (session) => factors().removeTotp(baker, session, ownEntry, 9),
      (session) =>
        store.passkeys.addPasskey({ ...passkey, credentialId: bytes(2) }, 20, session, ownEntry, 9),
      async (session) =>
        store.passkeys.removePasskey(baker, await passkeyId(), session, ownEntry, 9),
    ];
    for (const change of changes) {
      const before = await linesOf(bench());
      const ended = await start(baker);
      await store.sessions.end(ended, baker, { ...ownEntry, action: "x.ended" }, 9);
      const another = await start(baker);
      for (const session of [ended, foreign]) {
        expect([false, "session-ended"]).toContain(await change(session));
      }
      expect(await live(baker)).toEqual([another, own]);
      expect([true, "added"]).toContain(await change(own));
      expect(await live(baker)).toEqual([own]);
      // Two sessions that began, and the change.
      expect((await linesOf(bench())) - before).toBe(3);
    }
    expect(await live(florist)).toEqual([foreign]);
  });

  describe("TOTP", () => {
    test("is asked for once it is confirmed, after a restart too", async () => {
      const baker = await addOperator(bench());
      expect(await factors().offeredTotp(baker)).toBeNull();
      expect(await confirm(baker)).toBe(false);
      expect(await factors().offerTotp(baker, bytes(2))).toBe(true);
      expect(await factors().offerTotp(baker, sealed)).toBe(true);
      expect(Buffer.from((await factors().offeredTotp(baker)) ?? [])).toEqual(sealed);
      expect(await secretOf(baker)).toBeNull();
      expect(await linesOf(bench())).toBe(0);
      expect(await confirm(baker)).toBe(true);
      await bench().reopen();
      expect(Buffer.from((await secretOf(baker)) ?? [])).toEqual(sealed);
      expect(await factors().offeredTotp(baker)).toBeNull();
      expect(await factors().recoveryCodesLeft(baker)).toBe(2);
      expect(await linesOf(bench())).toBe(1);
      expect((await bench().store.operators.list(bench().projectId))[0]?.hasSecondFactor).toBe(
        true,
      );
    });

    test("is confirmed only as the secret that waits", async () => {
      const baker = await addOperator(bench());
      await factors().offerTotp(baker, sealed);
      await factors().offerTotp(baker, bytes(2));
      expect(await confirm(baker)).toBe(false);
      expect(await secretOf(baker)).toBeNull();
      expect(await factors().recoveryCodesLeft(baker)).toBe(0);
    });

    test("that is asked for is not replaced, nor confirmed again", async () => {
      const baker = await addWithTotp();
      expect(await factors().offerTotp(baker, bytes(2))).toBe(false);
      expect(await confirm(baker)).toBe(false);
      expect(Buffer.from((await secretOf(baker)) ?? [])).toEqual(sealed);
      expect(await linesOf(bench())).toBe(1);
    });

    test("takes each step once, none before one that was taken, and no other operator's", async () => {
      const [baker, florist] = [await addWithTotp("baker"), await addWithTotp("florist")];
      const take = (step: number) => factors().takeTotpStep(baker, step);
      expect([await take(99), await take(100), await take(101)]).toEqual([false, false, true]);
      expect([await take(101), await take(100), await take(102)]).toEqual([false, false, true]);
      expect(await factors().takeTotpStep(florist, 101)).toBe(true);
    });

    test("takes a step once from however many ask at the same moment", async () => {
      const baker = await addWithTotp();
      const another = await bench().openAnother();
      const taken = await Promise.all(
        [factors(), another.secondFactors].flatMap((store) =>
          Array.from({ length: 5 }, () => store.takeTotpStep(baker, 101)),
        ),
      );
      expect(taken.filter(Boolean)).toHaveLength(1);
    });

    test("takes no step that nobody asks for", async () => {
      const baker = await addOperator(bench());
      expect(await factors().takeTotpStep(baker, 101)).toBe(false);
      await factors().offerTotp(baker, sealed);
      expect(await factors().takeTotpStep(baker, 101)).toBe(false);
    });

    test("goes with its recovery codes, once; a new one takes all steps", async () => {
      const [baker, florist] = [await addWithTotp("baker"), await addWithTotp("florist")];
      expect(await factors().removeTotp(baker, null, ownEntry, 9)).toBe(true);
      expect(await factors().removeTotp(baker, null, ownEntry, 9)).toBe(false);
      expect(await secretOf(baker)).toBeNull();
      expect(await factors().recoveryCodesLeft(baker)).toBe(0);
      expect(await factors().recoveryCodesLeft(florist)).toBe(2);
      expect(await linesOf(bench())).toBe(3);
      await factors().offerTotp(baker, bytes(2));
      expect(await factors().removeTotp(baker, null, ownEntry, 9)).toBe(false);
      expect(await confirm(baker, { sealedSecret: bytes(2), step: 7 })).toBe(true);
      expect(await factors().takeTotpStep(baker, 8)).toBe(true);
    });
  });

  describe("recovery codes", () => {
    test("are used up one by one, by their operator alone", async () => {
      const [baker, florist] = [await addWithTotp("baker"), await addOperator(bench(), "florist")];
      const take = (id: number, byte: number) => factors().takeRecoveryCode(id, bytes(byte));
      expect(await take(florist, 11)).toBe(false);
      expect([await take(baker, 11), await take(baker, 11), await take(baker, 13)]).toEqual([
        true,
        false,
        false,
      ]);
      expect(await factors().recoveryCodesLeft(baker)).toBe(1);
    });

    test("are used once by however many ask at the same moment", async () => {
      const baker = await addWithTotp();
      const another = await bench().openAnother();
      const taken = await Promise.all(
        [factors(), another.secondFactors].flatMap((store) =>
          Array.from({ length: 5 }, () => store.takeRecoveryCode(baker, bytes(11))),
        ),
      );
      expect(taken.filter(Boolean)).toHaveLength(1);
    });

    test("are replaced all at once, only of whom codes are asked for", async () => {
      const baker = await addOperator(bench());
      const replace = () => factors().replaceRecoveryCodes(baker, [bytes(21)], null, ownEntry, 9);
      expect(await replace()).toBe(false);
      await factors().offerTotp(baker, sealed);
      expect(await replace()).toBe(false);
      expect(await linesOf(bench())).toBe(0);
      await confirm(baker);
      expect(await replace()).toBe(true);
      expect(await factors().recoveryCodesLeft(baker)).toBe(1);
      expect(await factors().takeRecoveryCode(baker, bytes(11))).toBe(false);
      expect(await factors().takeRecoveryCode(baker, bytes(21))).toBe(true);
      expect(await linesOf(bench())).toBe(2);
    });
  });
}
