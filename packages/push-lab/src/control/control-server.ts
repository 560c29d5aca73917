import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { readBody } from "../endpoint-server/body.ts";
import { PushLabError } from "../errors.ts";
import type { Rules } from "../faults/rules.ts";
import { listen, type Listening, loopbackAddress } from "../listening.ts";
import type { Push } from "../push-service/pushes.ts";
import { plainPush } from "../push-service/plain-push.ts";

export type ControlServer = Listening & { readonly url: string };

/** What can be asked and told over HTTP; `pushes` where they are kept one by one. */
export type Controlled = {
  readonly rules: Rules;
  readonly counts: () => unknown;
  readonly pushes?: () => readonly Push[];
};

type Reply = { readonly status: number; readonly json?: unknown; readonly allow?: string };

const mostBodyBytes = 65_536;
const ownHosts = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/**
 * A small HTTP API by which a test in any language makes push services misbehave and asks what arrived. JSON in and out; an
 * error is `{ code, message }`.
 *
 * Only requests for a name of this machine are answered: a page at a name that somebody else resolves to 127.0.0.1 is not
 * (DNS rebinding). What changes something takes application/json alone or the method DELETE, neither of which a page of
 * another origin can send unasked.
 *
 * @throws PushLabError `port-unavailable`
 */
export async function startControlServer(
  port: number,
  controlled: Controlled,
): Promise<ControlServer> {
  const server = createServer((request, response) => {
    replyTo(request, controlled).then(
      (reply) => {
        send(response, reply);
      },
      (error: unknown) => {
        send(response, asReply(error));
      },
    );
  });
  const listening = await listen(server, port, "control server");
  return { ...listening, url: `http://${loopbackAddress}:${listening.port}` };
}

async function replyTo(request: IncomingMessage, controlled: Controlled): Promise<Reply> {
  if (!ownHosts.test(request.headers.host ?? ""))
    return failure(403, "foreign-host", "Only 127.0.0.1, localhost and [::1] are served here.");
  const url = URL.parse(request.url ?? "", `http://${loopbackAddress}`);
  const [, collection = "", id, ...more] = url?.pathname.split("/") ?? [];
  const methods = more.length > 0 ? undefined : routesOf(collection, id, controlled);
  if (url === null || methods === undefined)
    return failure(404, "not-found", `There is nothing at ${request.url ?? ""}.`);
  const act = methods.get(request.method ?? "");
  if (act === undefined) {
    const allow = [...methods.keys()].join(", ");
    return { ...failure(405, "method", `${request.url ?? ""} takes ${allow}.`), allow };
  }
  return await act(request, url);
}

type Act = (request: IncomingMessage, url: URL) => Reply | Promise<Reply>;

function routesOf(
  collection: string,
  id: string | undefined,
  { rules, counts, pushes }: Controlled,
): ReadonlyMap<string, Act> | undefined {
  if (collection === "faults" && id !== undefined)
    return new Map<string, Act>([
      [
        "DELETE",
        () =>
          rules.remove(id)
            ? { status: 204 }
            : failure(404, "unknown-fault", `There is no rule ${id}: see GET /faults.`),
      ],
    ]);
  if (id !== undefined) return undefined;
  if (collection === "faults")
    return new Map<string, Act>([
      ["GET", () => ({ status: 200, json: rules.list() })],
      [
        "POST",
        async (request) => ({ status: 201, json: { id: rules.add(await readJson(request)).id } }),
      ],
      [
        "DELETE",
        () => {
          rules.clear();
          return { status: 204 };
        },
      ],
    ]);
  if (collection === "counts")
    return new Map<string, Act>([["GET", () => ({ status: 200, json: counts() })]]);
  if (collection === "pushes" && pushes !== undefined)
    return new Map<string, Act>([
      ["GET", (_request, url) => listPushes(pushes(), url.searchParams.get("after"))],
    ]);
  return undefined;
}

function listPushes(all: readonly Push[], after: string | null): Reply {
  const index = after === null ? -1 : all.findIndex(({ id }) => id === after);
  if (after !== null && index === -1)
    return failure(404, "unknown-push", `There is no push ${after}, or not any more.`);
  return { status: 200, json: all.slice(index + 1).map(plainPush) };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const type = request.headers["content-type"] ?? "";
  if (!/^application\/json(?:\s*;|$)/i.test(type))
    throw new RefusedRequest(
      415,
      "content-type",
      `Content-Type is "${type}", expected application/json.`,
    );
  const body = await readBody(request, mostBodyBytes + 1);
  if (body.byteLength > mostBodyBytes)
    throw new RefusedRequest(413, "too-large", `The body is over ${mostBodyBytes} bytes.`);
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch (cause) {
    throw new RefusedRequest(400, "malformed", `The body is no JSON: ${String(cause)}.`);
  }
}

class RefusedRequest extends Error {
  readonly reply: Reply;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.reply = failure(status, code, message);
  }
}

function asReply(error: unknown): Reply {
  if (error instanceof RefusedRequest) return error.reply;
  if (error instanceof PushLabError) return failure(400, error.code, error.message);
  return failure(500, "failed", String(error));
}

function failure(status: number, code: string, message: string): Reply {
  return { status, json: { code, message } };
}

function send(response: ServerResponse, { status, json, allow }: Reply): void {
  if (allow !== undefined) response.setHeader("allow", allow);
  if (json !== undefined) response.setHeader("content-type", "application/json; charset=utf-8");
  response.writeHead(status);
  response.end(json === undefined ? undefined : `${JSON.stringify(json)}\n`);
}
