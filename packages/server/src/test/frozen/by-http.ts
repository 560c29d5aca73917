/** What of a frozen data folder is written by a server that runs, and asked for by HTTP. */
import { randomUUID } from "node:crypto";
import {
  imageSchema,
  madeApiKeySchema,
  publishedSchema,
  recoveryCodesSchema,
  registrationResponseSchema,
  totpOfferSchema,
  type MessageRequest,
  type Receipt,
  type ReceiptEvent,
} from "@sineta/protocol";
import { SignJWT } from "jose";
import { TOTP, URI } from "otpauth";
import type { ActiveProject } from "../../projects/project.ts";
import { receiptKey } from "../../receipts/receipt-key.ts";
import { testBrowser, testSubscription } from "../browser.ts";
import { softwarePasskey } from "../software-passkey.ts";
import type { Facts, FrozenBrowser } from "./facts.ts";
import {
  bearer,
  madeUpHosts,
  ownHost,
  passkeyHome,
  type AskOptions,
  type Stage,
  type StagedServer,
} from "./stage.ts";

/** As browsers name themselves. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";

const fcm: Place = {
  host: "fcm.googleapis.com",
  timeZone: "Pacific/Auckland",
  topics: ["news"],
};
const mozilla: Place = {
  host: "updates.push.services.mozilla.com",
  timeZone: "America/Sao_Paulo",
  topics: ["news"],
};
const apple: Place = { host: "web.push.apple.com", timeZone: "Europe/Lisbon" };
const windows: Place = {
  host: "wns2-par02p.notify.windows.com",
  timeZone: "America/Sao_Paulo",
  topics: ["news"],
};
const own: Place = { host: ownHost };

/** Where browsers are, and how many; their names begin with the key. */
const audience: Record<string, [Place, number]> = {
  fcm: [fcm, 10],
  mozilla: [mozilla, 6],
  apple: [apple, 3],
  windows: [windows, 4],
  // A breaker opens once 10 of them are asked to come later.
  own: [own, 12],
  gone: [fcm, 1],
  "gone-too": [mozilla, 1],
  refused: [fcm, 1],
  busy: [fcm, 1],
  left: [fcm, 1],
  forgotten: [fcm, 1],
  removed: [fcm, 1],
};

type Place = { host: string; timeZone?: string; topics?: string[] };

/** Registers a browser as its page does. */
async function register(
  server: StagedServer,
  name: string,
  { host, timeZone = "UTC", topics = [] }: Place,
  more: object = {},
): Promise<FrozenBrowser> {
  const { vapidKey } = (await (await server.ask("GET", "projects/default/config")).json()) as {
    vapidKey: string;
  };
  const { clientSecret, subscription } = testBrowser({ subscription: subscriptionOf(name, host) });
  const answer = await server.ask("POST", "projects/default/registrations", {
    headers: { "Sineta-Client-Secret": clientSecret, "User-Agent": userAgent },
    body: { subscription, vapidKey, timeZone, locale: "pt-BR", topics, ...more },
  });
  const { token } = registrationResponseSchema.parse(await answer.json());
  return { name, earlierName: null, token, clientSecret, vapidKey, state: "live", topics };
}

export function subscriptionOf(name: string, host: string) {
  return { ...testSubscription(), endpoint: `https://${host}/push/${name}` };
}

/** The operator, what is theirs, and what they have made. */
export async function enrol(server: StagedServer) {
  const operator = { email: "baker@site.example", password: "sete quedas de madeira" };
  const answer = await server.ask("POST", "invitations/accept", {
    body: { token: await server.firstToken(), name: "Dona da padaria", ...operator },
  });
  const cookies = answer.headers.getSetCookie();
  const sessionCookie =
    (cookies.find((each) => each.includes("session")) ?? "").split(";")[0] ?? "";
  const asOwner = (method: string, path: string, options: AskOptions = {}) =>
    server.ask(method, path, { ...options, headers: { Cookie: sessionCookie } });

  const passkey = softwarePasskey(passkeyHome);
  const options: unknown = await (
    await asOwner("POST", "session/passkeys/options", { body: {} })
  ).json();
  await asOwner("POST", "session/passkeys", {
    body: { name: "notebook", credential: passkey.make(options) },
  });
  const { password } = operator;
  const offer = totpOfferSchema.parse(
    await (await asOwner("POST", "session/totp", { body: { password } })).json(),
  );
  const totp = URI.parse(offer.uri);
  if (!(totp instanceof TOTP)) throw new Error("this is no TOTP");
  const confirmed = await asOwner("POST", "session/totp/confirm", {
    body: { code: totp.generate() },
  });
  const [recoveryCode = ""] = recoveryCodesSchema.parse(await confirmed.json()).recoveryCodes;

  const made = await asOwner("POST", "projects/default/api-keys", {
    body: { name: "frozen", scopes: ["send", "read", "manage"] },
  });
  const { key: apiKey } = madeApiKeySchema.parse(await made.json());
  const draft = { id: randomUUID(), content: { title: "Bolo de fubá", body: "Sai às 16 h" } };
  await asOwner("PUT", `projects/default/drafts/${draft.id}`, {
    body: { revision: 0, content: draft.content },
  });
  // One transparent pixel.
  const base64 =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const kept = await asOwner("POST", "projects/default/images", {
    body: Buffer.from(base64, "base64"),
  });
  const image = { path: new URL(imageSchema.parse(await kept.json()).url).pathname, base64 };
  return {
    operator: { ...operator, totpSecret: offer.secret, recoveryCode },
    passkey: passkey.keep(),
    sessionCookie,
    apiKey,
    draft,
    image,
  } satisfies Partial<Facts>;
}

