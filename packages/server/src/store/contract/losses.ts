/** Losses of registrations that came back. */
import { describe, expect, test } from "vitest";
import type { LossCause } from "@sineta/protocol";
import type { DecideRegistration } from "../port.ts";
import { removal } from "./audience-figures.ts";
import { asNew, endAsGone, randomToken, type ContractBench } from "./bench.ts";
import { idOf } from "./members.ts";

const dayMs = 86_400_000;

export function lossContract(bench: () => ContractBench): void {
  /** Registers as the browser of `token`, which tells that loss. @returns the token of the registration */
  async function comeBack(
    as: "new" | "renew" | "refresh",
    token: string,
    { nowMs, loss }: { nowMs: number; loss?: [LossCause, confirmedAtMs: number] },
  ): Promise<string> {
    const { store, candidate } = bench();
    const id = await idOf(bench(), token);
    const decide: DecideRegistration = () => (as === "new" ? { kind: as } : { kind: as, id });
    const told = loss === undefined ? null : { cause: loss[0], confirmedAtMs: loss[1] };
    const result = await store.registrations.register(
      candidate({ earlierToken: token, loss: told }),
      decide,
      nowMs,
    );
    if (result.kind === "refused") throw new Error(result.code);
    return result.token;
  }
  const end = async (token: string, generation: number, nowMs: number) =>
    endAsGone(
      bench(),
      bench().message({ scheduledAtMs: nowMs }),
      await idOf(bench(), token),
      generation,
    );
  const returns = (from = 0, to = 99, { projectId } = bench()) =>
    bench().store.audience.returns(projectId, from, to);
  const lossOf = async (token: string) =>
    (await bench().store.audience.story(bench().projectId, token, 9))?.loss;

  describe("losses", () => {
    test("a registration that is renewed and refreshed without a loss has none", async () => {
      const token = await bench().add();
      await comeBack("renew", token, { nowMs: dayMs });
      await comeBack("refresh", token, { nowMs: dayMs });
      expect(await lossOf(token)).toBeNull();
      expect(await returns()).toEqual([]);
    });

    test("the server keeps and counts the loss that the browser of a live registration tells", async () => {
      const token = await bench().add();
      await comeBack("renew", token, { nowMs: 3 * dayMs, loss: ["worker-missing", 5] });
      await bench().reopen();
      expect(await lossOf(token)).toEqual({
        cause: "worker-missing",
        goneAtMs: null,
        returnedAtMs: 3 * dayMs,
        times: 1,
      });
      const counted = [{ cause: "worker-missing", wasGone: false, returns: 1 }];
      expect(await returns(3, 3)).toEqual(counted);
      expect(await returns(4)).toEqual([]);
      expect(await returns(0, 2)).toEqual([]);
      const other = await bench().store.projects.ensure("other", 1);
      expect(await returns(0, 99, { ...bench(), projectId: other.id })).toEqual([]);
    });

    test("a loss that a browser tells twice counts once", async () => {
      const token = await bench().add();
      await comeBack("renew", token, { nowMs: dayMs, loss: ["worker-missing", 5] });
      await comeBack("refresh", token, { nowMs: 2 * dayMs, loss: ["worker-missing", 5] });
      await comeBack("renew", token, { nowMs: 2 * dayMs, loss: ["worker-missing", 5] });
      expect(await lossOf(token)).toMatchObject({ cause: "worker-missing", times: 1 });
      expect(await returns()).toEqual([{ cause: "worker-missing", wasGone: false, returns: 1 }]);
    });

    test("a profile that is put back from a copy tells a second loss", async () => {
      const token = await bench().add();
      await comeBack("renew", token, { nowMs: dayMs, loss: ["worker-missing", 5] });
      await comeBack("renew", token, { nowMs: dayMs, loss: ["registration-outdated", 5] });
      expect(await lossOf(token)).toMatchObject({ cause: "registration-outdated", times: 2 });
      expect(await returns()).toHaveLength(2);
    });

    test("each loss of a registration counts, and the story has the last one", async () => {
      const token = await bench().add();
      await end(token, 1, dayMs);
      await comeBack("renew", token, { nowMs: 2 * dayMs });
      await comeBack("renew", token, { nowMs: 2 * dayMs, loss: ["worker-missing", 5] });
      await comeBack("renew", token, { nowMs: 2 * dayMs, loss: ["worker-missing", 6] });
      await comeBack("renew", token, { nowMs: 3 * dayMs, loss: ["key-changed", 7] });
      expect(await lossOf(token)).toEqual({
        cause: "key-changed",
        goneAtMs: null,
        returnedAtMs: 3 * dayMs,
        times: 4,
      });
      expect(await returns()).toEqual([
        { cause: "gone", wasGone: true, returns: 1 },
        { cause: "key-changed", wasGone: false, returns: 1 },
        { cause: "worker-missing", wasGone: false, returns: 2 },
      ]);
    });

    test("after a 410 the loss counts on the day of the 410, under the cause that the browser tells", async () => {
      const [told, untold] = [await bench().add(), await bench().add()];
      await end(told, 1, 2 * dayMs);
      await end(untold, 1, 2 * dayMs);
      await comeBack("renew", told, { nowMs: 9 * dayMs, loss: ["subscription-gone", 5] });
      await comeBack("renew", untold, { nowMs: 9 * dayMs });
      expect(await lossOf(told)).toEqual({
        cause: "subscription-gone",
        goneAtMs: 2 * dayMs,
        returnedAtMs: 9 * dayMs,
        times: 1,
      });
      expect(await lossOf(untold)).toMatchObject({ cause: "gone", goneAtMs: 2 * dayMs });
      expect(await returns(3)).toEqual([]);
      expect(await returns(2, 2)).toEqual([
        { cause: "gone", wasGone: true, returns: 1 },
        { cause: "subscription-gone", wasGone: true, returns: 1 },
      ]);
    });

    test("a registration that keeps its subscription had a loss only if another worker received its pushes", async () => {
      const token = await bench().add();
      await comeBack("refresh", token, { nowMs: dayMs, loss: ["subscription-changed", 5] });
      expect(await lossOf(token)).toBeNull();
      const other = await bench().add();
      for (const each of [token, token, other]) {
        await comeBack("refresh", each, { nowMs: dayMs, loss: ["worker-replaced", 6] });
      }
      const counted = { cause: "worker-replaced", wasGone: false };
      expect(await returns()).toEqual([{ ...counted, returns: 2 }]);
      for (const confirmedAtMs of [7, 7, 8]) {
        await comeBack("refresh", token, {
          nowMs: dayMs,
          loss: ["worker-replaced", confirmedAtMs],
        });
      }
      expect(await returns()).toEqual([{ ...counted, returns: 4 }]);
    });

    test("the loss of a registration that the server has forgotten goes to the new registration", async () => {
      const { store, candidate } = bench();
      const newToken = randomToken();
      const loss = { cause: "registration-unknown", confirmedAtMs: 5 } as const;
      const asked = candidate({ earlierToken: randomToken(), newToken, loss });
      await store.registrations.register(asked, asNew, dayMs);
      expect(await lossOf(newToken)).toMatchObject({ cause: "registration-unknown", times: 1 });
      expect(await returns(1, 1)).toEqual([
        { cause: "registration-unknown", wasGone: false, returns: 1 },
      ]);
    });

    test("the loss of a browser that left or was removed does not count again", async () => {
      const { store, projectId } = bench();
      const [removed, left] = [await bench().add(), await bench().add()];
      // The store keeps the rows of registrations that a message may have been sent to.
      await end(await bench().add(), 1, 1);
      await store.audience.remove(projectId, removed, removal, dayMs);
      await store.registrations.leave(await idOf(bench(), left), dayMs);
      for (const token of [removed, left]) {
        const loss: [LossCause, number] = ["registration-unknown", 5];
        const anew = await comeBack("new", token, { nowMs: 2 * dayMs, loss });
        expect(anew).not.toBe(token);
        expect(await lossOf(anew)).toBeNull();
      }
      expect(await returns()).toEqual([]);
    });

    test("a refused registration counts no loss", async () => {
      const { store, candidate } = bench();
      const token = await bench().add();
      const loss = { cause: "worker-missing", confirmedAtMs: 5 } as const;
      const refused: DecideRegistration[] = [
        () => ({ kind: "refuse" }),
        () => ({ kind: "tell-gone" }),
      ];
      for (const decide of refused) {
        await store.registrations.register(candidate({ earlierToken: token, loss }), decide, dayMs);
      }
      expect(await lossOf(token)).toBeNull();
      expect(await returns()).toEqual([]);
    });

    test("the server forgets the loss of a browser that asks for it, and keeps the count", async () => {
      const { store, projectId } = bench();
      const token = await bench().add();
      await comeBack("renew", token, { nowMs: dayMs, loss: ["worker-missing", 5] });
      await end(await bench().add(), 1, dayMs);
      const newToken = randomToken();
      await store.registrations.forget(await idOf(bench(), token), newToken, 2 * dayMs);
      expect(await store.audience.story(projectId, newToken, 9)).toMatchObject({ loss: null });
      expect(await returns()).toHaveLength(1);
    });
  });
}
