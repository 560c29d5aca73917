import { createServer } from "node:https";
import { describe, expect, test } from "vitest";
import { startPrivateListener } from "./testing/private-listener.ts";
import { listen, startPushService } from "./testing/push-service.ts";
import { sendingScene } from "./testing/scene.ts";
import { playedHost } from "./testing/sending.ts";

const { certificates, sendingTo, atEnd } = sendingScene();

type Answer = { readonly status: number; readonly headers: Readonly<Record<string, string>> };
type Start = (answer: Answer) => Promise<{ port: number; close: () => Promise<void> }>;

let arrived: string[] = [];

const overHttp2: Start = ({ status, headers }) =>
  startPushService({
    certificates: certificates(),
    onPush: ({ stream, headers: asked }) => {
      arrived.push(String(asked[":path"]));
      stream.respond({ ":status": status, ...headers }, { endStream: true });
    },
  });

const overHttp1: Start = ({ status, headers }) =>
  listen(
    createServer(certificates(), (request, response) => {
      arrived.push(String(request.url));
      request.resume().once("end", () => {
        response.writeHead(status, headers).end();
      });
    }),
  );

/** Pushes twice to a push service that answers so; nothing waits for a connection that does not come. */
async function pushTwice(start: Start, answerFor: (elsewhere: number) => Answer) {
  arrived = [];
  const listener = await startPrivateListener();
  atEnd(listener.close);
  const { sender, send } = sendingTo(await start(answerFor(listener.port)));
  const outcomes = [await send(), await send()];
  // What it had begun is over after this, so that nobody can come later.
  await sender.close();
  return { outcomes, connections: listener.connections() };
}

describe.each([
  ["HTTP/2", overHttp2],
  ["HTTP/1.1", overHttp1],
])("over %s", (_protocol, start) => {
  const places = (port: number): string[] => [
    `https://127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}/`,
    `https://[::1]:${port}/`,
    `//127.0.0.1:${port}/fcm/send/1`,
    `https://${playedHost}@127.0.0.1:${port}/`,
    `https://${playedHost}/fcm/send/2`,
    "/fcm/send/2",
  ];

  test.each([300, 301, 302, 303, 304, 305, 307, 308])(
    "%i is the last word, and never followed, wherever it leads",
    async (status) => {
      for (const place of places(0).keys()) {
        const { outcomes, connections } = await pushTwice(start, (port) => ({
          status,
          headers: { location: places(port)[place] ?? "" },
        }));
        const rejected = { kind: "rejected", reason: "redirect", status, detail: "" };
        expect(outcomes).toEqual([rejected, rejected]);
        expect(arrived).toEqual(["/fcm/send/1", "/fcm/send/1"]);
        expect(connections).toBe(0);
      }
    },
  );

  test("an answer that offers other places is not followed there either", async () => {
    const { outcomes, connections } = await pushTwice(start, (port) => ({
      status: 201,
      headers: {
        "alt-svc": `h2="127.0.0.1:${port}"; ma=3600, http/1.1="127.0.0.1:${port}"`,
        location: `https://127.0.0.1:${port}/`,
        "content-location": `https://127.0.0.1:${port}/`,
        link: `<https://127.0.0.1:${port}/>; rel="urn:ietf:params:push", </>; rel=preload`,
        refresh: `0; url=https://127.0.0.1:${port}/`,
      },
    }));
    expect(outcomes).toEqual([
      { kind: "accepted", status: 201 },
      { kind: "accepted", status: 201 },
    ]);
    expect(connections).toBe(0);
  });
});
