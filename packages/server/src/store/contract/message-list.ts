import { beforeEach, describe, expect, test } from "vitest";
import type { MessageFilter, NewMessage } from "../port.ts";
import type { ContractBench } from "./bench.ts";

const dayMs = 86_400_000;

/** Ids sort in the order in which they were published. */
const idOf = (index: number) => `0199c0de-00${10 + index}-7000-8000-000000000000`;

/** Lists of messages that are searched and filtered. */
export function messageListContract(bench: () => ContractBench): void {
  async function publish(messages: readonly Partial<NewMessage>[]): Promise<void> {
    for (const [index, over] of messages.entries()) {
      await bench().store.messages.publish(bench().message({ ...over, id: idOf(index) }), 1);
    }
  }

  /** By the places in which they were published. */
  async function found(filter: MessageFilter, limit = 9, before?: number): Promise<number[]> {
    const beforeId = before === undefined ? undefined : idOf(before);
    const { store, projectId } = bench();
    const messages = await store.messages.list(projectId, limit, beforeId, filter);
    return messages.map(({ id }) => Number(id.slice(11, 13)) - 10);
  }

  describe("a search for messages", () => {
    beforeEach(() =>
      publish([
        { notification: { title: "Pão quentinho", body: "Saiu do forno agora." } },
        { notification: { title: "PÃO DE QUEIJO" } },
        { notification: { title: "Promoção", body: "Leve dois pães, pague um; é só hoje" } },
        { notification: { title: "Straße e Ωmega", body: "naïve café 42%" } },
        { notification: { title: "Nada disso", body: '🔔 "aspas" OR NOT title:pao (x' } },
      ]),
    );

    test.for<[search: string, expected: number[]]>([
      ["pão", [4, 1, 0]],
      ["PAO", [4, 1, 0]],
      ["pa\u0303o", [4, 1, 0]],
      ["PÃES", [2]],
      // Of words the beginning is enough.
      ["quent", [0]],
      ["uentinho", []],
      // All words, wherever and in whatever order they stand.
      ["forno pão", [0]],
      ["forno queijo", []],
      ["promocao hoje", [2]],
      ["ωMEGA", [3]],
      ["cafe NAIVE", [3]],
      ["42", [3]],
      // What the language of the search would mean is a word like any other.
      ['"aspas"', [4]],
      ["or not", [4]],
      ["title:pao", [4]],
      ["pao*", [4, 1, 0]],
      ["(x", [4]],
      ["^pao", [4, 1, 0]],
      ["nada - disso", [4]],
      // Signs are no words.
      ["🔔", []],
      ["%", []],
      [" ", []],
      ['"', []],
    ])("%s: %j", async ([search, expected]) => {
      expect(await found({ search })).toEqual(expected);
    });

    test("goes on page by page, and after a restart", async () => {
      expect(await found({ search: "pao" }, 2)).toEqual([4, 1]);
      await bench().reopen();
      expect(await found({ search: "pao" }, 2, 1)).toEqual([0]);
      expect(await found({ search: "pao" }, 2, 0)).toEqual([]);
    });

    test("goes on before an id that no message has", async () => {
      const { store, projectId } = bench();
      for (const filter of [{ search: "pao" }, {}]) {
        const before = (beforeId: string) => store.messages.list(projectId, 9, beforeId, filter);
        expect(await before("0199c0de-0011-7000-8000-0fffffffffff")).toMatchObject([
          { id: idOf(1) },
          { id: idOf(0) },
        ]);
        expect(await before("0199c0de-0009-7000-8000-000000000000")).toEqual([]);
      }
      expect(await found({ search: "pao" }, 9, 9)).toEqual([4, 1, 0]);
    });

    test("finds nothing of another project", async () => {
      const { store, message } = bench();
      const { id: projectId } = await store.projects.ensure("other", 1);
      const foreign = message({ projectId, notification: { title: "Pão alheio" } });
      await store.messages.publish(foreign, 1);
      expect(await found({ search: "pao" })).toEqual([4, 1, 0]);
      expect(await store.messages.list(projectId, 9, undefined, { search: "pao" })).toMatchObject([
        { id: foreign.id },
      ]);
    });
  });

  describe("a search in another script", () => {
    const texts = [
      "今日は新しいパンが焼けました",
      "iPhone用ケースが10月末に入荷",
      "今天的面包出炉了",
      "วันนี้ขนมปังสดใหม่",
      "ខ្មែរ\u200bភាសា",
      "부산국제영화제가 열립니다",
      "हिन्दी में समाचार",
      "مُحَمَّد في الأســـبوع",
      "שָׁלוֹם עולם",
      "ﾊﾟﾝ ＰＡＯ",
      "ΟΔΟΣ ΑΘΗΝΩΝ",
      "İstanbul ve Iğdır",
      "ຂ່າວ​ໃໝ່ມື້ນີ້",
      "Nấu phở bò",
    ];
    beforeEach(() => publish(texts.map((title) => ({ notification: { title, body: "!" } }))));

    test.for<[search: string, expected: string[]]>([
      // Within a title, however long.
      ["パン", ["今日は新しいパンが焼けました", "ﾊﾟﾝ ＰＡＯ"]],
      ["新しい", ["今日は新しいパンが焼けました"]],
      ["焼けました", ["今日は新しいパンが焼けました"]],
      ["しパ", []],
      ["新しパン", []],
      ["面包", ["今天的面包出炉了"]],
      ["天面", []],
      ["ขนมปัง", ["วันนี้ขนมปังสดใหม่"]],
      ["สดใหม่", ["วันนี้ขนมปังสดใหม่"]],
      ["ใหม", ["วันนี้ขนมปังสดใหม่"]],
      ["영화제", ["부산국제영화제가 열립니다"]],
      ["열립", ["부산국제영화제가 열립니다"]],
      ["영화제가열립니다", ["부산국제영화제가 열립니다"]],
      ["ມື້ນີ້", ["ຂ່າວ​ໃໝ່ມື້ນີ້"]],
      // One character, at the beginning, within and at the end.
      ["今", ["今日は新しいパンが焼けました", "今天的面包出炉了"]],
      ["た", ["今日は新しいパンが焼けました"]],
      ["日", ["今日は新しいパンが焼けました"]],
      ["了", ["今天的面包出炉了"]],
      // With and without what says where a line may break.
      ["ខ្មែរភាសា", ["ខ្មែរ\u200bភាសា"]],
      ["ភាសា", ["ខ្មែរ\u200bភាសា"]],
      ["ខ្មែរ\u200bភាសា", ["ខ្មែរ\u200bភាសា"]],
      // Beside words with spaces, of which the beginning is enough.
      ["ケース", ["iPhone用ケースが10月末に入荷"]],
      ["iphone用ケ", ["iPhone用ケースが10月末に入荷"]],
      ["10月末", ["iPhone用ケースが10月末に入荷"]],
      ["ケースが10", ["iPhone用ケースが10月末に入荷"]],
      ["ケース iph", ["iPhone用ケースが10月末に入荷"]],
      ["phone", []],
      ["0月", []],
      ["用10", []],
      // Width does not count, the marks of kana do.
      ["ﾊﾟﾝが", ["今日は新しいパンが焼けました"]],
      ["ハン", []],
      ["pao", ["ﾊﾟﾝ ＰＡＯ"]],
      // Words are whole: a mark within is a part of them.
      ["हिन्दी", ["हिन्दी में समाचार"]],
      ["समा", ["हिन्दी में समाचार"]],
      ["दी", []],
      // Points, stretches, accents and capitals do not count.
      ["محمد", ["مُحَمَّد في الأســـبوع"]],
      ["الاسبوع", ["مُحَمَّد في الأســـبوع"]],
      ["שלום", ["שָׁלוֹם עולם"]],
      ["οδος", ["ΟΔΟΣ ΑΘΗΝΩΝ"]],
      ["Οδός Αθήνων", ["ΟΔΟΣ ΑΘΗΝΩΝ"]],
      ["istanbul IGDIR", ["İstanbul ve Iğdır"]],
      ["nau pho", ["Nấu phở bò"]],
    ])("%s: %j", async ([search, expected]) => {
      const places = await found({ search }, 50);
      expect(places.toReversed().map((place) => texts[place])).toEqual(expected);
    });

    test("what is any part of a text without spaces finds it", async () => {
      const [text = ""] = texts;
      const characters = Array.from(text);
      for (let length = 1; length <= characters.length; length += 1) {
        for (let from = 0; from + length <= characters.length; from += 1) {
          const search = characters.slice(from, from + length).join("");
          expect(await found({ search }, 50)).toContain(0);
        }
      }
    });

    const ideographs = Array.from({ length: 200 }, (_, at) => String.fromCodePoint(0x4e00 + at));
    test.for([
      ...["ﷺ", "パ", "a ", "あa", "½"].map((each) => each.repeat(200).slice(0, 200)),
      ideographs.join(""),
      ideographs.slice(0, 100).join(" "),
    ])("the longest search finds what has all of it: %s", async (search) => {
      const { store, projectId, message } = bench();
      expect(await found({ search })).toEqual([]);
      const long = message({ notification: { title: "!", body: `${search} ${search}` } });
      await store.messages.publish(long, 1);
      expect(await store.messages.list(projectId, 9, undefined, { search })).toMatchObject([
        { id: long.id },
      ]);
    });
  });

  describe("a filter of messages", () => {
    const tokens = ["a", "b"];

    beforeEach(async () => {
      await publish([
        { scheduledAtMs: dayMs },
        { scheduledAtMs: 2 * dayMs, target: { kind: "topic", topic: "bread" } },
        { scheduledAtMs: 3 * dayMs - 1, notification: { title: "Bolo" } },
        { scheduledAtMs: 3 * dayMs, target: { kind: "tokens", tokens } },
        { scheduledAtMs: 9 * dayMs, target: { kind: "tokens", tokens } },
      ]);
      await bench().store.messages.cancel(bench().projectId, idOf(3), 5);
      await bench().store.delivery.startSending(idOf(0), dayMs);
    });

    test.for<[filter: MessageFilter, expected: number[]]>([
      [{}, [4, 3, 2, 1, 0]],
      [{ state: "scheduled" }, [4, 2, 1]],
      [{ state: "sending" }, [0]],
      [{ state: "cancelled" }, [3]],
      [{ state: "done" }, []],
      [{ targetKind: "tokens" }, [4, 3]],
      [{ targetKind: "topic" }, [1]],
      [{ targetKind: "user" }, []],
      [{ scheduledFromMs: 2 * dayMs, scheduledBeforeMs: 3 * dayMs }, [2, 1]],
      [{ scheduledFromMs: 3 * dayMs }, [4, 3]],
      [{ scheduledBeforeMs: 2 * dayMs }, [0]],
      [{ state: "scheduled", targetKind: "tokens" }, [4]],
      [{ search: "ola", targetKind: "all" }, [0]],
      [{ search: "ola", state: "scheduled", scheduledBeforeMs: 9 * dayMs }, [1]],
      [{ search: "bolo", state: "cancelled" }, []],
    ])("%j: %j", async ([filter, expected]) => {
      expect(await found(filter)).toEqual(expected);
      // Page by page it is the same.
      const pages: number[] = [];
      for (let before: number | undefined; ;) {
        const page = await found(filter, 1, before);
        if (page.length === 0) break;
        pages.push(...page);
        before = page.at(-1);
      }
      expect(pages).toEqual(expected);
    });
  });
}
