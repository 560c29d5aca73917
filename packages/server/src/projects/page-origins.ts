import { askedSeldom } from "../asked-seldom.ts";

/** Where pages may register from: Sineta's own origins, and those that somebody named. */
export type PageOrigins = {
  /** Sineta's own, under which its console is reached. */
  own: ReadonlySet<string>;
  /** What names the others: SINETA_ORIGINS, or the project's settings. */
  source: "environment" | "settings";
  /** All of them, the own ones first. From the settings, at most a second old. */
  all(): Promise<ReadonlySet<string>>;
  /** The settings have changed: they are read anew. */
  changed(): void;
};

const readEveryMs = 1_000;

/**
 * @param parts.environment what SINETA_ORIGINS names; null: it is not set, and the settings rule
 * @param parts.readSettings the origins in the project's settings
 */
export function createPageOrigins({
  own,
  environment,
  readSettings,
  now,
}: {
  own: ReadonlySet<string>;
  environment: readonly string[] | null;
  readSettings: () => Promise<readonly string[]>;
  now: () => number;
}): PageOrigins {
  if (environment !== null) {
    const all = Promise.resolve(new Set([...own, ...environment]));
    return { own, source: "environment", all: () => all, changed: () => undefined };
  }
  const reading = () =>
    askedSeldom(async () => new Set([...own, ...(await readSettings())]), {
      everyMs: readEveryMs,
      now,
    });
  let all = reading();
  return {
    own,
    source: "settings",
    all: () => all(),
    changed: () => {
      all = reading();
    },
  };
}
