/** Alerts over what a running server tells Prometheus while its push services misbehave. */
import { rmSync, writeFileSync } from "node:fs";
import type { ServerHttp2Stream } from "node:http2";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { publishedSchema, type MessageRequest } from "@sineta/protocol";
import { testBrowser, testSubscription } from "../test/browser.ts";
import { siteClient } from "../test/http-client.ts";
import { patience } from "../test/patience.ts";
import { testPlaces } from "../test/places.ts";
import { readyLine, startSineta, type TestProcess } from "../test/process.ts";
import { firedAlert, rulesText, testAlerts, type Series } from "../test/promtool.ts";
import { runCommand } from "../test/run-command.ts";
import { makeCertificates } from "../webpush/testing/certificates.ts";
import { startPushService, type TestPushService } from "../webpush/testing/push-service.ts";
import { health, scraped } from "./alert-cases.ts";

type Answer = { ":status": number };
type Played = { browsers: number; answer: Answer; tokens: string[] };

const fcm: Played = { browsers: 40, answer: { ":status": 201 }, tokens: [] };
const mozilla: Played = { browsers: 4, answer: { ":status": 401 }, tokens: [] };
const played: Readonly<Record<string, Played>> = {
  "fcm.googleapis.com": fcm,
  "updates.push.services.mozilla.com": mozilla,
  "web.push.apple.com": { browsers: 25, answer: { ":status": 503 }, tokens: [] },
  "wns2-par02p.notify.windows.com": { browsers: 12, answer: { ":status": 406 }, tokens: [] },
  // Too few browsers for a breaker.
  "push.shop.example": { browsers: 2, answer: { ":status": 503 }, tokens: [] },
};

let bench: ReturnType<typeof testPlaces>;
let pushService: TestPushService;
let server: TestProcess;
let url: string;
let atStart: Sample[];
let inTrouble: Sample[];
/** Kept to the end: fetch ends a stream whose response the garbage collector takes. */
const streams: Response[] = [];

beforeAll(async () => {
  bench = testPlaces();
  const hosts = Object.keys(played);
  const certificates = await makeCertificates(hosts);
  const caPath = join(bench.folder, "ca.pem");
  writeFileSync(caPath, certificates.ca);
  pushService = await startPushService({
    certificates,
    onPush: ({ stream, headers }) => answer(stream, played[headers[":authority"] ?? ""]),
  });
  const environment = {
    NODE_EXTRA_CA_CERTS: caPath,
    SINETA_PORT: "0",
    SINETA_PUSH_HOSTS: "push.shop.example",
    SINETA_PUSH_ROUTES: hosts.map((host) => `${host}=127.0.0.1:${pushService.port}`).join(),
    SINETA_REGISTRATIONS_PER_MINUTE: "1000000",
  };
  server = startSineta(["serve"], { ...bench, environment });
  [, url = ""] = await server.line(readyLine);
  const client = await siteClient(url);
  for (const [host, { browsers, tokens }] of Object.entries(played)) {
    for (let index = 0; index < browsers; index += 1) {
      const browser = testBrowser({ subscription: testSubscription(host) });
      tokens.push((await client.register(browser)).token);
    }
  }
  atStart = await scrape();
  await makeTrouble();
  inTrouble = await scrape();
});
afterAll(async () => {
  for (const { body } of streams) await body?.cancel();
  server.kill("SIGKILL");
  await server.ended;
  await pushService.close();
  rmSync(bench.folder, { recursive: true });
});

function answer(stream: ServerHttp2Stream, host: Played | undefined): void {
  if (!stream.destroyed) stream.respond(host?.answer ?? {}, { endStream: true });
}

