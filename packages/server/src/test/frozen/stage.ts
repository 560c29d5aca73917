/** What frozen data folders are written and upgraded on: push services on loopback, and servers whose clock is another. */
import { rmSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http2";
import { join } from "node:path";
import {
  messageProgressSchema,
  type MessageProgress,
  type MessageState,
  type Urgency,
} from "@sineta/protocol";
import { makeCertificates } from "../../webpush/testing/certificates.ts";
import { startPushService } from "../../webpush/testing/push-service.ts";
import { testPlaces } from "../places.ts";
import { readyLine, startScript, type TestProcess } from "../process.ts";

export const publicUrl = "https://site.example";
/** What passkeys are bound to. */
export const passkeyHome = { origin: publicUrl, rpId: new URL(publicUrl).hostname };
/** Allowed by SINETA_PUSH_HOSTS. */
export const ownHost = "push.example:8443";
/** Names that anybody could have made up, below a vendor's wildcard. */
export const madeUpHosts = [1, 2, 3, 4, 5].map((n) => `made-up-${n}.notify.windows.com`);
export const hosts = [
  "fcm.googleapis.com",
  "updates.push.services.mozilla.com",
  "web.push.apple.com",
  "wns2-par02p.notify.windows.com",
  ownHost,
  ...madeUpHosts,
];

/** A push as a push service sees it. */
export type SeenPush = {
  /** Last part of the endpoint's path: the browser it is for. */
  browser: string;
  urgency: Urgency;
  /** The public VAPID key that it came under. */
  vapidKey: string;
  status: number;
};

export type Answer = { status: number; retryAfterSeconds?: number };

export type Stage = Awaited<ReturnType<typeof setStage>>;

/** A server on the stage, reached by HTTP. */
export type StagedServer = {
  url: string;
  /** What its link makes the owner with. Rejects if there is one. */
  firstToken(): Promise<string>;
  /** Asks below `/v1/`, as a page of the site's own does. Rejects unless it is answered with 2xx. */
  ask(method: string, path: string, options?: AskOptions): Promise<Response>;
  /** Resolves once the message is in this state, as its event stream tells. */
  until(apiKey: string, messageId: string, state: MessageState): Promise<MessageProgress>;
  stop(): Promise<void>;
};

export type AskOptions = { headers?: Record<string, string>; body?: object };

/** Starts the push services, which accept everything until `answer` is another. */
export async function setStage() {
  const { folder, dataFolder, places } = testPlaces();
  const certificates = await makeCertificates(hosts.map((host) => host.replace(/:\d+$/, "")));
  const trusted = join(folder, "ca.pem");
  const clock = join(folder, "clock");
  writeFileSync(trusted, certificates.ca);
  writeFileSync(clock, "0");

  const seen: SeenPush[] = [];
  const stage = {
    answer: (_push: Omit<SeenPush, "status">): Answer => ({ status: 201 }),
  };
  const service = await startPushService({
    certificates,
    onPush({ stream, headers }) {
      const push = pushOf(headers);
      const { status, retryAfterSeconds } = stage.answer(push);
      seen.push({ ...push, status });
      const retryAfter =
        retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
      stream.respond({ ":status": status, ...retryAfter }, { endStream: true });
    },
  });
  const environment = {
    SINETA_DATA: dataFolder,
    SINETA_PORT: "0",
    SINETA_PUBLIC_URL: publicUrl,
    SINETA_REGISTRATIONS_PER_MINUTE: "1000000",
    SINETA_PUSH_HOSTS: ownHost,
    SINETA_PUSH_ROUTES: hosts.map((host) => `${host}=127.0.0.1:${service.port}`).join(),
    NODE_EXTRA_CA_CERTS: trusted,
    CLOCK_FILE: clock,
  };
  const running: TestProcess[] = [];

  return Object.assign(stage, {
    dataFolder,
    environment,
    ca: certificates.ca,
    /** Every push in the order in which it came. */
    seen,

    /** Servers' clocks are ahead of the real one by so much from now on; behind it if negative. */
    setClock: (shiftMs: number) => writeFileSync(clock, String(shiftMs)),

    async serve(): Promise<StagedServer> {
      const server = startScript(
        new URL("../child.ts", import.meta.url),
        [places.siteFolder, places.workerFile, "serve"],
        { environment, preload: shiftClock },
      );
      running.push(server);
      const url = (await server.line(readyLine))[1] ?? "";
      return stagedServer(url, server);
    },

    async close() {
      for (const each of running) each.kill("SIGKILL");
      await Promise.all(running.map(({ ended }) => ended));
      await service.close();
      rmSync(folder, { recursive: true });
    },
  });
}

const shiftClock = new URL("../../../../../soak/support/shift-clock.ts", import.meta.url).href;

function stagedServer(url: string, process: TestProcess): StagedServer {
  const below = (path: string) => new URL(`/v1/${path}`, url);
  return {
    url,

    async firstToken() {
      const [, link = ""] = await process.line(/becomes the owner: (\S+)$/);
      return new URL(link).hash.slice(1);
    },

    async ask(method, path, { headers = {}, body } = {}) {
      const response = await fetch(below(path), {
        method,
        headers: { Origin: publicUrl, "Content-Type": "application/json", ...headers },
        ...(body === undefined
          ? {}
          : { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
      });
      if (response.ok) return response;
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    },

    async until(apiKey, messageId, state) {
      const events = await this.ask("GET", `projects/default/messages/${messageId}/events`, {
        headers: bearer(apiKey),
      });
      let text = "";
      for await (const chunk of events.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk;
        const blocks = text.split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) {
          const data = /^data: ?(.*)$/m.exec(block)?.[1];
          if (data === undefined) continue;
          const status = messageProgressSchema.parse(JSON.parse(data));
          if (status.state === state) return status;
        }
      }
      throw new Error(`the message ${messageId} ended otherwise`);
    },

    async stop() {
      process.kill("SIGTERM");
      const { status, stderr } = await process.ended;
      if (status !== 0) throw new Error(stderr);
    },
  };
}

export const bearer = (apiKey: string) => ({ Authorization: `Bearer ${apiKey}` });

function pushOf(headers: IncomingHttpHeaders): Omit<SeenPush, "status"> {
  return {
    browser: (headers[":path"] ?? "").split("/").at(-1) ?? "",
    urgency: String(headers["urgency"] ?? "normal") as Urgency,
    vapidKey: /\bk=([\w-]+)/.exec(headers.authorization ?? "")?.[1] ?? "",
  };
}