/** The browser of a user of the site, and what browsers report of a message. */
export async function report(
  server: StagedServer,
  messageId: string,
  called: (name: string) => FrozenBrowser,
  { userKey, receiptSecret }: Pick<ActiveProject, "userKey" | "receiptSecret">,
) {
  const userId = "baker";
  const userToken = await new SignJWT({ sub: userId })
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime("1h")
    .sign(Buffer.from(userKey));
  const baker = await register(server, "user-1", apple, { userToken });
  const reported: [browser: string, event: ReceiptEvent, action?: string][] = [
    ["fcm-1", "displayed"],
    ["fcm-2", "displayed"],
    ["mozilla-1", "displayed"],
    ["fcm-1", "clicked", "open"],
    ["fcm-2", "closed"],
  ];
  const receipts = reported.map(([browser, event, action]): Receipt => {
    const { token } = called(browser);
    const key = receiptKey(receiptSecret, messageId, token);
    const receipt = { messageId, token, key, event };
    return action === undefined ? receipt : Object.assign(receipt, { action });
  });
  for (const body of receipts) await server.ask("POST", "projects/default/receipts", { body });
  const [receipt] = receipts;
  if (receipt === undefined) throw new Error("nothing was reported");
  return { baker, user: { userId, browser: baker.name }, receipt };
}

/** Those who are there when the first message is sent, and what becomes of them. */
export async function gather(server: StagedServer, stage: Stage, apiKey: string) {
  const asKey = (method: string, path: string, body?: object) =>
    server.ask(method, `projects/default/${path}`, {
      headers: bearer(apiKey),
      ...(body === undefined ? {} : { body }),
    });
  await asKey("POST", "topics", { name: "news", policy: "open" });
  await asKey("POST", "topics", { name: "team", policy: "kept" });
  const browsers: FrozenBrowser[] = [];
  for (const [kind, [place, count]] of Object.entries(audience)) {
    for (let n = 1; n <= count; n += 1) {
      browsers.push(await register(server, `${kind}-${n}`, place));
    }
  }
  const called = (name: string): FrozenBrowser => {
    const found = browsers.find((browser) => browser.name === name);
    if (found === undefined) throw new Error(`there is no browser ${name}`);
    return found;
  };
  const team = browsers.filter(({ name }) => name.startsWith("own"));
  await asKey("POST", "topics/team/join", { tokens: team.map(({ token }) => token) });
  for (const each of team) each.topics = ["team"];

  const publish = async (request: MessageRequest) =>
    publishedSchema.parse(await (await asKey("POST", "messages", request)).json()).id;
  stage.answer = ({ browser }) => {
    if (browser.startsWith("gone")) return { status: 410 };
    if (browser.startsWith("refused")) return { status: 413 };
    // For longer than the message's TTL.
    return browser.startsWith("busy") ? { status: 503, retryAfterSeconds: 7200 } : { status: 201 };
  };
  const done = await publish({
    target: { kind: "topic", topic: "news" },
    notification: { title: "Pão quente", actions: [{ action: "open", title: "Abrir" }] },
    data: { page: "/pao" },
    ttlSeconds: 3600,
  });
  await server.until(apiKey, done, "done");
  for (const name of ["gone-1", "gone-too-1"]) called(name).state = "gone";

  const leave = (name: string, method: string, path: string) => {
    const { token, clientSecret } = called(name);
    return server.ask(method, `projects/default/registrations/${token}${path}`, {
      headers: { "Sineta-Client-Secret": clientSecret },
    });
  };
  await leave("left-1", "DELETE", "");
  await leave("forgotten-1", "POST", "/forget");
  await asKey("POST", `registrations/${called("removed-1").token}/remove`);
  called("left-1").state = "left";
  called("forgotten-1").state = null;
  called("removed-1").state = "removed";

  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const later: MessageRequest = {
    target: { kind: "all" },
    notification: { title: "Festa junina" },
    scheduleAt: inDays(20),
  };
  const scheduled = await publish(later);
  const cancelled = await publish(later);
  await asKey("POST", `messages/${cancelled}/cancel`);
  // They come after the message that is done: none of them has ever accepted anything.
  for (const host of madeUpHosts) {
    browsers.push(await register(server, host.split(".")[0] ?? "", { host }));
  }
  return { browsers, called, messages: { done, scheduled, cancelled } };
}
