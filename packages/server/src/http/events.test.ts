import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { messageProgressSchema, publishedSchema } from "@sineta/protocol";
import { appBench, expectProblem, testAsker, type AppBench } from "../test/app-bench.ts";
import { heartbeatMs } from "./events.ts";
import { listen, type Listener } from "./listen.ts";
import { lookEveryMs, mostReaders, mostReadersOfCaller } from "./message-watch.ts";

let bench: AppBench;
let key: string;
let id: string;
beforeEach(async () => {
  bench = await appBench();
  key = await bench.key();
  const response = await bench.ask("messages", key, {
    target: { kind: "all" },
    notification: { title: "Olá" },
  });
  ({ id } = publishedSchema.parse(await response.json()));
});
afterEach(() => bench.close());

const start = () => bench.store.delivery.startSending(id, 1_000);
const cancel = () => bench.store.messages.cancel(bench.project.id, id, 2_000);

/** The blocks of an event stream, one after the other; null at its end. */
function blocksOf(chunks: AsyncIterable<Uint8Array>) {
  const decoder = new TextDecoder();
  const iterator = chunks[Symbol.asyncIterator]();
  let text = "";
  return async function next(): Promise<string | null> {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        return block;
      }
      const { done, value } = await iterator.next();
      if (done === true) return text === "" ? null : text;
      text += decoder.decode(value, { stream: true });
    }
  };
}

