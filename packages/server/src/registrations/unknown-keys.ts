import type { Log } from "../log.ts";

/** Enough to tell one VAPID key from another at sight. */
const shownCharacters = 12;
/** Anybody can send a key for a page, and the log must not fill up. */
const keysLogged = 5;
const dayMs = 24 * 60 * 60 * 1000;
/** A page that has the right key again had no refusal for so long. */
const quietMs = 10 * 60 * 1000;

/** The pages of an origin that ask for tokens with a VAPID key that the project does not have. */
export type UnknownKey = {
  origin: string;
  /** The first characters of the key that such a page sent last. */
  keyStart: string;
  /** The project's key, which it should have sent. */
  vapidKey: string;
  /** Registrations that the server has refused for it. */
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
   * The origins whose pages have a wrong key, in the order in which the server first heard of them. The list has an
   * origin for a day after its last refusal. A page that sends the right key takes its origin off the list, if the last
   * refusal was at least ten minutes before.
   */
  list(projectId: number): UnknownKey[];
};

export function createUnknownKeys({ log, now }: { log: Log; now: () => number }): UnknownKeys {
  const projects = new Map<number, Map<string, UnknownKey>>();
  const logged = new Map<string, Set<string>>();

  function isNews({ projectId, origin }: Page, keyStart: string): boolean {
    const page = `${projectId} ${origin}`;
    const keys = logged.get(page) ?? new Set();
    logged.set(page, keys);
    if (keys.size >= keysLogged || keys.has(keyStart)) return false;
    keys.add(keyStart);
    return true;
  }

  return {
    refused(page, key, vapidKey) {
      const { projectId, origin } = page;
      const keyStart = key.slice(0, shownCharacters);
      // Only origins of the project come here, so there are few.
      const origins = projects.get(projectId) ?? new Map<string, UnknownKey>();
      projects.set(projectId, origins);
      const nowMs = now();
      const { refused = 0, firstMs = nowMs } = origins.get(origin) ?? {};
      origins.set(origin, {
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
      const known = origins?.get(origin);
      if (known !== undefined && now() - known.lastMs >= quietMs) origins?.delete(origin);
    },

    list(projectId) {
      const origins = projects.get(projectId);
      if (origins === undefined) return [];
      const nowMs = now();
      for (const { origin, lastMs } of origins.values()) {
        if (nowMs - lastMs >= dayMs) origins.delete(origin);
      }
      return [...origins.values()];
    },
  };
}
