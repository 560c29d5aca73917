import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";

import type { EventStream } from "../events.ts";
import { listen, type Listening } from "../listening.ts";
import type { MessageQueue } from "./message-queue.ts";
import { checkPushRequest, maxBodyBytes, type PushRequest } from "./push-request.ts";
import type { Push, Pushes } from "./pushes.ts";
import { type Answer, refusedInText, type ServiceRules } from "./service-rules.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** What the push service says instead of accepting a push. */
export type ScriptedAnswer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How many pushes are answered so; 1 if not given. */
  readonly count?: number;
};

export type PushService = Listening & {
  /**
   * Answers the next pushes so, in the order given here. Only pushes that would have been accepted count: one that is
   * wrong is still told what is wrong with it. Nothing answered so reaches a browser, whatever the status.
   */
  readonly answerNext: (answer: ScriptedAnswer) => void;
};

/**
 * The push services' HTTPS endpoints (RFC 8030, section 5), all on one port, over HTTP/2 and HTTP/1.1 by ALPN: checks what
 * arrives, answers as the service does that it was sent to, records it, and queues what was accepted.
 */
export async function startPushService({
  port,
  tls,
  services,
  subscriptions,
  queue,
  pushes,
  events,
  now,
  newId,
}: {
  port: number;
  /** PEM. */
  tls: { cert: string; key: string };
  services: readonly ServiceRules[];
  subscriptions: Subscriptions;
  queue: MessageQueue;
  pushes: Pushes;
  events: EventStream;
  now: () => number;
  newId: () => string;
}): Promise<PushService> {
  const scripted: { answer: Answer; left: number }[] = [];

  const nextScripted = (): Answer | undefined => {
    const [first] = scripted;
    if (first === undefined) return undefined;
    first.left -= 1;
    if (first.left <= 0) scripted.shift();
    return first.answer;
  };

  const receive = (request: PushRequest, respond: (answer: Answer) => void): void => {
    const nowMs = now();
    const { details, outcome } = checkPushRequest(request, {
      services,
      find: subscriptions.find,
      nowMs,
    });
    const seen = {
      ...details,
      id: newId(),
      arrivedAtMs: nowMs,
      headers: request.headers,
      body: request.body,
      acknowledged: false,
    };
    const answerAndRecord = (answer: Answer, more: Pick<Push, "reason" | "delivery">): void => {
      const push: Push = { ...seen, ...more, status: answer.status };
      pushes.record(push);
      respond(answer);
      events.emit({ type: "push", push });
    };

    if ("refusal" in outcome) {
      const { service, refusal } = outcome;
      const answer = (service?.refused ?? refusedInText)(refusal);
      answerAndRecord(answer, { reason: refusal.reason });
      return;
    }
    const instead = nextScripted();
    if (instead !== undefined) {
      answerAndRecord(instead, { reason: "the lab was told to answer so" });
      return;
    }
    const { ttlSeconds = 0 } = details;
    const shortened = Number(request.headers["ttl"]) > ttlSeconds;
    answerAndRecord(outcome.service.accepted({ id: seen.id, ttlSeconds, shortened }), {
      delivery: "queued",
    });
    queue.add({
      id: seen.id,
      browser: outcome.subscription.browser,
      endpoint: details.endpoint,
      topic: details.topic,
      ttlSeconds,
      acceptedAtMs: nowMs,
      contentEncoding: details.contentEncoding,
      body: request.body,
    });
  };

  const server = createSecureServer({ ...tls, allowHTTP1: true }, (request, response) => {
    readRequest(request).then(
      (whole) => {
        receive(whole, (answer) => {
          respondWith(response, answer);
        });
      },
      // The sender went away in the middle of its own request: nobody is left to answer.
      () => {},
    );
  });
  const listening = await listen(server, port, "push service");

  return {
    ...listening,
    answerNext: ({ count = 1, ...answer }) => {
      if (count > 0) scripted.push({ answer, left: count });
    },
  };
}

function respondWith(response: Http2ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, { ...answer.headers });
  response.end(answer.body ?? "");
}

async function readRequest(request: Http2ServerRequest): Promise<PushRequest> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name.startsWith(":")) continue;
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return {
    method: request.method,
    authority: request.authority || (headers["host"] ?? ""),
    path: request.url,
    headers,
    body: await readBody(request),
  };
}

/**
 * Reads one byte more than is allowed, which is enough to refuse it: a body over the limit is answered at once, and what
 * still comes of it passes by unread.
 */
async function readBody(request: Http2ServerRequest): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let left = maxBodyBytes + 1;
  await new Promise<void>((resolve, reject) => {
    request.on("data", (chunk: Uint8Array) => {
      if (left > 0) chunks.push(chunk.subarray(0, left));
      left -= chunk.byteLength;
      if (left <= 0) resolve();
    });
    request.once("end", resolve);
    request.once("error", reject);
    request.once("aborted", reject);
  });
  return Buffer.concat(chunks);
}
