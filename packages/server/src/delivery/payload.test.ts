import { describe, expect, test } from "vitest";
import { payloadOf } from "./payload.ts";

const read = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString());
const origin = "https://site.example:8443";

describe("payloadOf", () => {
  test("is Declarative Web Push JSON, with the message's id as tag", () => {
    const notification = { title: "Olá", body: "ção 🔔", link: "/x?y=1", icon: "/i.png" };
    expect(read(payloadOf({ id: "m1", notification }, origin))).toEqual({
      web_push: 8030,
      mutable: true,
      notification: {
        title: "Olá",
        body: "ção 🔔",
        navigate: "https://site.example:8443/x?y=1",
        tag: "m1",
        icon: "https://site.example:8443/i.png",
        data: { sineta: { messageId: "m1" } },
      },
    });
  });

  test("without link it leads to the start page; absolute addresses stay", () => {
    const bare = payloadOf({ id: "m1", notification: { title: "x" } }, origin);
    expect(read(bare)).toEqual({
      web_push: 8030,
      mutable: true,
      notification: {
        title: "x",
        navigate: `${origin}/`,
        tag: "m1",
        data: { sineta: { messageId: "m1" } },
      },
    });
    const notification = { title: "x", link: "http://a.example/b", icon: "https://c.example/d" };
    expect(read(payloadOf({ id: "m1", notification }, origin))).toMatchObject({
      notification: { navigate: "http://a.example/b", icon: "https://c.example/d" },
    });
  });
});
