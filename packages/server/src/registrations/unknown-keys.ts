import type { Log } from "../log.ts";

/** Enough to tell one VAPID key from another at sight. */
const shownCharacters = 12;
/** Of an origin. Anybody can send a key for a page, and neither the log nor the memory must fill up. */
const mostKeys = 5;
const dayMs = 24 * 60 * 60 * 1000;
/** A page that has the right key again had no refusal for so long. */
const quietMs = 10 * 60 * 1000;

/** A VAPID key that the project does not have, and with which pages of an origin ask for tokens. */
export type UnknownKey = {
  origin: string;
  /** The first characters of the key. */
  keyStart: string;
  /** The project's key, which it should have sent. */
  vapidKey: string;
  /** Registrations that the server has refused for the key. */
  refused: number;
  firstMs: number;
  lastMs: number;
};

/** A page that registers a browser: the project that it names, and its origin. */
type Page = { projectId: number; origin: string };

/** Knows which pages have a wrong VAPID key. It keeps them in memory: after a restart, the next visitor tells of it again. */
export type UnknownKeys = {
  /** Notes a refused registration. The log tells once of each of the first five keys of an origin. */
  refused(page: Page, key: string, vapidKey: string): void;
  /** Notes that a page sent a key that the project has. */
  accepted(page: Page): void;
  /**
   * The origins whose pages have a wrong key, in the order in which the server first heard of them, each with the key that the
   * server refused most often: whoever forges an origin hides a page's key only by sending another one more often than its visitors
   * do. A key counts for a day after its last refusal. A page that sends the right key takes the wrong ones of its origin off, if their
   * last refusal was at least ten minutes before.
   */
  list(projectId: number): UnknownKey[];
};

export function createUnknownKeys({ log, now }: { log: Log; now: () => number }): UnknownKeys {
  const projects = new Map<number, Map<string, KeysOfOrigin>>();
  const logged = new Map<string, Set<string>>();

  function isNews({ projectId, origin }: Page, keyStart: string): boolean {
    const page = `${projectId} ${origin}`;
    const keys = logged.get(page) ?? new Set();
    logged.set(page, keys);
    if (keys.size >= mostKeys || keys.has(keyStart)) return false;
    keys.add(keyStart);
    return true;
  }

  return {
    refused(page, key, vapidKey) {
      const { projectId, origin } = page;
      const keyStart = key.slice(0, shownCharacters);
      // Only origins of the project come here, so there are few.
      const origins = projects.get(projectId) ?? new Map<string, KeysOfOrigin>();
      projects.set(projectId, origins);
      const nowMs = now();
      forgetKeys(origins, origin, nowMs - dayMs);
      const keys = origins.get(origin) ?? new Map<string, UnknownKey>();
      origins.set(origin, keys);
      const known = keys.get(keyStart);
      if (known === undefined && keys.size >= mostKeys) {
        for (const { keyStart: least } of byRefusals(keys).slice(mostKeys - 1)) keys.delete(least);
      }
      const { refused = 0, firstMs = nowMs } = known ?? {};
      keys.set(keyStart, {
        origin,
        keyStart,
        vapidKey,
        refused: refused + 1,
        firstMs,
        lastMs: nowMs,
      });

      if (!isNews(page, keyStart)) return;
      log.warn(
        { origin, keyStart, vapidKey },
        "a page asks for tokens with a VAPID key that this server does not have, and gets none: " +
          "write the key that `sineta keys` prints into the page",
      );
    },

    accepted({ projectId, origin }) {
      const origins = projects.get(projectId);
      if (origins !== undefined) forgetKeys(origins, origin, now() - quietMs);
    },

    list(projectId) {
      const origins = projects.get(projectId);
      if (origins === undefined) return [];
      const nowMs = now();
      for (const origin of origins.keys()) forgetKeys(origins, origin, nowMs - dayMs);
      return [...origins.values()].flatMap((keys) => byRefusals(keys).slice(0, 1));
    },
  };
}

/** By the first characters of the key. */
type KeysOfOrigin = Map<string, UnknownKey>;

/** Those that were refused last at that time or before; then the origin, if it has no other. */
function forgetKeys(origins: Map<string, KeysOfOrigin>, origin: string, untilMs: number): void {
  const keys = origins.get(origin);
  if (keys === undefined) return;
  for (const { keyStart, lastMs } of keys.values()) if (lastMs <= untilMs) keys.delete(keyStart);
  if (keys.size === 0) origins.delete(origin);
}

/** The one that was refused most often first; of two that were refused as often, the one that came first. */
function byRefusals(keys: KeysOfOrigin): UnknownKey[] {
  return [...keys.values()].toSorted((one, other) => other.refused - one.refused);
}
