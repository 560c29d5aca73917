import { describe, expect, test } from "vitest";
import type { DecideRegistration, GoneEndpoint } from "../port.ts";
import { endAsGone, randomToken, type ContractBench } from "./bench.ts";
import {
  accepted,
  mustLease,
  planMessage,
  refused,
  retry,
  writePage,
  type Came,
} from "./delivering.ts";
import { idOf } from "./members.ts";

const secret = Buffer.alloc(32, 7);

const at = (name: string) => `https://push.example/${name}`;
const endpoint = at("one");
const tellIfGone: DecideRegistration = ({ goneEndpoint }) =>
  goneEndpoint === null ? { kind: "new" } : { kind: "tell-gone" };

/** Which endpoints a project remembers as gone, and what becomes of a browser that still shows one. */
export function goneEndpointContract(bench: () => ContractBench): void {
  /** Sends a message to one registration. */
  async function send(came: Came): Promise<void> {
    const { id } = await planMessage(bench());
    const batch = await mustLease(bench().store, 1_000, { messageId: id });
    await writePage(bench().store, batch, { walked: [came] }, 1_000);
  }
  const end = (id: number, generation = 1, scheduledAtMs = 1_000) =>
    endAsGone(bench(), bench().message({ scheduledAtMs }), id, generation);
  /** Registers a browser, and ends it after a push was accepted. @returns its id */
  async function lose(lost = endpoint, goneAtMs = 1_000): Promise<number> {
    const id = await idOf(bench(), await bench().add({ endpoint: lost }));
    await send(accepted(id));
    await end(id, 1, goneAtMs);
    return id;
  }
  async function renew(id: number, to: string): Promise<void> {
    const { store, candidate } = bench();
    await store.registrations.register(
      candidate({ endpoint: to }),
      () => ({ kind: "renew", id }),
      5,
    );
  }
  /** What the project remembers of the endpoint. */
  async function known(
    shown = endpoint,
    projectId = bench().projectId,
  ): Promise<GoneEndpoint | null> {
    let seen: GoneEndpoint | null | undefined;
    const decide: DecideRegistration = ({ goneEndpoint }) => {
      seen = goneEndpoint;
      return { kind: "refuse" };
    };
    const { store, candidate } = bench();
    await store.registrations.register(candidate({ endpoint: shown, projectId }), decide, 5);
    if (seen === undefined) throw new Error("nothing was decided");
    return seen;
  }
  const tell = () =>
    bench().store.registrations.register(
      bench().candidate({ endpoint }),
      () => ({ kind: "tell-gone" }),
      5,
    );

  describe("endpoints that are gone", () => {
    test("the project remembers one for which a push was accepted, after a restart too", async () => {
      await lose();
      await bench().reopen();
      expect(await known()).toEqual({ clientSecretHash: expect.anything(), wasTold: false });
      expect(Buffer.from((await known())?.clientSecretHash ?? [])).toEqual(secret);
      expect(await known(at("two"))).toBeNull();
    });

    test("another project does not know it", async () => {
      await lose();
      const other = await bench().store.projects.ensure("other", 1);
      expect(await known(endpoint, other.id)).toBeNull();
    });

    test.for<[string, (id: number) => Came | null]>([
      ["that no push was sent to", () => null],
      ["that a push is to be tried at again", (id) => retry(id, 2_000)],
      ["that refused a push", (id) => refused(id)],
    ])("the project does not remember one %s", async ([, came]) => {
      const id = await idOf(bench(), await bench().add({ endpoint }));
      const sent = came(id);
      if (sent !== null) await send(sent);
      await end(id);
      expect(await known()).toBeNull();
    });

    test("a push that was accepted when it was tried again counts", async () => {
      const { store } = bench();
      const id = await idOf(bench(), await bench().add({ endpoint }));
      const message = await planMessage(bench());
      const first = await mustLease(store, 1_000, { messageId: message.id });
      await writePage(store, first, { walked: [retry(id, 2_000)] }, 1_000);
      const again = await mustLease(store, 2_000, { messageId: message.id });
      const [due] = await store.delivery.dueRetries(again, message, 2_000, 9);
      const retried = [{ attempts: due?.attempts ?? 0, delivered: accepted(id) }];
      await writePage(store, again, { retried }, 2_000);
      await end(id);
      expect(await known()).not.toBeNull();
    });

    test("a push that was accepted for an earlier endpoint does not count", async () => {
      const id = await idOf(bench(), await bench().add());
      await send(accepted(id));
      await renew(id, endpoint);
      await end(id, 2);
      expect(await known()).toBeNull();
      await renew(id, endpoint);
      // The page of an earlier endpoint ends late.
      await send(accepted(id, 2));
      await end(id, 3);
      expect(await known()).toBeNull();
    });

    test("a late 410 for an earlier endpoint leaves the present one alone", async () => {
      const id = await idOf(bench(), await bench().add());
      await renew(id, endpoint);
      await send(accepted(id, 2));
      await end(id, 1);
      await bench().store.registrations.leave(id, 9);
      expect(await known()).toBeNull();
    });

    test("a live registration hides what was known of its endpoint", async () => {
      await lose();
      await bench().add({ endpoint });
      expect(await known()).toBeNull();
    });

    test("the project remembers it when its browser has come back under another one", async () => {
      const id = await lose();
      await renew(id, at("two"));
      expect(await known()).toEqual({ clientSecretHash: expect.anything(), wasTold: false });
      expect(await known(at("two"))).toBeNull();
    });

    test("its browser is told, and nothing else changes", async () => {
      const { store, projectId } = bench();
      await lose();
      expect(await tell()).toEqual({ kind: "refused", code: "subscription-gone" });
      expect(await known()).toEqual({ clientSecretHash: expect.anything(), wasTold: true });
      expect(await store.registrations.countLive(projectId)).toBe(0);
      expect(await store.audience.days(projectId, 0, 9)).toMatchObject([
        { registered: 1, returned: 0, gone: 1 },
      ]);
    });

    test.for<[string, (id: number) => ReturnType<DecideRegistration>, number]>([
      ["under its registration", (id) => ({ kind: "renew", id }), 2],
      ["as a new one", () => ({ kind: "new" }), 1],
    ])("one that is registered again, %s, is remembered when it is gone again", async (each) => {
      const [, decision, generation] = each;
      const { store, candidate, projectId } = bench();
      const lost = await lose();
      await tell();
      const asked = candidate({ endpoint });
      const result = await store.registrations.register(asked, () => decision(lost), 6);
      if (!("token" in result)) throw new Error("it was refused");
      expect(await store.registrations.find(projectId, result.token)).toMatchObject({
        endReason: null,
        generation,
      });
      await end(await idOf(bench(), result.token), generation);
      expect(await known()).toMatchObject({ wasTold: false });
    });

    test("one that is registered again is not remembered any more", async () => {
      await lose();
      await tell();
      const id = await idOf(bench(), await bench().add({ endpoint }));
      await bench().store.registrations.leave(id, 7);
      expect(await known()).toBeNull();
    });

    test("of many browsers that come at once, the one that shows it is told", async () => {
      const { store, candidate, projectId } = bench();
      await lose();
      const results = await Promise.all(
        [candidate(), candidate({ endpoint }), candidate()].map((each) =>
          store.registrations.register(each, tellIfGone, 5),
        ),
      );
      expect(results.map(({ kind }) => kind)).toEqual(["new", "refused", "new"]);
      expect(await store.registrations.countLive(projectId)).toBe(2);
    });

    test("forgetting a browser forgets all its endpoints", async () => {
      const id = await lose();
      await renew(id, at("two"));
      await send(accepted(id, 2));
      await end(id, 2);
      await bench().store.registrations.forget(id, randomToken(), 9);
      expect(await known()).toBeNull();
      expect(await known(at("two"))).toBeNull();
    });

    test("the project forgets those of a browser that leaves, and of a registration that is removed", async () => {
      const { store } = bench();
      await store.registrations.leave(await lose(), 1_500);
      expect(await known()).toBeNull();
      await lose();
      expect(await store.retention.removeEnded(2_000, 9)).toBe(2);
      expect(await known()).toBeNull();
    });

    test("the project remembers the last eight of a registration", async () => {
      const id = await lose(at("0"), 1_000);
      for (let round = 1; round <= 8; round += 1) {
        await renew(id, at(String(round)));
        await send(accepted(id, round + 1));
        await end(id, round + 1, 1_000 + round);
      }
      expect(await known(at("0"))).toBeNull();
      for (let round = 1; round <= 8; round += 1) {
        expect(await known(at(String(round)))).not.toBeNull();
      }
    });

    test("retention forgets, a portion at a time, what is gone for longer than it is told to keep", async () => {
      const { store } = bench();
      for (const name of ["a", "b", "c"]) await lose(at(name), 2_000);
      await lose(at("young"), 3_000);
      expect(await store.retention.removeGoneEndpoints(2_000, 9)).toBe(0);
      expect(await store.retention.removeGoneEndpoints(3_000, 2)).toBe(2);
      expect(await store.retention.removeGoneEndpoints(3_000, 2)).toBe(1);
      for (const name of ["a", "b", "c"]) expect(await known(at(name))).toBeNull();
      expect(await known(at("young"))).not.toBeNull();
    });
  });
}
