/** What strangers leave on the disk and in memory, request by request: SECURITY.md promises it. */
import { hash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { limits } from "@sineta/protocol";
import { permissions } from "../access/permissions.ts";
import { auditedFailures } from "../access/sessions/log-in-audit.ts";
import { receiptKey } from "../receipts/receipt-key.ts";
import { appBench, origin, testAsker, tokenOf, type AppBench } from "../test/app-bench.ts";
import { testBrowser, testSubscription } from "../test/browser.ts";
import { addressOf, cameFrom } from "../test/came-from.ts";
import { heapBytes } from "../test/heap-bytes.ts";
import { asTable, everythingElse, firstQuota, leftBehind } from "../test/keyless-routes.ts";

/** No more than the audit has lines for in a minute. */
const times = auditedFailures.inAll;
/** Of the heap, for each request: a row that says 0 has none of its own. */
const noiseBytes = 100;

let bench: AppBench;
let database: DatabaseSync;
let asked = 0;
beforeEach(async () => {
  bench = await appBench();
  database = new DatabaseSync(bench.databaseFile, { readOnly: true });
});
afterEach(async () => {
  database.close();
  await bench.close();
});

type Asked = { method: string; path: string; headers?: Record<string, string>; body?: unknown };

const fromPage = { Origin: origin, "Content-Type": "application/json" };
const fromConsole = { ...fromPage, "Sec-Fetch-Site": "same-origin" };
const registrations = "/v1/projects/default/registrations";

/** As large as may be; nothing in it is like in another one. */
function largeRegistration(index: number) {
  const { clientSecret } = testBrowser();
  const host = `wns2-${index}${"x".repeat(40)}.notify.windows.com`;
  const subscription = testSubscription(host);
  const filler = randomBytes(limits.endpointCharacters).toString("hex");
  const endpoint = `${subscription.endpoint}${filler}`.slice(0, limits.endpointCharacters);
  const language = [9, 3, 0].map((shift) => "abcdefgh"[(index >> shift) & 7]).join("");
  return {
    clientSecret,
    body: {
      subscription: { ...subscription, endpoint },
      vapidKey: bench.project.keys.current.publicKey,
      locale: `${language}-${"x".repeat(limits.languageCharacters)}`.slice(
        0,
        limits.languageCharacters,
      ),
      timeZone: "America/Argentina/ComodRivadavia",
    },
  };
}

type Made = { token: string; headers: Record<string, string> };

async function register(index: number): Promise<Made> {
  const { clientSecret, body } = largeRegistration(index);
  const response = await bench.post({ clientSecret, subscription: body.subscription }, { body });
  return {
    token: await tokenOf(response),
    headers: { ...fromPage, "Sineta-Client-Secret": clientSecret },
  };
}

async function addTopics(count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `topic-${index}`);
  for (const name of names) {
    await bench.store.topics.add(bench.project.id, { name, policy: "open" }, 1);
  }
  return names;
}

/** Prepares what is there already. @returns each request: the largest that does something */
type Sample = () => Promise<(index: number) => Partial<Asked>>;

/** Of so many browsers that are registered already; a message was sent to them. */
const ofRegistered =
  (
    what: (token: string, headers: Made["headers"]) => Partial<Asked>,
    prepare: (made: Made[]) => Promise<unknown> = async () => 0,
  ): Sample =>
  async () => {
    await addTopics(1);
    const made = await Promise.all(Array.from({ length: times }, (_, index) => register(index)));
    await bench.startMessage();
    await prepare(made);
    return (index) => {
      const { token = "", headers = {} } = made[index] ?? {};
      return { headers, ...what(token, headers) };
    };
  };

