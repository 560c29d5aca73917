import { describe, expect, test } from "vitest";
import type { NotificationContent } from "@sineta/protocol";
import type { NewMessage } from "../store/port.ts";
import { payloadOf } from "./payload.ts";

const origin = "https://site.example:8443";
const receiptKey = "k".repeat(22);

function read(notification: NotificationContent, data: NewMessage["data"] = null): unknown {
  const bytes = payloadOf({ id: "m1", notification, data }, origin).withKey(receiptKey);
  return JSON.parse(Buffer.from(bytes).toString());
}

describe("payloadOf", () => {
  test("is Declarative Web Push JSON, with the message's id as tag and a receipt key", () => {
    const notification = {
      title: "Olá",
      body: "ção 🔔",
      link: "/x?y=1",
      icon: "/i.png",
      actions: [
        { action: "1", title: "Ver", link: "/ver" },
        { action: "2", title: "Comprar", link: "https://loja.example/a" },
        { action: "3", title: "Abrir" },
      ],
    };
    expect(read(notification)).toEqual({
      web_push: 8030,
      mutable: true,
      notification: {
        title: "Olá",
        body: "ção 🔔",
        navigate: `${origin}/x?y=1`,
        tag: "m1",
        icon: `${origin}/i.png`,
        actions: [
          { action: "1", title: "Ver", navigate: `${origin}/ver` },
          { action: "2", title: "Comprar", navigate: "https://loja.example/a" },
          { action: "3", title: "Abrir", navigate: `${origin}/x?y=1` },
        ],
        data: { sineta: { messageId: "m1", receiptKey } },
      },
    });
  });

  test("without link it leads to the start page; absolute addresses stay", () => {
    expect(read({ title: "x", actions: [] })).toEqual({
      web_push: 8030,
      mutable: true,
      notification: {
        title: "x",
        navigate: `${origin}/`,
        tag: "m1",
        data: { sineta: { messageId: "m1", receiptKey } },
      },
    });
    const notification = { title: "x", link: "http://a.example/b", icon: "https://c.example/d" };
    expect(read(notification)).toMatchObject({
      notification: { navigate: "http://a.example/b", icon: "https://c.example/d" },
    });
  });

  test("replaces a stored link that is refused now with the start page, and leaves out such a picture", () => {
    const link = "https://ana:segredo@loja.example/";
    const notification = { title: "x", link, icon: "https:/loja.example/i.png" };
    const actions = [
      { action: "1", title: "Ver", link },
      { action: "2", title: "Abrir", link: "/a" },
    ];
    expect(read({ ...notification, actions })).toEqual({
      web_push: 8030,
      mutable: true,
      notification: {
        title: "x",
        navigate: `${origin}/`,
        tag: "m1",
        actions: [
          { action: "1", title: "Ver", navigate: `${origin}/` },
          { action: "2", title: "Abrir", navigate: `${origin}/a` },
        ],
        data: { sineta: { messageId: "m1", receiptKey } },
      },
    });
  });

  test("carries every field of the notification, with absolute addresses", () => {
    const asWritten = {
      title: "Olá",
      body: "",
      tag: "pão",
      renotify: true,
      silent: false,
      requireInteraction: true,
      lang: "pt-BR",
      dir: "rtl",
      timestamp: 0,
    } as const;
    const addresses = { icon: "/i.png", image: "/foto.jpg?a=b", badge: "/sino.png" };
    expect(read({ ...asWritten, ...addresses, link: "/x" })).toEqual({
      web_push: 8030,
      mutable: true,
      notification: {
        ...asWritten,
        navigate: `${origin}/x`,
        icon: `${origin}/i.png`,
        image: `${origin}/foto.jpg?a=b`,
        badge: `${origin}/sino.png`,
        data: { sineta: { messageId: "m1", receiptKey } },
      },
    });
  });

  test("carries the message's data beside ours, whatever it is called", () => {
    // As it comes from a database: only there can it have such a name of its own.
    const data = JSON.parse('{"order":{"id":42},"2":null,"__proto__":[1],"navigate":"x"}');
    expect(read({ title: "x" }, data)).toMatchObject({
      notification: { data: { ...data, sineta: { messageId: "m1", receiptKey } } },
    });
    expect(JSON.stringify(read({ title: "x" }, data))).toContain('"__proto__":[1]');
  });

  // Whatever an operator writes is not taken for the place of the key.
  const text = `"receiptKey":"${"A".repeat(22)}"`;
  test.for<[what: string, notification: NotificationContent, data: NewMessage["data"]]>([
    ["title", { title: text, body: "🔔" }, null],
    ["everything", { title: "x", body: text, tag: text, lang: "pt", dir: "ltr", timestamp: 1 }, {}],
    ["links", { title: "x", link: `/${"A".repeat(22)}`, badge: `/${"A".repeat(22)}` }, null],
    ["actions", { title: "x", actions: [{ action: "A".repeat(22), title: text }] }, null],
    ["data", { title: "x" }, { a: "A".repeat(22), receiptKey: "A".repeat(22), zzz: [text] }],
  ])("each recipient gets the own key, in its place: %s", ([, notification, data]) => {
    const payload = payloadOf({ id: "m1", notification, data }, origin);
    const keys = ["x".repeat(22), "_-".repeat(11)];
    const bare = read(notification, data);
    for (const key of keys) {
      const bytes = payload.withKey(key);
      expect(bytes.length).toBe(payload.bytes);
      const carried = Buffer.from(bytes).toString();
      expect(JSON.parse(carried)).toMatchObject({
        notification: { title: notification.title, data: { sineta: { receiptKey: key } } },
      });
      // Nothing else of it differs.
      expect(JSON.parse(carried.replace(key, receiptKey))).toEqual(bare);
    }
  });
});
