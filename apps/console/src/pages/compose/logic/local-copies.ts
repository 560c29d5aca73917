import type { DraftContent } from "@sineta/protocol";

/** What this browser keeps of a draft that the server does not have yet. */
export type LocalCopy = {
  id: string;
  /** Of the draft that was changed; 0: the server has none. */
  revision: number;
  content: DraftContent;
  savedAtMs: number;
};

export type LocalCopies = {
  /** Whether it could be kept. */
  keep(copy: LocalCopy): boolean;
  /** The latest that any tab has kept; it is this tab's from now on. */
  take(id: string): LocalCopy | null;
  /** Of the project, the latest of each draft, the latest first. */
  list(): LocalCopy[];
  /** This tab's; what another tab has kept is its own. */
  forget(id: string): void;
  /** Every tab's. Returns the latest. */
  remove(id: string): LocalCopy | null;
};

/**
 * Drafts in the browser's own storage. Never throws: a browser that keeps nothing keeps nothing.
 * @param owner whose they are, such as an operator in a project: others who log in here do not get to see them
 * @param tab unlike that of any other tab: each keeps its own, so that none removes or overwrites what another one has
 */
export function createLocalCopies(storage: Storage, owner: string, tab: string): LocalCopies {
  const prefix = `sineta-draft:${owner}:`;
  const place = (id: string) => `${prefix}${id}:${tab}`;

  function read(key: string): LocalCopy | null {
    const kept: unknown = JSON.parse(storage.getItem(key) ?? "null");
    return isLocalCopy(kept) ? kept : null;
  }

  /** The latest first. */
  function all(): { key: string; copy: LocalCopy }[] {
    return orElse([], () =>
      Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "")
        .filter((key) => key.startsWith(prefix))
        .flatMap((key) => {
          const copy = read(key);
          return copy === null ? [] : { key, copy };
        })
        .toSorted((one, other) => other.copy.savedAtMs - one.copy.savedAtMs),
    );
  }

  function keep(copy: LocalCopy): boolean {
    return orElse(false, () => {
      storage.setItem(place(copy.id), JSON.stringify(copy));
      return true;
    });
  }

  return {
    keep,
    take(id) {
      const found = all().find(({ copy }) => copy.id === id);
      if (found === undefined) return null;
      const { key, copy } = found;
      if (key !== place(id) && keep(copy)) orElse(undefined, () => storage.removeItem(key));
      return copy;
    },
    list: () =>
      [
        ...new Map(
          all()
            .toReversed()
            .map(({ copy }) => [copy.id, copy]),
        ).values(),
      ].toSorted((one, other) => other.savedAtMs - one.savedAtMs),
    forget: (id) => orElse(undefined, () => storage.removeItem(place(id))),
    remove(id) {
      const found = all().filter(({ copy }) => copy.id === id);
      for (const { key } of found) orElse(undefined, () => storage.removeItem(key));
      return found[0]?.copy ?? null;
    },
  };
}

/** How many copies of drafts this browser keeps for an operator, of all projects; and removes them. */
export function copiesOf(
  storage: Storage,
  operatorId: number,
): { count: number; remove: () => void } {
  const keys = orElse([], () =>
    Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "").filter((key) => {
      const [kind, , operator] = key.split(":");
      return kind === "sineta-draft" && operator === String(operatorId);
    }),
  );
  const remove = () => orElse(undefined, () => keys.forEach((key) => storage.removeItem(key)));
  return { count: keys.length, remove };
}

function orElse<Value>(otherwise: Value, attempt: () => Value): Value {
  try {
    return attempt();
  } catch {
    return otherwise;
  }
}

function isLocalCopy(value: unknown): value is LocalCopy {
  return (
    typeof value === "object" &&
    value !== null &&
    "id" in value &&
    typeof value.id === "string" &&
    "revision" in value &&
    typeof value.revision === "number" &&
    "content" in value &&
    typeof value.content === "object" &&
    value.content !== null &&
    "savedAtMs" in value &&
    typeof value.savedAtMs === "number"
  );
}
