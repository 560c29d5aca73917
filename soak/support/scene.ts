import {
  messageProgressSchema,
  messageStatusSchema,
  publishedSchema,
  type MessageRequest,
  type MessageProgress,
  type MessageStatus,
} from "@sineta/protocol";
import { startSink, type Sink, type SinkOptions } from "@sineta/push-lab";
import { startServer, type SinetaServer } from "../../e2e/support/server.ts";
import { seed, type Seeded } from "./seed.ts";

export const fcm = "https://fcm.googleapis.com";
export const mozilla = "https://updates.push.services.mozilla.com";
export const apple = "https://web.push.apple.com";
export const windows = "https://wns2-par02p.notify.windows.com";
export const everyService = [fcm, mozilla, apple, windows];

/** A server in a process of its own, push services that it sends to, and browsers that are registered there. */
export type Scene = {
  server: SinetaServer;
  sink: Sink;
  registered: Seeded[];
  apiKey: string;
  /** Asks the HTTP interface with an API key. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Publishes and gives the message's id. */
  publish(over?: Partial<MessageRequest>): Promise<string>;
  status(id: string): Promise<MessageStatus>;
  /** The first status that fits, as the message's event stream tells it. Rejects if the server goes away. */
  until(id: string, fits: (status: MessageProgress) => boolean): Promise<MessageProgress>;
  close(): Promise<void>;
};

export const hello: MessageRequest = { target: { kind: "all" }, notification: { title: "Olá" } };

export async function setScene(
  endpoints: readonly string[],
  {
    environment = {},
    ...sinkOptions
  }: Partial<SinkOptions> & { environment?: Record<string, string> } = {},
): Promise<Scene> {
  const sink = await startSink({ origins: everyService, check: "none", ...sinkOptions });
  const server = await startServer({
    SINETA_LOG_LEVEL: "warn",
    ...sink.serverEnvironment,
    ...environment,
  }).catch(async (error: unknown) => {
    await sink.close();
    throw error;
  });
  const registered = await seed(server.data, endpoints);
  const made = await server.run("api-keys", "create", "soak", "--scopes", "send,read,manage");
  const key = /sineta_[\w-]{43}/.exec(made.stdout)?.[0];
  if (key === undefined) throw new Error(`no API key: ${made.stdout}${made.stderr}`);

  const ask: Scene["ask"] = (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("Authorization", `Bearer ${key}`);
    return fetch(new URL(`/v1/projects/default/${path}`, server.url), { ...init, headers });
  };

  const scene: Scene = {
    server,
    sink,
    registered,
    apiKey: key,
    ask,
    async publish(over = {}) {
      const answer = await ask("messages", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ ...hello, ...over }),
      });
      return publishedSchema.parse(await read(answer)).id;
    },
    async status(id) {
      return messageStatusSchema.parse(await read(await ask(`messages/${id}`)));
    },
    async until(id, fits) {
      const events = await ask(`messages/${id}/events`);
      if (!events.ok || events.body === null) throw new Error(await events.text());
      let text = "";
      for await (const chunk of events.body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const blocks = text.split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) {
          const data = /^data: ?(.*)$/m.exec(block)?.[1];
          if (data === undefined) continue;
          const status = messageProgressSchema.parse(JSON.parse(data));
          if (fits(status)) return status;
        }
      }
      throw new Error(
        `the message ${id} ended otherwise: ${JSON.stringify(await scene.status(id))}`,
      );
    },
    async close() {
      await server.stop();
      await sink.close();
    },
  };
  return scene;
}

/** @throws if it is a problem */
async function read(response: Response): Promise<unknown> {
  const body = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${body}`);
  return JSON.parse(body);
}

export const isDone = ({ state }: Pick<MessageStatus, "state">) => state === "done";