async function makeTrouble(): Promise<void> {
  // A push service that has accepted a push before gets a whole page at once.
  for (const host of ["web.push.apple.com", "wns2-par02p.notify.windows.com"]) {
    write(`insert into proven_origins select 'https://${host}', id, 0 from vapid_keys`);
  }
  const key = await makeKey();
  const id = await publish({}, key);
  await until((value) => value(pushes("fcm", "accepted")) === 40);
  await until((_, samples) => breakersIn(samples) === 3);
  await until((value) => (value(pushes("other", "retried")) ?? 0) >= 2);

  // Held back whole.
  await publish({ target: { kind: "tokens", tokens: mozilla.tokens } }, key);
  await until((value) => value(`sineta_messages{state="paused"}`) === 1);

  const toFcm = { kind: "tokens" as const, tokens: fcm.tokens };
  fcm.answer = { ":status": 413 };
  await publish({ target: toFcm }, key);
  await until((value) => value(pushes("fcm", "rejected")) === 40);
  write(
    "update registrations set endpoint = replace(endpoint, 'https:', 'http:') where push_origin like '%fcm%'",
  );
  await publish({ target: toFcm }, key);
  await until((value) => value(pushes("fcm", "failed")) === 40);

  await openStreams(id, [key, await makeKey()]);
  await until((value) => value("sineta_event_streams") === 81);

  write("update batches set due_at_ms = due_at_ms - 600000 where state = 'open'");
  await until((value) => (value("sineta_queue_age_seconds") ?? 0) > 600);

  await runCommand(["hold"], bench);
}

function write(statement: string): void {
  const database = new DatabaseSync(join(bench.dataFolder, "sineta.db"), { timeout: 5_000 });
  database.exec(statement);
  database.close();
}

const breakersIn = (samples: readonly Sample[]) =>
  samples.filter(({ name }) => name === "sineta_breaker_open").length;
const pushes = (service: string, outcome: string) =>
  `sineta_pushes_total{push_service="${service}",outcome="${outcome}"}`;

async function makeKey(): Promise<string> {
  const { out } = await runCommand(["api-keys", "create", "--scopes", "send,read"], bench);
  return out.trim();
}

/** @returns the message's id */
async function publish(message: Partial<MessageRequest>, key: string): Promise<string> {
  const response = await fetch(new URL("/v1/projects/default/messages", url), {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ target: { kind: "all" }, notification: { title: "Olá" }, ...message }),
  });
  return publishedSchema.parse(await response.json()).id;
}

/** Opens 81 event streams: 80 with the first key. */
async function openStreams(id: string, keys: readonly string[]): Promise<void> {
  for (let index = 0; index < 81; index += 1) {
    const headers = { Authorization: `Bearer ${keys[index < 80 ? 0 : 1]}` };
    const path = `/v1/projects/default/messages/${id}/events`;
    streams.push(await fetch(new URL(path, url), { headers }));
  }
}

type Sample = { name: string; labels: Record<string, string>; series: string; value: number };

/** What Prometheus reads now. */
async function scrape(): Promise<Sample[]> {
  const text = await (await fetch(new URL("/metrics", url))).text();
  return text.split("\n").flatMap((line) => {
    const [, series = "", name = "", inner = "", value = ""] =
      /^((\w+)(?:\{(.*)\})?) (\S+)$/.exec(line) ?? [];
    const labels = [...inner.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, said]) => [label, said]);
    const sample = { name, labels: Object.fromEntries(labels), series, value: Number(value) };
    return series === "" ? [] : [sample];
  });
}

const valueIn = (samples: readonly Sample[], series: string) =>
  samples.find((sample) => sample.series === series)?.value;

type Fits = (value: (series: string) => number | undefined, samples: readonly Sample[]) => boolean;

async function until(fits: Fits): Promise<void> {
  await vi.waitUntil(async () => {
    const samples = await scrape();
    return fits((series) => valueIn(samples, series), samples);
  }, patience);
}

/** Series that depend on the machine and on what else it does. */
const ofMachine = [
  "nodejs_eventloop_lag_p99_seconds",
  "process_max_fds",
  "process_open_fds",
  "process_resident_memory_bytes",
  "sineta_disk_free_bytes",
  "sineta_disk_low_bytes",
].map(scraped);

/** The first samples in the first minute, the second ones in each minute after it. */
function between(first: readonly Sample[], second: readonly Sample[]): Series {
  const series = second.map(({ series: name, value }) => [
    scraped(name),
    `${valueIn(first, name) ?? "_"} ${value}+0x60`,
  ]);
  const all = { ...Object.fromEntries(series), [scraped("up")]: "1+0x61" };
  return { ...all, ...Object.fromEntries(ofMachine.map((name) => [name, health[name] ?? ""])) };
}

