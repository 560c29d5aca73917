import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { httpErrors, problemSchema } from "@sineta/protocol";
import { permissions } from "../access/permissions.ts";
import { receiptKey } from "../receipts/receipt-key.ts";
import {
  appBench,
  operatorPassword,
  origin,
  testAsker,
  tokenOf,
  type AppBench,
} from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";
import { addressOf, cameFrom } from "../test/came-from.ts";
import { canary, fuzzed, type FuzzedRequest, type Sample } from "../test/fuzzed-requests.ts";
import { listen } from "./listen.ts";

/** `npm run fuzz` asks for more. */
const cases = Number(process.env["SINETA_FUZZ_CASES"] ?? 200);
const deadlineMs = 5_000;
/** For a run of one property; each of its requests has `deadlineMs`. */
const timeoutMs = 60_000 + cases * 100;

/** Public in themselves, and those that begin with finding out who asks. */
const publicRoutes = [
  ...Object.entries(permissions).flatMap(([route, { who }]) =>
    who === "anybody" || who === "page" ? [route] : [],
  ),
  "GET /v1/session",
  "DELETE /v1/session",
];

/** What is found out before the route is. */
const ofNoRoute = new Set(["route-unknown", "project-unknown", "too-many-requests"]);

/** They leave a line in the audit for whom they refuse. */
const auditsRefusals = new Set(["POST /v1/session"]);

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) })),
  ),
});

let bench: AppBench;
let database: DatabaseSync;
let documented: { method: string; path: RegExp; statuses: Set<string> }[];
let samples: Record<string, Pick<Sample, "headers" | "body">>;
let token: string;
const pictureHash = createHash("sha256").update("a picture").digest();

beforeEach(async () => {
  bench = await appBench();
  database = new DatabaseSync(bench.databaseFile, { readOnly: true });
  const { paths } = documentSchema.parse(
    await (await bench.app.request("/v1/openapi.json")).json(),
  );
  documented = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
      statuses: new Set(Object.keys(responses)),
    })),
  );
  await bench.store.topics.add(bench.project.id, { name: "ofertas", policy: "open" }, 1);
  const browser = testBrowser();
  token = await tokenOf(await bench.post(browser));
  const hello = { target: { kind: "all" }, notification: { title: "Olá" } } as const;
  const published = await bench.messages.publish(bench.project, hello, testAsker);
  if (published.kind === "refused") throw new Error(published.code);
  const messageId = published.published.id;
  const { email } = await bench.operator("owner");
  const { id } = await bench.operator("owner");
  const projectId = bench.project.id;
  await bench.store.images.add(
    projectId,
    {
      hash: pictureHash,
      type: "png",
      widthPixels: 1,
      heightPixels: 1,
      bytes: Buffer.from("a picture"),
    },
    1,
    { ...testAsker, projectId, action: "image.added", subject: "picture", change: null },
    1,
  );
  const invited = await bench.access.invitations.invite(
    { projectId, role: "viewer", email: null },
    id,
    testAsker,
  );
  const page = {
    Origin: origin,
    "Content-Type": "application/json",
    "Sineta-Client-Secret": browser.clientSecret,
  };
  const console = {
    Origin: origin,
    "Content-Type": "application/json",
    "Sec-Fetch-Site": "same-origin",
  };
  samples = {
    "POST /v1/projects/:project/registrations": {
      headers: page,
      body: {
        subscription: browser.subscription,
        vapidKey: bench.project.keys.current.publicKey,
        token,
        locale: "pt-BR",
        timeZone: "America/Sao_Paulo",
        topics: ["ofertas"],
      },
    },
    "POST /v1/projects/:project/registrations/:token/look": {
      headers: { Origin: origin, "Content-Type": "text/plain" },
      body: browser.clientSecret,
    },
    "POST /v1/projects/:project/receipts": {
      headers: page,
      body: {
        messageId,
        token,
        key: receiptKey(bench.project.receiptSecret, messageId, token),
        event: "clicked",
        action: "ver",
      },
    },
    "POST /v1/session": {
      headers: console,
      body: { email, password: `not ${operatorPassword}` },
    },
    "POST /v1/invitations/look": { headers: console, body: { token: invited.token } },
    "POST /v1/invitations/accept": {
      headers: console,
      body: {
        token: invited.token,
        email: "reader@site.example",
        name: "Reader",
        password: "sete quedas de prata",
      },
    },
    page: { headers: page, body: undefined },
    console: { headers: console, body: {} },
  };
});
afterEach(async () => {
  database.close();
  await bench.close();
});

function sampleOf(route: string): Sample {
  const [method = "", path = ""] = route.split(" ");
  const own = samples[route] ?? samples[permissions[route]?.who === "page" ? "page" : "console"];
  if (own === undefined) throw new Error("there are no samples");
  const filled = path
    .replace(":project", "default")
    .replace(":token", token)
    .replace(":file", `${pictureHash.toString("base64url")}.png`)
    .replace(":topic", "ofertas");
  return { method, path: filled.slice(1).split("/"), ...own };
}

/** Changes whenever another connection has written anything (SQLite, "PRAGMA data_version"). */
const written = () => JSON.stringify(database.prepare("pragma data_version").get());

let requests = 0;

async function ask({ method, path, headers, body }: FuzzedRequest): Promise<Response> {
  const request = new Request(new URL(`http://localhost${path}`), {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    body,
  });
  // What is refused because there were many shows nothing of the route.
  requests += 1;
  return bench.app.fetch(request, cameFrom(addressOf(requests)));
}

