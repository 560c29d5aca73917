/** Figures of the audience, against a recount. */
import { describe, expect, test } from "vitest";
import type { BrowserName, SystemName } from "@sineta/protocol";
import type { AuditEntry, DecideRegistration, RegistrationFilter } from "../port.ts";
import { asNew, endAsGone, randomToken, type ContractBench } from "./bench.ts";
import { addTopic, change, idOf } from "./members.ts";

const dayMs = 86_400_000;

export const removal: AuditEntry = {
  actor: { kind: "operator", name: "baker@site.example" },
  address: null,
  projectId: 1,
  action: "registration.removed",
  subject: "token",
  change: null,
};

const nothing = { registered: 0, returned: 0, renewed: 0, left: 0, gone: 0, removed: 0 };

const renew =
  (id: number): DecideRegistration =>
  () => ({ kind: "renew", id });
const refresh =
  (id: number): DecideRegistration =>
  () => ({ kind: "refresh", id });

export function audienceFiguresContract(bench: () => ContractBench): void {
  const all = async (filter: RegistrationFilter = {}) => {
    const options = { limit: 1_000, keys: 10_000 };
    const { registrations } = await bench().store.audience.list(bench().projectId, filter, options);
    return registrations;
  };
  const daysOf = (from: number, to: number) =>
    bench().store.audience.days(bench().projectId, from, to);

  describe("figures of the audience", () => {
    test("there are none without a registration", async () => {
      const { store, projectId } = bench();
      expect(await store.audience.now(projectId)).toEqual({
        live: 0,
        byPushOrigin: new Map(),
        byBrowser: new Map(),
        bySystem: new Map(),
        byLanguage: new Map(),
      });
      expect(await daysOf(0, 100)).toEqual([]);
    });

    test("a day has what came, was lost and why, and what was live at its end", async () => {
      const { store, projectId, candidate, message } = bench();
      const tokens = Array.from({ length: 4 }, randomToken);
      for (const newToken of tokens) {
        await store.registrations.register(candidate({ newToken }), asNew, 2 * dayMs);
      }
      const ids = await Promise.all(tokens.map((token) => idOf(bench(), token)));
      const [left = 0, gone = 0, , renewed = 0] = ids;
      await store.registrations.leave(left, 3 * dayMs);
      const due = message({ scheduledAtMs: 3 * dayMs + 5 });
      await endAsGone(bench(), due, gone, 1);
      expect(await store.audience.remove(projectId, tokens[2] ?? "", removal, 3 * dayMs)).toBe(
        true,
      );
      await store.registrations.register(candidate(), renew(renewed), 4 * dayMs);
      await store.registrations.register(candidate(), renew(gone), 6 * dayMs);
      await bench().reopen();
      const { live, byBrowser } = await bench().store.audience.now(projectId);
      expect([live, byBrowser]).toEqual([2, new Map([["chrome", 2]])]);
      const figures = [
        { ...nothing, day: 2, registered: 4, live: 4 },
        { ...nothing, day: 3, left: 1, gone: 1, removed: 1, live: 1 },
        { ...nothing, day: 4, renewed: 1, live: 1 },
        { ...nothing, day: 6, returned: 1, live: 2 },
      ];
      expect(await daysOf(0, 100)).toEqual(figures);
      expect(await daysOf(2, 3)).toEqual(figures.slice(0, 2));
      expect(await daysOf(4, 4)).toEqual([{ ...nothing, day: 3, live: 1 }, figures[2]]);
      expect(await bench().store.audience.days(projectId + 1, 0, 100)).toEqual([]);
    });

    test("who leaves after being gone is lost once", async () => {
      const { store, projectId, message, add } = bench();
      const token = await add();
      const id = await idOf(bench(), token);
      await endAsGone(bench(), message({ scheduledAtMs: 5 }), id, 1);
      await store.registrations.leave(id, dayMs);
      expect(await store.audience.remove(projectId, token, removal, 2 * dayMs)).toBe(false);
      expect(await daysOf(0, 9)).toEqual([{ ...nothing, day: 0, registered: 1, gone: 1, live: 0 }]);
    });

    test("after any play they are what a recount finds", async () => {
      const { store, projectId, candidate, message } = bench();
      const browsers: BrowserName[] = ["chrome", "firefox", "unknown"];
      const systems: SystemName[] = ["windows", "android"];
      const locales = [null, "pt-BR", "pt", "PT_br", "en", "eng-US", "x", "12", "português"];
      const origins = ["https://a.example", "https://b.example"];
      let seed = 42;
      const below = (count: number) => {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
        return Math.floor((seed / 2_147_483_648) * count);
      };
      const anyOf = <Item>(items: readonly Item[]): Item => {
        const item = items[below(items.length)];
        if (item === undefined) throw new Error("nothing to choose from");
        return item;
      };
      const some = () =>
        candidate({
          browser: anyOf(browsers),
          system: anyOf(systems),
          locale: anyOf(locales),
          pushOrigin: anyOf(origins),
        });
      const topics = [await addTopic(bench(), "bread"), await addTopic(bench(), "cake")];
      const counted = new Map<number, typeof nothing>();
      const count = (nowMs: number, kind: keyof typeof nothing) => {
        const day = Math.floor(nowMs / dayMs);
        const figures = counted.get(day) ?? { ...nothing };
        figures[kind] += 1;
        counted.set(day, figures);
      };

      const known: { id: number; token: string; generation: number; state: string }[] = [];
      let watermark = 0;
      for (let step = 0; step < 400; step += 1) {
        const nowMs = 10_000 + Math.floor(step / 40) * dayMs;
        const chosen = known.length === 0 ? undefined : anyOf(known);
        const what = below(10);
        if (chosen === undefined || what < 4) {
          const newToken = randomToken();
          const joins = topics.filter(() => below(2) === 0).map(({ id }) => id);
          const membership = change({ joins });
          await store.registrations.register({ ...some(), newToken }, asNew, nowMs, membership);
          const id = await idOf(bench(), newToken);
          known.push({ id, token: newToken, generation: 1, state: "live" });
          count(nowMs, "registered");
        } else if (what === 4) {
          if (chosen.state === "live") count(nowMs, "left");
          if (!(await store.registrations.leave(chosen.id, nowMs))) continue;
          chosen.state = "left";
          // Nothing was sent to it: it is gone without a trace.
          if (chosen.id > watermark) known.splice(known.indexOf(chosen), 1);
        } else if (what === 5) {
          if (chosen.state === "live") count(nowMs, "removed");
          const removed = await store.audience.remove(projectId, chosen.token, removal, nowMs);
          if (removed) chosen.state = "removed";
        } else if (what === 6) {
          if (chosen.state !== "live") continue;
          const due = message({
            scheduledAtMs: nowMs,
            target: { kind: "token", token: chosen.token },
          });
          await endAsGone(bench(), due, chosen.id, chosen.generation);
          const ids = known.filter(({ state }) => state === "live").map(({ id }) => id);
          watermark = Math.max(watermark, ...ids);
          chosen.state = "gone";
          count(nowMs, "gone");
        } else if (what === 7) {
          if (chosen.state !== "live" && chosen.state !== "gone") continue;
          count(nowMs, chosen.state === "live" ? "renewed" : "returned");
          await store.registrations.register(some(), renew(chosen.id), nowMs);
          chosen.generation += 1;
          chosen.state = "live";
        } else if (what === 8) {
          if (chosen.state !== "live") continue;
          await store.registrations.register(some(), refresh(chosen.id), nowMs);
        } else {
          const verb = below(2) === 0 ? "join" : "leave";
          const ids = { projectId, topicId: anyOf(topics).id };
          await store.topics.changeMany(ids, verb, [chosen.token], nowMs);
        }
      }

      const registrations = await all();
      expect(registrations.map(({ id, state }) => ({ id, state })).toReversed()).toEqual(
        known.map(({ id, state }) => ({ id, state })),
      );
      const live = registrations.filter(({ state }) => state === "live");
      expect(live.length).toBeGreaterThan(20);
      const by = <Key>(keyOf: (registration: (typeof live)[number]) => Key) => {
        const counts = new Map<Key, number>();
        for (const each of live) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
        return counts;
      };
      expect(await store.audience.now(projectId)).toEqual({
        live: live.length,
        byPushOrigin: by(({ pushOrigin }) => pushOrigin),
        byBrowser: by(({ browser }) => browser),
        bySystem: by(({ system }) => system),
        byLanguage: by(({ language }) => language),
      });
      expect([...by(({ language }) => language).keys()].toSorted()).toEqual(
        ["en", "eng", "other", "pt", "unknown"].toSorted(),
      );
      const days = (await daysOf(0, 100)).map(({ live: _live, day, ...figures }) => [day, figures]);
      expect(days).toEqual([...counted].toSorted(([one], [other]) => one - other));
      expect((await daysOf(0, 100)).at(-1)?.live).toBe(live.length);
      for (const topic of await store.topics.list(projectId)) {
        const members = await all({ topicId: topic.id, state: "live" });
        expect(topic.liveCount).toBe(members.length);
        expect(topic.liveCount).toBeGreaterThan(5);
      }

      // Each filter finds those whom its name says, and the figures of the live ones are its own.
      const { byLanguage, byBrowser } = await store.audience.now(projectId);
      for (const [language, expected] of byLanguage) {
        expect(await all({ language, state: "live" })).toHaveLength(expected);
        const found = await all({ language });
        expect(found).toEqual(registrations.filter((each) => each.language === language));
      }
      for (const [browser, expected] of byBrowser) {
        expect(await all({ browser, state: "live" })).toHaveLength(expected);
      }
      for (const state of ["live", "left", "gone", "removed"] as const) {
        const found = await all({ state, system: "android" });
        expect(found).toEqual(
          registrations.filter((each) => each.state === state && each.system === "android"),
        );
        expect(found.length).toBeGreaterThan(0);
      }
      const atB = { hosts: ["b.example"], none: false };
      expect(await all({ pushHosts: atB })).toEqual(
        registrations.filter(({ pushOrigin }) => pushOrigin === "https://b.example"),
      );
    });
  });
}
