import { describe, expect, test } from "vitest";
import { limits } from "./limits.ts";
import { notificationSchema } from "./notification.ts";

const whole = {
  title: "O pão saiu do forno",
  body: "Venha antes que esfrie. 🔔",
  link: "/pao?quente=1",
  icon: "https://loja.example/icone.png",
  image: "/foto.jpg",
  badge: "/sino.png",
  tag: "pão",
  renotify: true,
  silent: false,
  requireInteraction: true,
  lang: "pt-BR",
  dir: "ltr",
  timestamp: 1_796_126_400_000,
  actions: [
    { action: "ver", title: "Ver", link: "/ver" },
    { action: "2", title: "Depois" },
  ],
};
const wrong = (change: object) =>
  notificationSchema
    .safeParse({ title: "Olá", ...change })
    .error?.issues.map(({ path }) => path.join(".")) ?? [];

test("takes every field there is, and a title alone", () => {
  expect(notificationSchema.parse(whole)).toEqual(whole);
  expect(notificationSchema.parse({ title: "Olá" })).toEqual({ title: "Olá" });
});

test("takes what stands around a title for nothing", () => {
  const actions = [{ action: "1", title: " Ver\n" }];
  expect(notificationSchema.parse({ title: "  Olá ", actions })).toEqual({
    title: "Olá",
    actions: [{ action: "1", title: "Ver" }],
  });
});

test("drops the spaces around a link, also from its length", () => {
  const link = `/${"x".repeat(2047)}`;
  expect(notificationSchema.parse({ title: "Olá", link: ` ${link}\n` })).toEqual({
    title: "Olá",
    link,
  });
});

test("names unknown fields where they stand", () => {
  const { error } = notificationSchema.safeParse({
    ...whole,
    vibrate: [100],
    actions: [{ action: "1", title: "Ver", icon: "/x.png" }],
  });
  expect(error?.issues).toMatchObject([
    { code: "unrecognized_keys", path: ["actions", 0], keys: ["icon"] },
    { code: "unrecognized_keys", path: [], keys: ["vibrate"] },
  ]);
});

describe("characters are counted as Unicode counts them: a bell is one", () => {
  test.for<[field: string, most: number]>([
    ["title", limits.titleCharacters],
    ["body", limits.bodyCharacters],
    ["tag", limits.tagCharacters],
  ])("%s has at most %i", ([field, most]) => {
    const bells = "🔔".repeat(most);
    expect(wrong({ [field]: bells })).toEqual([]);
    expect(wrong({ [field]: `${bells}.` })).toEqual([field]);
  });

  test("an action's title has at most 60", () => {
    const titled = (title: string) => wrong({ actions: [{ action: "1", title }] });
    expect(titled("🔔".repeat(60))).toEqual([]);
    expect(titled(`${"🔔".repeat(60)}.`)).toEqual(["actions.0.title"]);
  });
});

describe("what is refused", () => {
  test.for<[change: object, path: string]>([
    [{ title: undefined }, "title"],
    [{ title: "" }, "title"],
    [{ title: "\u200b" }, "title"],
    [{ title: "Promo \ud83d" }, "title"],
    [{ title: "a\nb" }, "title"],
    [{ body: "Promo \ud83d" }, "body"],
    [{ body: "a\u0000" }, "body"],
    [{ title: 1 }, "title"],
    [{ body: null }, "body"],
    [{ tag: "" }, "tag"],
    [{ renotify: "true" }, "renotify"],
    [{ silent: 1 }, "silent"],
    [{ requireInteraction: "false" }, "requireInteraction"],
    [{ lang: "" }, "lang"],
    [{ lang: "português" }, "lang"],
    [{ lang: "pt_BR" }, "lang"],
    [{ lang: `pt-${"x-abcd".repeat(10)}` }, "lang"],
    [{ dir: "up" }, "dir"],
    [{ timestamp: -1 }, "timestamp"],
    [{ timestamp: 1.5 }, "timestamp"],
    [{ timestamp: 8.64e15 + 1 }, "timestamp"],
    [{ timestamp: "2026-12-01T09:00:00Z" }, "timestamp"],
    [{ actions: {} }, "actions"],
    [{ actions: Array.from("1234", (action) => ({ action, title: "x" })) }, "actions"],
    [{ actions: [{ title: "Ver" }] }, "actions.0.action"],
    [{ actions: [{ action: "a b", title: "Ver" }] }, "actions.0.action"],
    [{ actions: [{ action: "x".repeat(65), title: "Ver" }] }, "actions.0.action"],
    [{ actions: [{ action: "1", title: "\u200b" }] }, "actions.0.title"],
  ])("%j", ([change, path]) => {
    const paths = wrong(change);
    expect(new Set(paths)).toEqual(new Set([path]));
  });

  test("two actions with one id, because a receipt names it", () => {
    const twice = [
      { action: "1", title: "Ver" },
      { action: "1", title: "Comprar" },
    ];
    const { error } = notificationSchema.safeParse({ title: "Olá", actions: twice });
    expect(error?.issues).toMatchObject([{ path: ["actions"], message: "each action once" }]);
  });
});

describe("links", () => {
  const fields: [name: string, put: (link: unknown) => object, path: string][] = [
    ...["link", "icon", "image", "badge"].map((name): (typeof fields)[number] => [
      name,
      (link) => ({ [name]: link }),
      name,
    ]),
    [
      "an action's link",
      (link) => ({ actions: [{ action: "1", title: "Ver", link }] }),
      "actions.0.link",
    ],
  ];

  test.for(fields)("%s is http(s), or a path from the root", ([, put, path]) => {
    for (const link of ["/pão?a=b#c", "HTTP://localhost:8080", `/${"x".repeat(2047)}`]) {
      expect({ link, wrong: wrong(put(link)) }).toEqual({ link, wrong: [] });
    }
    for (const link of [
      "",
      "https:/loja.example/promo",
      "https://ana:segredo@loja.example/",
      "/\\evil.example",
      `/${"x".repeat(2048)}`,
      1,
      null,
    ]) {
      expect({ link, wrong: wrong(put(link)) }).toEqual({ link, wrong: [path] });
    }
  });
});
