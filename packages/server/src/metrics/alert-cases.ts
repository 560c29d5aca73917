/** For each alert of `deploy/prometheus`: series for which it fires, and series at its limit for which it does not. */
import type { Series } from "../test/promtool.ts";

export type AlertCase = {
  alert: string;
  /** Instead of the same series in health; null: the series is not there. */
  bad: Readonly<Record<string, string | null>>;
  /** At the limit: the alert does not fire. */
  limit: Readonly<Record<string, string | null>>;
  /** The first minute in which it fires. */
  firesAt: number;
  /** Beside `severity`. */
  labels: Readonly<Record<string, string>>;
  severity: "page" | "ticket";
  summary: string;
  /** The values in the description, in its order. */
  told?: readonly string[];
};

const target = `instance="127.0.0.1:8080",job="sineta"`;
const instance = { instance: "127.0.0.1:8080", job: "sineta" };

/** Adds Prometheus's own labels to a series of the server. */
export function scraped(series: string): string {
  return series.endsWith("}") ? series.replace("{", `{${target},`) : `${series}{${target}}`;
}

const up = scraped("up");
const pushes = (outcome: string, service = "fcm") =>
  scraped(`sineta_pushes_total{push_service="${service}",outcome="${outcome}"}`);
const breaker = (reason: string, service: string, origin: string) =>
  scraped(
    `sineta_breaker_open{push_service="${service}",push_origin="${origin}",reason="${reason}"}`,
  );
const opened = scraped(`sineta_breaker_changes_total{push_service="apple",change="opened"}`);
const paused = scraped(`sineta_messages{state="paused"}`);
const held = (reason: string) => scraped(`sineta_delivery_held{reason="${reason}"}`);
const started = scraped("process_start_time_seconds");
const openFiles = scraped("process_open_fds");
const freeBytes = scraped("sineta_disk_free_bytes");
const queueAge = scraped("sineta_queue_age_seconds");
const streams = scraped("sineta_event_streams");
const lag = scraped("nodejs_eventloop_lag_p99_seconds");
const memory = scraped("process_resident_memory_bytes");

/** The same value for two hours. */
export const always = (value: number | string): string => `${value}+0x120`;
/** Begins at 0, as each counter does, and grows by so much each minute. */
const growing = (perMinute: number): string => `0+${perMinute}x120`;

const mozilla = "https://updates.push.services.mozilla.com";
const apple = "https://web.push.apple.com";

/** A server that sends to FCM, and has no trouble. */
export const health: Series = {
  [up]: always(1),
  [started]: always(1_700_000_000),
  [pushes("accepted")]: growing(100),
  [pushes("retried")]: growing(1),
  [pushes("rejected")]: growing(0),
  [pushes("failed")]: growing(0),
  [pushes("accepted", "apple")]: growing(0),
  [pushes("retried", "apple")]: growing(0),
  [pushes("rejected", "apple")]: growing(0),
  [pushes("failed", "apple")]: growing(0),
  [opened]: growing(0),
  [queueAge]: always(0),
  [paused]: always(0),
  [held("restored")]: always(0),
  [held("cloned")]: always(0),
  [held("asked")]: always(0),
  [streams]: always(2),
  [freeBytes]: always(50e9),
  [scraped("sineta_disk_low_bytes")]: always(2 ** 30),
  [openFiles]: always(60),
  [scraped("process_max_fds")]: always(16_384),
  [lag]: always(0.012),
  [memory]: always(250e6),
};

const gone = Object.fromEntries(Object.keys(health).map((series) => [series, null]));

