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
  find(id: string): LocalCopy | null;
  /** Of the project, the latest first. */
  list(): LocalCopy[];
  forget(id: string): void;
};

/**
 * Drafts in the browser's own storage. Never throws: a browser that keeps nothing keeps nothing.
 * @param owner whose they are, such as an operator in a project: others who log in here do not get to see them
 */
export function createLocalCopies(storage: Storage, owner: string): LocalCopies {
  const prefix = `sineta-draft:${owner}:`;

  function read(key: string): LocalCopy | null {
    const kept: unknown = JSON.parse(storage.getItem(key) ?? "null");
    return isLocalCopy(kept) ? kept : null;
  }

  return {
    keep: (copy) =>
      orElse(false, () => {
        storage.setItem(prefix + copy.id, JSON.stringify(copy));
        return true;
      }),
    find: (id) => orElse(null, () => read(prefix + id)),
    list: () =>
      orElse([], () =>
        Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "")
          .filter((key) => key.startsWith(prefix))
          .flatMap((key) => read(key) ?? [])
          .toSorted((one, other) => other.savedAtMs - one.savedAtMs),
      ),
    forget: (id) => orElse(undefined, () => storage.removeItem(prefix + id)),
  };
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