test("a server that has just started fires no alert", () => {
  const expected = [5, 15, 30, 60].map((atMinutes) => ({ atMinutes, fired: {} }));
  expect(testAlerts(between(atStart, atStart), expected)).toBeNull();
});

/** The queue is late, too, but held delivery and the breakers say why. */
test("its troubles fire the alerts, and no others", () => {
  const value = (series: string) => valueIn(inTrouble, series) ?? 0;
  const share = (outcome: string) => {
    const all = ["accepted", "ended", "retried", "rejected", "failed"];
    const total = all.reduce((sum, one) => sum + value(pushes("fcm", one)), 0);
    return `${Number(((100 * value(pushes("fcm", outcome))) / total).toPrecision(4))}%`;
  };
  const instance = { instance: "127.0.0.1:8080", job: "sineta" };
  const at = (push_service: string, more = {}) => ({ ...instance, push_service, ...more });
  const origin = { push_origin: "https://updates.push.services.mozilla.com" };
  const always = {
    SinetaKeyRefused: [firedAlert("SinetaKeyRefused", at("mozilla", origin))],
    SinetaPushServiceHeld: [
      firedAlert("SinetaPushServiceHeld", at("apple", { reason: "unavailable" }), "1"),
    ],
    SinetaEventStreamsMany: [firedAlert("SinetaEventStreamsMany", instance, "81")],
    SinetaDeliveryHeld: [firedAlert("SinetaDeliveryHeld", { ...instance, reason: "asked" })],
  };
  const tried = String(value(pushes("other", "retried")));
  const first = {
    SinetaNothingAccepted: [firedAlert("SinetaNothingAccepted", at("other"), tried)],
    SinetaPushesRejected: [firedAlert("SinetaPushesRejected", at("fcm"), share("rejected"))],
    SinetaPushesFailed: [firedAlert("SinetaPushesFailed", at("fcm"), share("failed"))],
  };
  const state = { ...instance, state: "paused" };
  const held = String(value(`sineta_messages{state="paused"}`));
  const paused = firedAlert("SinetaMessagesPaused", state, held);
  const found = testAlerts(between(atStart, inTrouble), [
    { atMinutes: 20, fired: { ...always, ...first } },
    { atMinutes: 40, fired: { ...always, SinetaMessagesPaused: [paused] } },
  ]);
  expect(found).toBeNull();
});

/** The metrics of the rules, each with what is said of its labels. */
const used = [
  ...rulesText.matchAll(/\b((?:sineta|process|nodejs)_\w+)(?:\{(?!\{)([^}]*)\})?/g),
].map(([, name = "", inner = ""]) => ({
  name,
  matchers: [...inner.matchAll(/(\w+)(?:!~|=~|!=|=)"([^"]*)"/g)]
    .map(([, label = "", values = ""]) => ({ label, values: values.split("|") }))
    .filter(({ label }) => label !== "job"),
}));

test("the running server has each metric of the rules, with each label and value", () => {
  expect(used.length).toBeGreaterThan(15);
  const missing = used.flatMap(({ name, matchers }) => {
    const samples = inTrouble.filter((sample) => sample.name === name);
    if (samples.length === 0) return [name];
    return matchers.flatMap(({ label, values }) =>
      values
        .filter((value) => !samples.some(({ labels }) => labels[label] === value))
        .map((value) => `${name}{${label}="${value}"}`),
    );
  });
  expect(missing).toEqual([]);
});

test("the labels that the rules sum by are the metrics' own, or Prometheus's", () => {
  const sums = [...rulesText.matchAll(/sum by \(([^)]*)\) \((?:increase\()?(\w+)/g)];
  expect(sums.length).toBeGreaterThan(5);
  const missing = sums.flatMap(([, by = "", name = ""]) => {
    const labels = inTrouble.find((sample) => sample.name === name)?.labels ?? {};
    const known = new Set(["job", "instance", ...Object.keys(labels)]);
    return by
      .split(", ")
      .filter((label) => !known.has(label))
      .map((label) => `${name}{${label}}`);
  });
  expect(missing).toEqual([]);
});