function eventOf(block: string | null) {
  const [, event, data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(block ?? "") ?? [];
  return { event, status: messageProgressSchema.parse(JSON.parse(data)) };
}

function bodyOf(response: Response) {
  if (response.body === null) throw new Error("there is no body");
  return blocksOf(response.body);
}

describe("the stream", () => {
  test("begins with the status, goes on with every change, and ends with the message", async () => {
    const response = await bench.ask(`messages/${id}/events`, key);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/event-stream");
    expect(response.headers.get("X-Accel-Buffering")).toBe("no");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const next = bodyOf(response);
    const first = eventOf(await next());
    expect(first.event).toBe("progress");
    expect(first.status).toEqual(await bench.messages.status(bench.project, id));
    await start();
    await bench.pauses.end(lookEveryMs);
    expect(eventOf(await next())).toMatchObject({
      event: "progress",
      status: { id, state: "sending" },
    });
    await cancel();
    await bench.pauses.end(lookEveryMs);
    const last = eventOf(await next());
    expect(last).toMatchObject({ event: "progress", status: { state: "cancelled" } });
    expect(eventOf(await next())).toEqual({ event: "end", status: last.status });
    expect(await next()).toBeNull();
    expect(bench.watch.count()).toBe(0);
  });

  test("says that it lives while nothing changes", async () => {
    const next = bodyOf(await bench.ask(`messages/${id}/events`, key));
    await next();
    await bench.pauses.end(heartbeatMs);
    expect(await next()).toMatch(/^:/);
    await bench.pauses.end(heartbeatMs);
    expect(await next()).toMatch(/^:/);
    await cancel();
    await bench.pauses.end(lookEveryMs);
    expect(eventOf(await next()).event).toBe("progress");
    expect(eventOf(await next()).event).toBe("end");
    // Nobody waits any more.
    expect(bench.pauses.count(heartbeatMs)).toBe(0);
  });

  test("ends for a key that is revoked, before it tells anything more", async () => {
    const next = bodyOf(await bench.ask(`messages/${id}/events`, key));
    await next();
    await bench.apiKeys.revoke(
      bench.project.id,
      key.slice(0, 15),
      { cancelMessages: false },
      testAsker,
    );
    await start();
    await bench.pauses.end(lookEveryMs);
    expect(await next()).toBeNull();
    expect(bench.watch.count()).toBe(0);
  });

  test("ends for an operator whose session has ended, at the next sign of life", async () => {
    const { headers } = await bench.operator("viewer");
    const next = bodyOf(
      await bench.app.request(`/v1/projects/default/messages/${id}/events`, { headers }),
    );
    await next();
    await bench.app.request("/v1/session", { method: "DELETE", headers });
    await bench.pauses.end(heartbeatMs);
    expect(await next()).toBeNull();
  });

  test("does not begin for whoever asks for the headers alone", async () => {
    const response = await bench.app.request(`/v1/projects/default/messages/${id}/events`, {
      method: "HEAD",
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(200);
    expect(bench.watch.count()).toBe(0);
  });

  test("is refused to a caller that reads as many as one may, and to no other", async () => {
    for (let index = 0; index < mostReadersOfCaller; index += 1) {
      expect((await bench.ask(`messages/${id}/events`, key)).status).toBe(200);
    }
    await expectProblem(await bench.ask(`messages/${id}/events`, key), "too-many-at-once");
    expect((await bench.ask(`messages/${id}/events`, await bench.key())).status).toBe(200);
  });

  test("is as often open as the route's description and docs/operating.md say", async () => {
    const document = await (await bench.app.request("/v1/openapi.json")).text();
    expect(document).toContain(
      `A caller may have ${mostReadersOfCaller} streams open, and all callers ${mostReaders}.`,
    );
    const page = readFileSync(new URL("../../../../docs/operating.md", import.meta.url), "utf8");
    const row = /^\| Event streams +\| (.+?) +\|/m.exec(page)?.[1];
    expect(row).toBe(`${mostReadersOfCaller}, and ${mostReaders} in all`);
  });

  test("is refused where there are too many, and where the server stops", async () => {
    for (let index = 0; index < mostReaders; index += 1) {
      await bench.watch.open(bench.project, id, `reader ${index}`);
    }
    await expectProblem(await bench.ask(`messages/${id}/events`, key), "streams-exhausted");
    bench.watch.close();
    const { status } = await expectProblem(
      await bench.ask(`messages/${id}/events`, key),
      "not-ready",
    );
    expect(status).toBe(503);
  });
});

describe("over a socket", () => {
  let listener: Listener;
  beforeEach(async () => {
    listener = await listen({ host: "127.0.0.1", port: 0, tls: null });
    listener.serve((request) => bench.app.fetch(request));
  });
  afterEach(() => listener.close(0));

  async function connect() {
    const request = get({
      port: listener.port,
      path: `/v1/projects/default/messages/${id}/events`,
      headers: { Authorization: `Bearer ${key}` },
      agent: false,
    });
    const [incoming]: IncomingMessage[] = await once(request, "response");
    if (incoming === undefined) throw new Error("there is no answer");
    return { request, next: blocksOf(incoming) };
  }

  test("every event arrives when it happens", async () => {
    const { next } = await connect();
    expect(eventOf(await next()).status.startedAt).toBeUndefined();
    await start();
    await bench.pauses.end(lookEveryMs);
    expect(eventOf(await next()).status.startedAt).toBeDefined();
    await bench.pauses.end(heartbeatMs);
    expect(await next()).toMatch(/^:/);
    await cancel();
    await bench.pauses.end(lookEveryMs);
    expect(eventOf(await next()).event).toBe("progress");
    expect(eventOf(await next()).event).toBe("end");
    expect(await next()).toBeNull();
  });

  test("a client that goes away leaves nothing behind", async () => {
    const clients = [await connect(), await connect()];
    for (const { next } of clients) await next();
    expect(bench.watch.count()).toBe(2);
    for (const { request } of clients) request.destroy();
    await bench.pauses.ended(lookEveryMs);
    await bench.pauses.ended(heartbeatMs);
    expect(bench.watch.count()).toBe(0);
  });

  test("a stop of the server does not wait for whoever listens", async () => {
    const { next } = await connect();
    await next();
    bench.watch.close();
    expect(await next()).toBeNull();
    await listener.close(60_000);
    expect(bench.watch.count()).toBe(0);
  });
});
