import { beforeEach, describe, expect, test } from "vitest";

import {
  createMessageQueue,
  type Delivery,
  type Message,
  type MessageQueue,
} from "./message-queue.ts";

let nowMs = 0;
let queue: MessageQueue;
let states: Record<string, Delivery>;
let codes: Record<string, number | undefined>;

const message = (id: string, more: Partial<Message> = {}): Message => ({
  id,
  browser: "fox",
  endpoint: "https://push.example/1",
  topic: undefined,
  ttlSeconds: 60,
  acceptedAtMs: nowMs,
  contentEncoding: "aes128gcm",
  body: new Uint8Array(1),
  ...more,
});

/** Connects a browser and collects what it is sent. */
const connect = (browser = "fox") => {
  const received: string[] = [];
  const repeated: string[] = [];
  const leave = queue.connect(browser, ({ id }, again) => {
    received.push(id);
    if (again) repeated.push(id);
  });
  return { received, repeated, leave };
};

beforeEach(() => {
  nowMs = 1_000_000;
  states = {};
  codes = {};
  queue = createMessageQueue({
    now: () => nowMs,
    onChange: (id, delivery, code) => {
      states[id] = delivery;
      codes[id] = code;
    },
  });
});

describe("delivery", () => {
  test("to a browser that is there, at once and in order", () => {
    const { received } = connect();
    queue.add(message("a"));
    queue.add(message("b"));
    expect(received).toEqual(["a", "b"]);
    expect(states).toEqual({ a: "sent", b: "sent" });
  });

  test("to a browser that comes later, oldest first", () => {
    queue.add(message("a"));
    queue.add(message("b"));
    expect(states).toEqual({});
    expect(connect().received).toEqual(["a", "b"]);
  });

  test("to each browser only its own", () => {
    const fox = connect("fox");
    const owl = connect("owl");
    queue.add(message("a", { browser: "owl" }));
    expect(fox.received).toEqual([]);
    expect(owl.received).toEqual(["a"]);
  });

  test("again after the connection was lost, until it is acknowledged", () => {
    const first = connect();
    queue.add(message("a"));
    queue.add(message("b"));
    queue.acknowledge("fox", "a");
    first.leave();
    expect(states).toEqual({ a: "acknowledged", b: "queued" });
    queue.add(message("c"));
    const second = connect();
    expect(second.received).toEqual(["b", "c"]);
    expect(second.repeated).toEqual(["b"]);
    queue.acknowledge("fox", "b");
    queue.acknowledge("fox", "c");
    second.leave();
    expect(connect().received).toEqual([]);
  });

  test("again to a browser that is back before its old connection ended", () => {
    const old = connect();
    queue.add(message("a"));
    const fresh = connect();
    expect(fresh.received).toEqual(["a"]);
    old.leave();
    queue.add(message("b"));
    expect(fresh.received).toEqual(["a", "b"]);
    expect(old.received).toEqual(["a"]);
  });

  test("is not acknowledged by another browser", () => {
    const { leave } = connect();
    queue.add(message("a"));
    queue.acknowledge("owl", "a");
    leave();
    expect(connect().received).toEqual(["a"]);
  });
});

describe("a message that the browser could not deliver", () => {
  test("is not sent again", () => {
    const { leave } = connect();
    queue.add(message("a"));
    queue.refuse("fox", "a", 101);
    leave();
    expect(connect().received).toEqual([]);
    expect([states["a"], codes["a"]]).toEqual(["undelivered", 101]);
  });

  test("may have been acknowledged, replaced or expired before", () => {
    connect();
    queue.add(message("a"));
    queue.acknowledge("fox", "a");
    queue.refuse("fox", "a", 302);
    queue.add(message("old", { topic: "score" }));
    queue.add(message("new", { topic: "score" }));
    queue.refuse("fox", "old", 102);
    expect(states).toEqual({ a: "undelivered", old: "undelivered", new: "sent" });
  });

  test("is its own, and one that it knows", () => {
    connect();
    queue.add(message("a"));
    queue.refuse("owl", "a", 101);
    queue.refuse("fox", "b", 101);
    expect(states).toEqual({ a: "sent" });
  });
});

describe("TTL", () => {
  test("lets a message wait until it has passed, and no longer", () => {
    queue.add(message("short", { ttlSeconds: 10 }));
    queue.add(message("long", { ttlSeconds: 11 }));
    nowMs += 10_000;
    expect(connect().received).toEqual(["long"]);
    expect(states["short"]).toBe("expired");
  });

  test("of 0 reaches a browser that is there", () => {
    const { received } = connect();
    queue.add(message("a", { ttlSeconds: 0 }));
    expect(received).toEqual(["a"]);
    queue.acknowledge("fox", "a");
    expect(states["a"]).toBe("acknowledged");
  });

  test("of 0 does not wait for one that is not, nor is it sent again", () => {
    queue.add(message("a", { ttlSeconds: 0 }));
    expect(states["a"]).toBe("expired");
    const { leave } = connect();
    queue.add(message("b", { ttlSeconds: 0 }));
    leave();
    expect(states["b"]).toBe("expired");
    expect(connect().received).toEqual([]);
  });

  test("does not take back an acknowledgement that comes late", () => {
    const { leave } = connect();
    queue.add(message("a", { ttlSeconds: 0 }));
    leave();
    queue.acknowledge("fox", "a");
    expect(states["a"]).toBe("acknowledged");
  });
});

describe("a topic", () => {
  test("replaces what waits with the same one", () => {
    queue.add(message("old", { topic: "score" }));
    queue.add(message("other", { topic: "weather" }));
    queue.add(message("none"));
    queue.add(message("new", { topic: "score" }));
    expect(connect().received).toEqual(["other", "none", "new"]);
    expect(states["old"]).toBe("replaced");
  });

  test("replaces what was sent and not acknowledged", () => {
    const { leave } = connect();
    queue.add(message("old", { topic: "score" }));
    queue.add(message("new", { topic: "score" }));
    leave();
    expect(connect().received).toEqual(["new"]);
  });

  test("is one of its subscription", () => {
    queue.add(message("a", { topic: "score" }));
    queue.add(message("b", { topic: "score", endpoint: "https://push.example/2" }));
    expect(connect().received).toEqual(["a", "b"]);
  });
});

test("nothing more is sent to a subscription that ended", () => {
  queue.add(message("a"));
  queue.add(message("b", { endpoint: "https://push.example/2" }));
  queue.drop("fox", "https://push.example/1");
  expect(connect().received).toEqual(["b"]);
  expect(states["a"]).toBe("dropped");
});