/** Who accepts an invitation reads the name that they have given themselves. */
function withoutOwnName({ path }: FuzzedRequest, { status }: Response, text: string): string {
  if (status !== 200 || path !== "/v1/invitations/accept") return text;
  return text.replace(`"name":${JSON.stringify(canary)}`, "");
}

/** What is wrong with an answer: it must be documented, and nothing of the request stand in it. */
async function faultsOf(request: FuzzedRequest, response: Response): Promise<string[]> {
  const text = await response.text();
  const whole = `${JSON.stringify([...response.headers])}${withoutOwnName(request, response, text)}`;
  const allowed = response.headers.get("Access-Control-Allow-Origin");
  return [
    ...(response.status < 500 ? [] : [`it failed: ${response.status} ${text}`]),
    ...(whole.includes(canary) ? ["it says what it was told"] : []),
    ...(allowed === null || allowed === origin || (allowed === "*" && isForAnyPage(request))
      ? []
      : [`it lets ${allowed} read`]),
    ...undocumented(request, response, text),
  ];
}

/** Where a secret of the browser's own decides. */
function isForAnyPage({ path }: FuzzedRequest): boolean {
  const { pathname } = new URL(`http://localhost${path}`);
  return /\/(receipts|registrations\/[^/]*(\/forget)?)$/.test(pathname);
}

function undocumented(request: FuzzedRequest, response: Response, text: string): string[] {
  const { pathname } = new URL(`http://localhost${request.path}`);
  const asked = request.method.toUpperCase();
  if (!pathname.startsWith("/v1/") || (asked === "OPTIONS" && response.status === 204)) return [];
  const method = asked === "HEAD" ? "GET" : asked;
  if (method === "GET" && pathname === "/v1/openapi.json" && response.status === 200) return [];
  const route = documented.find((one) => one.method === method && one.path.test(pathname));
  const status = String(response.status);
  if (route !== undefined && !route.statuses.has(status)) return [`no route says ${status}`];
  if (response.status < 400 || asked === "HEAD") return [];
  if (response.headers.get("Content-Type") !== "application/problem+json") return ["no problem"];
  const { code, status: told } = problemSchema.parse(JSON.parse(text));
  const known = new Map<string, { status: number }>(Object.entries(httpErrors)).get(code);
  if (known?.status !== response.status || told !== response.status) return [`wrong code ${code}`];
  return route !== undefined || ofNoRoute.has(code) ? [] : [`no route answers ${code}`];
}

test.for(publicRoutes)(
  "%s answers whatever comes, as documented, and stores nothing of what it refuses",
  { timeout: timeoutMs },
  async (route) => {
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(fuzzed(sampleOf(route)), async (request) => {
        const before = written();
        const response = await ask(request);
        const faults = await faultsOf(request, response);
        const mayWrite = response.status < 400 || auditsRefusals.has(route);
        if (!mayWrite && written() !== before) faults.push("it refused, and stored something");
        expect(faults).toEqual([]);
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      }),
      { numRuns: cases, timeout: deadlineMs },
    );
    // Rubbish alone would show nothing: some of it got further.
    expect(statuses.size).toBeGreaterThan(1);
    expect(bench.logged.filter((line) => line.includes("request failed"))).toEqual([]);
  },
);

test(
  "bytes on the socket: refused, answered or closed, and the server lives",
  { timeout: timeoutMs },
  async () => {
    const listener = await listen({ host: "127.0.0.1", port: 0, tls: null });
    listener.serve((request, bindings) => bench.app.fetch(request, bindings));
    const ended = async (bytes: Uint8Array): Promise<string> => {
      const socket = connect(listener.port, "127.0.0.1");
      const parts: Buffer[] = [];
      socket.on("data", (part: Buffer) => parts.push(part));
      // What is not read to its end may be answered with a reset.
      socket.on("error", () => undefined);
      const closed = once(socket, "close").catch(() => undefined);
      socket.end(bytes);
      await closed;
      return Buffer.concat(parts).toString("latin1");
    };
    const line = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
    const rubbish = fc.oneof(
      fc.uint8Array({ maxLength: 500 }),
      fc
        .string({ unit: "binary", maxLength: 300 })
        .map((text) => line(`GET /v1/${text} HTTP/1.1\r\nHost: a\r\n\r\n`)),
      fc
        .tuple(fc.string({ maxLength: 30 }), fc.uint8Array({ maxLength: 200 }), fc.nat(300))
        .map(([header, bytes, length]) =>
          Buffer.concat([
            line(
              `POST /v1/projects/default/receipts HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\n` +
                `Content-Type: application/json\r\nContent-Length: ${length}\r\n${header}: x\r\n\r\n`,
            ),
            bytes,
          ]),
        ),
      fc
        .array(
          fc.tuple(fc.stringMatching(/^[0-9a-fA-FxX;-]{0,6}$/), fc.uint8Array({ maxLength: 40 })),
        )
        .map((chunks) =>
          Buffer.concat([
            line(
              `POST /v1/projects/default/receipts HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\n` +
                "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
            ),
            ...chunks.flatMap(([size, bytes]) => [line(`${size}\r\n`), bytes, line("\r\n")]),
          ]),
        ),
    );
    try {
      await fc.assert(
        fc.asyncProperty(rubbish, async (bytes) => {
          expect(await ended(bytes)).toMatch(/^$|^HTTP\/1\.1 [1-4]\d\d /);
        }),
        { numRuns: cases, timeout: deadlineMs },
      );
      expect(await ended(line("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"))).toMatch(
        /^HTTP\/1\.1 200 /,
      );
    } finally {
      await listener.close(0);
    }
  },
);
