import type { Draft, DraftContent, DraftSummary } from "@sineta/protocol";
import type { Answer, Refusal } from "../../../api/ask.ts";
import type { LocalCopies } from "./local-copies.ts";

/** Whoever types on is waited for. */
const quietMs = 700;
/** When the server could not be asked. */
const retryMs = 10_000;

/** What has become of what was typed. */
export type SaveState =
  /** Nothing was typed yet. */
  | { kind: "untouched" }
  | { kind: "saving" }
  | { kind: "saved"; atMs: number }
  /** The server does not have it; this browser keeps it. @param code why */
  | { kind: "kept-here"; atMs: number; code: string }
  /** Neither keeps it. */
  | { kind: "lost"; code: string }
  /** Somebody else has changed the draft, or this one in another tab. */
  | { kind: "changed-elsewhere" }
  /** It was sent meanwhile; what was typed since stays in this browser. */
  | { kind: "published"; refusal: Refusal };

export type AutosaveParts = {
  id: string;
  /** As the server has it; 0: not yet. */
  revision: number;
  save: (revision: number, content: DraftContent) => Promise<Answer<DraftSummary>>;
  read: () => Promise<Answer<Draft>>;
  copies: LocalCopies;
  now: () => number;
  /** @returns takes it back */
  later: (milliseconds: number, act: () => void) => () => void;
};

export type Autosave = {
  getState: () => SaveState;
  subscribe: (listener: () => void) => () => void;
  /** What was typed: kept in this browser at once, at the server when it is quiet. */
  change: (content: DraftContent) => void;
  /** Tries at once what could not be saved: the connection or the session is there again. */
  retry: () => void;
  /** Puts what is typed here in the place of what somebody else has saved. */
  overwrite: () => Promise<void>;
  /** Nothing is saved any more, and nothing kept here: it was published. A save that is under way the server refuses. */
  end: () => void;
  /** Saves no more by itself; what the server does not have stays in this browser. */
  pause: () => void;
};

/** Keeps a draft while it is written. Logic without React: `useAutosave` subscribes to it. */
export function createAutosave(parts: AutosaveParts): Autosave {
  const { id, copies, now } = parts;
  let { revision } = parts;
  let state: SaveState = { kind: "untouched" };
  /** What the server does not have. */
  let unsaved: DraftContent | null = null;
  let isSaving = false;
  let hasEnded = false;
  let isPaused = false;
  let takeBack: (() => void) | null = null;
  const listeners = new Set<() => void>();

  function set(next: SaveState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function plan(milliseconds: number): void {
    takeBack?.();
    takeBack = parts.later(milliseconds, () => void save());
  }

  async function save(): Promise<void> {
    takeBack?.();
    takeBack = null;
    if (unsaved === null || isSaving || hasEnded || isRefused()) return;
    const content = unsaved;
    isSaving = true;
    set({ kind: "saving" });
    let answer: Answer<{ revision: number }> = await parts.save(revision, content);
    if (!answer.ok && answer.code === "draft-changed") answer = await lookAgain(content);
    isSaving = false;
    // Published meanwhile.
    if (isOver()) return;
    if (answer.ok) {
      revision = answer.body.revision;
      if (unsaved === content) {
        unsaved = null;
        copies.forget(id);
        set({ kind: "saved", atMs: now() });
      } else {
        // Typed on while it was saved.
        copies.keep({ id, revision, content: unsaved ?? content, savedAtMs: now() });
        plan(quietMs);
      }
      return;
    }
    failed(answer);
  }

  const isOver = () => hasEnded;
  /** Trying again would meet the same. */
  const isRefused = () => state.kind === "changed-elsewhere" || state.kind === "published";

  /** An answer that was lost has saved it all the same. */
  async function lookAgain(content: DraftContent): Promise<Answer<{ revision: number }>> {
    const there = await parts.read();
    if (!there.ok) {
      return there.code === "draft-unknown" ? { ok: false, code: "draft-changed" } : there;
    }
    return isSame(there.body.content, content) ? there : { ok: false, code: "draft-changed" };
  }

  function failed({ code, messageId }: Refusal): void {
    if (code === "draft-changed") return set({ kind: "changed-elsewhere" });
    if (code === "draft-published") {
      return set({
        kind: "published",
        refusal: messageId === undefined ? { code } : { code, messageId },
      });
    }
    // It is kept since it was typed; whoever has left the page may have logged out, and removed it.
    if (isPaused) return;
    const isKept =
      unsaved !== null && copies.keep({ id, revision, content: unsaved, savedAtMs: now() });
    set(isKept ? { kind: "kept-here", atMs: now(), code } : { kind: "lost", code });
    plan(retryMs);
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change(content) {
      if (hasEnded) return;
      isPaused = false;
      unsaved = content;
      copies.keep({ id, revision, content, savedAtMs: now() });
      if (isRefused()) return;
      if (state.kind === "untouched" || state.kind === "saved") set({ kind: "saving" });
      plan(quietMs);
    },
    retry: () => void save(),
    async overwrite() {
      const there = await parts.read();
      if (there.ok) revision = there.body.revision;
      else if (there.code === "draft-unknown") revision = 0;
      else return failed(there);
      set({ kind: "saving" });
      await save();
    },
    end() {
      hasEnded = true;
      takeBack?.();
      copies.forget(id);
    },
    pause() {
      isPaused = true;
      takeBack?.();
      takeBack = null;
    },
  };
}

/** Key by key, in any order. */
function isSame(one: unknown, other: unknown): boolean {
  return sorted(one) === sorted(other);
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
