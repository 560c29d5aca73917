import { describe, expect, test } from "vitest";
import type { NotificationContent } from "@sineta/protocol";
import { payloadOf } from "./payload.ts";

const origin = "https://site.example:8443";
const receiptKey = "k".repeat(22);

function read(notification: NotificationContent): unknown {
  const bytes = payloadOf({ id: "m1", notification }, origin).withKey(receiptKey);
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

  test("each recipient gets the own key, in its place, and the same number of bytes", () => {
    // Whatever an operator writes is not taken for the place of the key.
    const title = `"receiptKey":"${"A".repeat(22)}"`;
    const payload = payloadOf({ id: "m1", notification: { title, body: "🔔" } }, origin);
    const keys = ["x".repeat(22), "_-".repeat(11)];
    const sealed = keys.map((key) => payload.withKey(key));
    const data = keys.map((key) => ({ sineta: { messageId: "m1", receiptKey: key } }));
    expect(sealed.map((bytes) => JSON.parse(Buffer.from(bytes).toString()).notification)).toEqual([
      expect.objectContaining({ title, data: data[0] }),
      expect.objectContaining({ title, data: data[1] }),
    ]);
    expect(sealed.map((bytes) => bytes.length)).toEqual([payload.bytes, payload.bytes]);
  });
});