export const alertCases: readonly AlertCase[] = [
  {
    alert: "SinetaDown",
    bad: { ...gone, [up]: always(0) },
    limit: { [up]: "1 0 0 0 0 0 1+0x100" },
    firesAt: 5,
    labels: instance,
    severity: "page",
    summary: "Sineta at 127.0.0.1:8080 does not answer Prometheus.",
  },
  {
    alert: "SinetaNotScraped",
    bad: { ...gone, 'up{instance="127.0.0.1:9090",job="prometheus"}': always(1) },
    limit: { [up]: "_x9 1+0x100" },
    firesAt: 10,
    labels: { job: "sineta" },
    severity: "page",
    summary: "Prometheus scrapes no Sineta.",
  },
  {
    alert: "SinetaRestarting",
    bad: { [started]: "1 2 3 4 5+0x100" },
    limit: { [started]: "1 2 3 4+0x100" },
    firesAt: 5,
    labels: instance,
    severity: "page",
    summary: "Sineta at 127.0.0.1:8080 started 4 times within an hour.",
  },
  {
    alert: "SinetaKeyRefused",
    bad: { [breaker("vapid-refused", "mozilla", mozilla)]: always(1) },
    limit: { [breaker("throttled", "mozilla", mozilla)]: always(1) },
    firesAt: 5,
    labels: { ...instance, push_service: "mozilla", push_origin: mozilla },
    severity: "page",
    summary: `The push service mozilla refuses Sineta's VAPID key at ${mozilla}.`,
  },
  {
    alert: "SinetaPushServiceHeld",
    bad: {
      [breaker("unavailable", "apple", apple)]: always(1),
      [breaker("unavailable", "apple", "")]: always(2),
    },
    limit: { [breaker("throttled", "apple", apple)]: always(1) },
    firesAt: 15,
    labels: { ...instance, push_service: "apple", reason: "unavailable" },
    severity: "ticket",
    summary: "Sineta holds back pushes to apple: unavailable.",
    told: ["3"],
  },
  {
    alert: "SinetaNothingAccepted",
    bad: { [pushes("retried", "apple")]: growing(1) },
    // One is accepted, or an open breaker says why not.
    limit: {
      [pushes("retried", "apple")]: growing(1),
      [breaker("throttled", "apple", apple)]: always(1),
      [pushes("accepted")]: "0+0x20 1+1x100",
      [pushes("retried")]: always(0),
    },
    firesAt: 16,
    labels: { ...instance, push_service: "apple" },
    severity: "ticket",
    summary: "The push service apple has accepted nothing for half an hour.",
    told: ["16"],
  },
  {
    alert: "SinetaPushServiceFlaps",
    bad: { [opened]: "0 1 2 3 4 5 6+0x110" },
    limit: { [opened]: "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 2 2 3 3 4 4 5+0x110" },
    firesAt: 11,
    labels: { ...instance, push_service: "apple" },
    severity: "ticket",
    summary: "The push service apple comes and goes.",
    told: ["6"],
  },
  {
    alert: "SinetaPushesRejected",
    bad: { [pushes("rejected")]: growing(10) },
    limit: { [pushes("rejected")]: growing(5), [pushes("rejected", "apple")]: "0+5x4 20+0x100" },
    firesAt: 8,
    labels: { ...instance, push_service: "fcm" },
    severity: "ticket",
    summary: "The push service fcm rejects 9.009% of the pushes.",
  },
  {
    alert: "SinetaPushesFailed",
    bad: { [pushes("failed")]: growing(10) },
    limit: { [pushes("failed")]: growing(5), [pushes("failed", "apple")]: "0+5x4 20+0x100" },
    firesAt: 8,
    labels: { ...instance, push_service: "fcm" },
    severity: "ticket",
    summary: "Sineta gives up 9.009% of the pushes to fcm.",
  },
  {
    alert: "SinetaQueueLate",
    bad: { [queueAge]: always(400) },
    // The age is at its limit, then delivery is held.
    limit: {
      [queueAge]: "300+0x20 400+0x20 300+0x100",
      [held("asked")]: "0+0x20 1+0x8 0 1+0x8 0 1+0x8 0+0x100",
    },
    firesAt: 10,
    labels: instance,
    severity: "page",
    summary: "Pushes of Sineta at 127.0.0.1:8080 have been due for 6m 40s.",
  },
  {
    alert: "SinetaMessagesPaused",
    bad: { [paused]: always(2) },
    limit: { [paused]: "2+0x28 0 2+0x28 0 2+0x28 0 2+0x28" },
    firesAt: 30,
    labels: { ...instance, state: "paused" },
    severity: "ticket",
    summary: "Sineta at 127.0.0.1:8080 has paused messages: 2.",
  },
  {
    alert: "SinetaDeliveryHeld",
    bad: { [held("restored")]: always(1) },
    limit: { [held("restored")]: "1+0x9 0 1+0x9 0+0x100", [held("asked")]: "0+0x9 1+0x9 0+0x100" },
    firesAt: 10,
    labels: { ...instance, reason: "restored" },
    severity: "page",
    summary: "Sineta at 127.0.0.1:8080 holds delivery: restored.",
  },
  {
    alert: "SinetaDiskLow",
    bad: { [freeBytes]: always(2 ** 29) },
    limit: { [freeBytes]: always(2 ** 30) },
    firesAt: 5,
    labels: instance,
    severity: "page",
    summary: "The disk of Sineta at 127.0.0.1:8080 has 512MiB left.",
  },
  {
    alert: "SinetaFilesLow",
    bad: { [openFiles]: always(14_000) },
    limit: { [openFiles]: always(13_107) },
    firesAt: 5,
    labels: instance,
    severity: "page",
    summary: "Sineta at 127.0.0.1:8080 has 85.45% of its open files in use.",
  },
  {
    alert: "SinetaEventStreamsMany",
    bad: { [streams]: always(81) },
    limit: { [streams]: always(80) },
    firesAt: 5,
    labels: instance,
    severity: "ticket",
    summary: "Sineta at 127.0.0.1:8080 has 81 event streams open.",
  },
  {
    alert: "SinetaSlow",
    bad: { [lag]: always(1.5) },
    limit: { [lag]: always(0.5) },
    firesAt: 10,
    labels: instance,
    severity: "ticket",
    summary: "Sineta at 127.0.0.1:8080 answers up to 1.5s late.",
  },
  {
    alert: "SinetaMemoryHigh",
    bad: { [memory]: always(700e6) },
    limit: { [memory]: always(600e6) },
    firesAt: 30,
    labels: instance,
    severity: "ticket",
    summary: "Sineta at 127.0.0.1:8080 uses 667.6MiB of memory.",
  },
];