const samples: Record<string, Sample> = {
  "POST /v1/projects/:project/registrations": async () => {
    const topics = await addTopics(limits.topicsPerRequest);
    return (index) => {
      const { clientSecret, body } = largeRegistration(index);
      return {
        headers: { ...fromPage, "Sineta-Client-Secret": clientSecret },
        body: { ...body, topics },
      };
    };
  },
  "POST /v1/projects/:project/registrations/:token/look": ofRegistered(
    (token, headers) => ({
      path: `${registrations}/${token}/look`,
      headers: { Origin: origin, "Content-Type": "text/plain" },
      body: headers["Sineta-Client-Secret"],
    }),
    async (made) => {
      // Each was seen long ago, so that its look is written.
      for (const { token } of made) {
        const id = (await bench.find(token))?.id ?? 0;
        await bench.store.registrations.noteSeen(id, -200_000_000, -100_000_000);
      }
    },
  ),
  "DELETE /v1/projects/:project/registrations/:token": ofRegistered((token) => ({
    path: `${registrations}/${token}`,
  })),
  "POST /v1/projects/:project/registrations/:token/forget": ofRegistered((token) => ({
    path: `${registrations}/${token}/forget`,
  })),
  "PUT /v1/projects/:project/registrations/:token/topics/:topic": ofRegistered((token) => ({
    path: `${registrations}/${token}/topics/topic-0`,
  })),
  "DELETE /v1/projects/:project/registrations/:token/topics/:topic": ofRegistered(
    (token) => ({ path: `${registrations}/${token}/topics/topic-0` }),
    async (made) => {
      for (const { token, headers } of made) await bench.topic("PUT", [token, "topic-0"], headers);
    },
  ),
  "POST /v1/projects/:project/receipts": async () => {
    const made = await Promise.all(Array.from({ length: times }, (_, index) => register(index)));
    const messageId = await bench.startMessage();
    return (index) => {
      const { token = "" } = made[index] ?? {};
      const key = receiptKey(bench.project.receiptSecret, messageId, token);
      return {
        headers: fromPage,
        body: { messageId, token, key, event: "clicked", action: "open" },
      };
    };
  },
  "POST /v1/session": async () => {
    const email = `${"a".repeat(limits.emailCharacters - 13)}@site.example`;
    await bench.operator("owner", { email });
    return (index) => ({
      headers: fromConsole,
      body: { email, password: `not the right one ${index}` },
    });
  },
  "POST /v1/passkey-login/options": async () => () => ({ headers: fromConsole, body: {} }),
  "POST /v1/passkey-login": async () => (index) => {
    const clientData = { type: "webauthn.get", challenge: `challenge-${index}`, origin };
    const id = randomBytes(32).toString("base64url");
    return {
      headers: fromConsole,
      body: {
        credential: {
          id,
          rawId: id,
          type: "public-key",
          clientExtensionResults: {},
          response: {
            clientDataJSON: Buffer.from(JSON.stringify(clientData)).toString("base64url"),
            authenticatorData: randomBytes(37).toString("base64url"),
            signature: randomBytes(64).toString("base64url"),
          },
        },
      },
    };
  },
  "POST /v1/invitations/look": async () => () => ({
    headers: fromConsole,
    body: { token: randomBytes(32).toString("base64url") },
  }),
  "POST /v1/invitations/accept": async () => (index) => ({
    headers: fromConsole,
    body: {
      token: randomBytes(32).toString("base64url"),
      email: `${index}@site.example`,
      name: "Reader",
      password: "sete quedas de prata",
    },
  }),
  "GET /healthz": async () => () => ({}),
  "GET /readyz": async () => () => ({}),
  "GET /v1/openapi.json": async () => () => ({}),
  "GET /v1/projects/:project/config": async () => (index) => ({
    headers: { Origin: `https://${index}.example` },
  }),
  "GET /images/:file": async () => (index) => ({
    path: `/images/${hash("sha256", String(index), "base64url")}.png`,
  }),
  [everythingElse]: async () => {
    const others = Object.keys(permissions).filter((route) => !keyless.includes(route));
    const more = ["GET /", "GET /sineta-sw.js", "GET /nothing", `OPTIONS ${registrations}`];
    const all = [...others, ...more];
    return (index) => {
      const [method = "", path = ""] = (all[index % all.length] ?? "").split(" ");
      return { method, path: path.replace(":project", "default"), headers: { Origin: origin } };
    };
  },
};

