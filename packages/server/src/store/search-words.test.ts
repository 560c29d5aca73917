import { array, assert, constantFrom, nat, pre, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { phrasesOf, wordsOf } from "./search-words.ts";

describe("the words of a text", () => {
  test.for<[text: string, words: string]>([
    ["Pão de Queijo, 42%!", "pao de queijo 42"],
    ["Straße", "strasse"],
    ["𝗣𝗥𝗢𝗠𝗢ção ℝ", "promocao r"],
    ["ΟΔΟΣ οδοστρωτήρας", "οδοσ οδοστρωτηρασ"],
    ["قُلۡ", "قل"],
    ["co\u00adope\u200dra\u2060\ufeffção", "cooperacao"],
    ["a\u200bb", "a b"],
    ["\u200b", ""],
    ["🔔 … ", ""],
    // Signs separate, whatever they look like.
    ["1️⃣Abra ℹ️Info ℹ︎Info 🥖Pão", "1 abra i info i info pao"],
    ["Заказ №12345", "заказ 12345"],
    ["™Brand ₨500 ㎏5 Ⓜ️Metro 🄰bc", "brand 500 5 metro bc"],
    ["\ue000x", "\ue000x"],
    ["ẞ ß SS", "ss ss ss"],
    ["đường Łódź Ærø Þór", "duong lodz aero thor"],
    ["كتاب کتاب", "کتاب کتاب"],
    ["على مدرسة", "علی مدرسه"],
    ["۵۰ ٥٠ ५० ๕๐ \u{116d1}\u{116db}", "50 50 50 50 11"],
    // U+200C.
    ["کتاب‌ها", "کتاب ها"],
    ["హైదరాబాద్‌లో", "హైదరాబాద్లో"],
    ["ខ្មែ‌រ", "ខ្ ្ម មែ ែរ រ"],
    ["新しい", "新し しい い"],
    ["ラーメン", "ラー ーメ メン ン"],
    ["人々", "人々 々"],
    ["𠮷野家", "𠮷野 野家 家"],
    ["iPhone用Xperia", "iphone 用 xperia"],
    ["ภาษา", "ภา าษ ษา า"],
    ["ភា\u200bសា", "ភា ាស សា ា"],
    ["한국", "한국 국"],
    ["무료 배송", "무료 료배 배송 송"],
    ["東京\u3000タワー。赤い", "東京 京タ タワ ワー ー 赤い い"],
    ["東京 10", "東京 京 10"],
    ["๕๐ ๑๐ บาท", "50 10 บา าท ท"],
    ["二〇二六", "二〇 〇二 二六 六"],
    ["ㄅㄆㄇ", "ㄅㄆ ㄆㄇ ㄇ"],
    ["မြန်မာ", "မြ ြန န် ်မ မာ ာ"],
    ["བོད་ཡིག", "བོ ོད ད ཡི ིག ག"],
    ["हिन्दी", "हिन्दी"],
  ])("%j: %j", ([text, words]) => {
    expect(wordsOf(text).join(" ")).toBe(words);
  });
});

test.for([
  ["Yi", "ꆈꌠꉙ"],
  ["Tai Le", "ᥖᥭᥰ"],
  ["New Tai Lue", "ᦷᦟᧁ"],
  ["Tai Tham", "ᨲᩮᩬᩥ"],
  ["Tai Viet", "ꪼꪕꪒ"],
  ["Ahom", "𑜒𑜑𑜪"],
  ["Balinese", "ᬩᬮᬶ"],
  ["Javanese", "ꦗꦮꦶ"],
])("%s is cut into pairs", ([, text = ""]) => {
  const characters = Array.from(text);
  expect(wordsOf(text)).toEqual(characters.map((each, at) => each + (characters[at + 1] ?? "")));
});

describe("the phrases of a search", () => {
  test.for<[search: string, phrases: ReturnType<typeof phrasesOf>]>([
    ["", []],
    ["🔔 \u200b", []],
    ["Pão", [{ words: ["pao"], isPrefix: true }]],
    [
      "pão, queijo",
      [
        { words: ["pao"], isPrefix: true },
        { words: ["queijo"], isPrefix: true },
      ],
    ],
    ["新", [{ words: ["新"], isPrefix: true }]],
    ["新し", [{ words: ["新し"], isPrefix: false }]],
    ["新しい", [{ words: ["新し", "しい"], isPrefix: false }]],
    ["新しいiPh", [{ words: ["新し", "しい", "い", "iph"], isPrefix: true }]],
    ["iPhone用", [{ words: ["iphone", "用"], isPrefix: true }]],
  ])("%j", ([search, phrases]) => {
    expect(phrasesOf(search)).toEqual(phrases);
  });

  test("find what stands in the text, from the beginning of a word or from any character without spaces", () => {
    const characters = constantFrom(...Array.from("aB1 ,パ新ーขั\u200b"));
    const texts = array(characters, { minLength: 1, maxLength: 12 });
    assert(
      property(texts, nat(), nat(), (text, from, length) => {
        const start = from % text.length;
        const isWithinWord = /[aB1]/.test(text[start] ?? "") && /[aB1]/.test(text[start - 1] ?? "");
        pre(!isWithinWord);
        const search = text.slice(start, start + 1 + (length % text.length)).join("");
        for (const phrase of phrasesOf(search)) {
          expect(stands(phrase, wordsOf(text.join("")))).toBe(true);
        }
      }),
    );
  });
});

/** Whether the words of a phrase stand side by side. */
function stands({ words, isPrefix }: ReturnType<typeof phrasesOf>[number], all: string[]): boolean {
  const last = words.length - 1;
  return all.some((_, from) =>
    words.every((word, index) => {
      const found = all[from + index];
      return isPrefix && index === last ? found?.startsWith(word) : found === word;
    }),
  );
}
