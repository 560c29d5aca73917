import { describe, expect, test } from "vitest";
import type { AuditEntry, SessionStore } from "../port.ts";
import type { ContractBench } from "./bench.ts";

const minuteMs = 60_000;
const hash = (byte: number) => Buffer.alloc(32, byte);

const audited: AuditEntry = {
  actor: { kind: "operator", name: "baker@site.example" },
  address: "192.0.2.1",
  projectId: null,
  action: "operator.logged-in",
  subject: "baker@site.example",
  change: null,
};

export function sessionContract(bench: () => ContractBench): void {
  const sessions = () => bench().store.sessions;
  async function add(name = "baker"): Promise<number> {
    const { store, projectId } = bench();
    const operator = { email: `${name}@site.example`, name, passwordHash: "hash" };
    const role = { projectId, role: "editor" } as const;
    const id = await store.operators.add(operator, role, { ...audited, action: "x.made" }, 1);
    return id ?? 0;
  }
  async function start(
    operatorId: number,
    byte: number,
    { nowMs = 5, expiresAtMs = 1e9, atMost = 50 } = {},
  ): Promise<number> {
    const id = await begin(null, operatorId, byte, { nowMs, expiresAtMs, atMost });
    if (id === null) throw new Error("the session did not begin");
    return id;
  }
  const begin = (
    verified: Parameters<SessionStore["start"]>[0],
    operatorId: number,
    byte: number,
    { nowMs = 5, expiresAtMs = 1e9, atMost = 50 } = {},
  ) =>
    sessions().start(
      verified,
      {
        operatorId,
        tokenHash: hash(byte),
        expiresAtMs,
        address: "192.0.2.1",
        userAgent: `browser ${byte}`,
      },
      atMost,
      audited,
      nowMs,
    );
  const find = (byte: number, { nowMs = 6, usedSinceMs = 0 } = {}) =>
    sessions().find(hash(byte), { nowMs, usedSinceMs });
  const linesAbout = async (action: string) =>
    (await bench().store.audit.list([null], { limit: 100 })).filter(
      (line) => line.action === action,
    );

  describe("sessions", () => {
    test("are at most so many: the one unused longest ends when another begins, with a line that says so", async () => {
      const [baker, florist] = [await add(), await add("florist")];
      await start(florist, 9);
      const first = await start(baker, 1, { nowMs: 5 });
      const second = await start(baker, 2, { nowMs: 6 });
      await start(baker, 3, { nowMs: 7 });
      await sessions().touch(first, { address: "192.0.2.1" }, 6 + minuteMs);
      await start(baker, 4, { nowMs: 8 + minuteMs, atMost: 3 });
      const live = (await sessions().list(baker, { nowMs: 9 + minuteMs, usedSinceMs: 0 })).map(
        ({ userAgent }) => userAgent,
      );
      expect(live).toEqual(["browser 4", "browser 1", "browser 3"]);
      expect(await sessions().list(florist, { nowMs: 9, usedSinceMs: 0 })).toHaveLength(1);
      expect(await linesAbout("session.ended")).toMatchObject([
        { subject: "baker@site.example", change: { session: second, reason: "too-many" } },
      ]);
    });

    test("are at most so many also where many begin at the same moment", async () => {
      const baker = await add();
      await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((byte) => start(baker, byte, { atMost: 3 })));
      expect(await sessions().list(baker, { nowMs: 6, usedSinceMs: 0 })).toHaveLength(3);
      expect(await linesAbout("session.ended")).toHaveLength(5);
    });

    test("are found by their hash, after a restart too, with all that deciding needs", async () => {
      const operatorId = await add();
      const id = await start(operatorId, 1);
      await bench().reopen();
      expect(await find(1)).toEqual({
        id,
        operatorId,
        createdAtMs: 5,
        lastUsedAtMs: 5,
        expiresAtMs: 1e9,
        address: "192.0.2.1",
        userAgent: "browser 1",
        email: "baker@site.example",
        name: "baker",
        roles: [{ projectId: bench().projectId, role: "editor" }],
      });
      expect(await find(2)).toBeNull();
      expect(
        await sessions().find(hash(1).subarray(0, 31), { nowMs: 6, usedSinceMs: 0 }),
      ).toBeNull();
      expect(await bench().store.operators.findById(operatorId)).toMatchObject({
        lastLoginAtMs: 5,
      });
      expect(await linesAbout("operator.logged-in")).toHaveLength(1);
    });

    test("end by themselves: at their time, or when they were not used", async () => {
      await start(await add(), 1, { expiresAtMs: 100 });
      expect(await find(1, { nowMs: 99 })).not.toBeNull();
      expect(await find(1, { nowMs: 100 })).toBeNull();
      expect(await find(1, { usedSinceMs: 5 })).not.toBeNull();
      expect(await find(1, { usedSinceMs: 6 })).toBeNull();
    });

    test("remember when and from where they were used, to the minute, whichever way the clock goes", async () => {
      const id = await start(await add(), 1, { nowMs: minuteMs });
      const used = async (nowMs: number) => {
        await sessions().touch(id, { address: "192.0.2.9" }, nowMs);
        const found = await find(1);
        return [found?.lastUsedAtMs, found?.address];
      };
      expect(await used(2 * minuteMs - 1)).toEqual([minuteMs, "192.0.2.1"]);
      expect(await used(2 * minuteMs)).toEqual([2 * minuteMs, "192.0.2.9"]);
      expect(await used(7)).toEqual([7, "192.0.2.9"]);
    });

    test("are listed of their operator, the last used first, live ones alone", async () => {
      const [baker, florist] = [await add("baker"), await add("florist")];
      const first = await start(baker, 1);
      const second = await start(baker, 2);
      await start(baker, 3, { expiresAtMs: 6 });
      await start(florist, 4);
      const ids = async (usedSinceMs = 0) =>
        (await sessions().list(baker, { nowMs: 6, usedSinceMs })).map(({ id }) => id);
      expect(await ids()).toEqual([second, first]);
      await sessions().touch(first, { address: "" }, 10 * minuteMs);
      expect(await ids()).toEqual([first, second]);
      expect(await ids(minuteMs)).toEqual([first]);
    });

    test("begin only if what was looked at still holds", async () => {
      const { operators, secondFactors } = bench().store;
      const id = await add();
      const verified = { passwordHash: "hash", sealedTotpSecret: null };
      expect(await begin(verified, id, 1)).not.toBeNull();
      expect(await begin({ ...verified, passwordHash: "older" }, id, 2)).toBeNull();
      const sealed = Buffer.from("sealed");
      expect(await begin({ ...verified, sealedTotpSecret: sealed }, id, 3)).toBeNull();
      await secondFactors.offerTotp(id, sealed);
      expect(await begin(verified, id, 4)).not.toBeNull();
      const confirmed = { sealedSecret: sealed, step: 1, recoveryCodeHashes: [] };
      await secondFactors.confirmTotp(id, confirmed, null, { ...audited, action: "x.made" }, 9);
      expect(await begin(verified, id, 5)).toBeNull();
      expect(await begin({ ...verified, sealedTotpSecret: sealed }, id, 6)).not.toBeNull();
      await operators.recover(id, "another", { ...audited, action: "x.made" }, 9);
      expect(await begin({ ...verified, sealedTotpSecret: sealed }, id, 7)).toBeNull();
      expect(await begin(null, 999, 8)).toBeNull();
      for (const byte of [2, 3, 5, 7, 8]) expect(await find(byte)).toBeNull();
    });

    test("are ended by their operator alone, once", async () => {
      const [baker, florist] = [await add("baker"), await add("florist")];
      const id = await start(baker, 1);
      const end = (operatorId: number) =>
        sessions().end(id, operatorId, { ...audited, action: "session.ended" }, 9);
      expect(await end(florist)).toBe(false);
      expect(await find(1)).not.toBeNull();
      expect(await end(baker)).toBe(true);
      expect(await find(1)).toBeNull();
      expect(await end(baker)).toBe(false);
      expect(await linesAbout("session.ended")).toHaveLength(1);
    });

    test("that are stale are removed, so many at a time, and no others", async () => {
      const baker = await add();
      await start(baker, 1, { expiresAtMs: 50 });
      await start(baker, 2, { expiresAtMs: 50 });
      await start(baker, 3, { nowMs: 7 });
      await start(baker, 4, { nowMs: 20 });
      const times = { nowMs: 50, usedSinceMs: 8 };
      expect(await sessions().removeStale(times, 2)).toBe(2);
      expect(await sessions().removeStale(times, 2)).toBe(1);
      expect(await sessions().removeStale(times, 2)).toBe(0);
      expect(await find(3)).toBeNull();
      expect(await find(4)).not.toBeNull();
    });
  });
}