async function ask(route: string, { method, path, headers = {}, body }: Partial<Asked>) {
  const [ofRoute = "", pattern = ""] = route.split(" ");
  const request = new Request(
    new URL(`http://localhost${path ?? pattern.replace(":project", "default")}`),
    {
      method: method ?? ofRoute,
      headers,
      body: typeof body === "string" || body === undefined ? (body ?? null) : JSON.stringify(body),
    },
  );
  asked += 1;
  const response = await bench.app.fetch(request, cameFrom(addressOf(asked)));
  await response.arrayBuffer();
  return response;
}

function usedBytes(): number {
  const read = (pragma: string) =>
    Number(Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0]);
  return (read("page_count") - read("freelist_count")) * read("page_size");
}

const keyless = Object.entries(permissions).flatMap(([route, { who }]) =>
  who === "anybody" || who === "page" ? [route] : [],
);

test("the table names every route that needs no key", () => {
  const named = leftBehind.flatMap(({ routes }) => routes).toSorted();
  expect(named).toEqual([...keyless, everythingElse].toSorted());
});

test("SECURITY.md shows the table", () => {
  const page = readFileSync(new URL("../../../../SECURITY.md", import.meta.url), "utf8");
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| -"))
    .map((line) => line.slice(2, -2).split(" | "))
    .map((cells) => cells.map((cell) => cell.trim()));
  expect(rows).toEqual(expect.arrayContaining(asTable()));
});

test("the table counts with the quota that a project has from the start", async () => {
  const { registrationsQuota } = await bench.store.projects.settings(bench.project.id);
  expect(registrationsQuota).toBe(firstQuota);
});

test.for(
  leftBehind.flatMap(({ routes, ...left }) => routes.map((route) => [route, left] as const)),
)("%s leaves no more than the table says", async ([route, { disk, memory }]) => {
  const sampleAt = (await samples[route]?.()) ?? (() => ({}));
  const before = usedBytes();
  const statuses = new Set<number>();
  for (let index = 0; index < times; index += 1) {
    statuses.add((await ask(route, sampleAt(index))).status);
  }
  expect((usedBytes() - before) / times).toBeLessThanOrEqual(disk.bytes);
  // A request that is turned away as malformed would show nothing.
  expect([...statuses]).not.toContain(400);

  const again = Array.from({ length: times }, (_, index) => sampleAt(index));
  const askAgain = async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1) {
      for (const each of again) await ask(route, each);
    }
  };
  await askAgain(3);
  const heapBefore = heapBytes();
  await askAgain(5);
  expect((heapBytes() - heapBefore) / (5 * times)).toBeLessThanOrEqual(memory.bytes + noiseBytes);
});

test("who registers and leaves over and over fills no more than the quota", async () => {
  const quota = 10;
  await bench.store.projects.changeSettings(
    bench.project.id,
    { registrationsQuota: quota },
    { ...testAsker, action: "settings.changed", subject: "default" },
    1,
  );
  const comeAndGo = async (between: () => Promise<unknown>) => {
    for (let index = 0; index < 100; index += 1) {
      const { token, headers } = await register(index);
      await between();
      expect((await bench.remove(token, headers["Sineta-Client-Secret"] ?? "")).status).toBe(204);
    }
  };
  await comeAndGo(async () => undefined);
  const rows = () => database.prepare("select count(*) as count from registrations").get();
  expect(rows()).toEqual({ count: 0 });
  const before = usedBytes();
  await comeAndGo(async () => undefined);
  expect(usedBytes()).toBe(before);
  await comeAndGo(() => bench.startMessage());
  // The server removes the oldest only when another browser registers. So one more than the quota is there.
  expect(rows()).toEqual({ count: quota + 1 });
});
