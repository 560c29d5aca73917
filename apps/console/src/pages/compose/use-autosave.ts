import type { Draft, DraftContent, DraftSummary } from "@sineta/protocol";
import { useEffect, useState, useSyncExternalStore } from "react";
import { ask, type Answer } from "../../api/ask.ts";
import { hasEnded, saysSessionEnded, sessionEnded, subscribeToEnded } from "../../session/ended.ts";
import { createAutosave, type Autosave, type SaveState } from "./logic/autosave.ts";
import type { LocalCopies } from "./logic/local-copies.ts";

/** A session that is over has the log-in come up over the page, as any query does. */
async function watched<Body>(asked: Promise<Answer<Body>>): Promise<Answer<Body>> {
  const answer = await asked;
  if (!answer.ok && saysSessionEnded(answer.code)) sessionEnded();
  return answer;
}

/** Keeps the draft while it is written; tries again when the connection or the session is back. */
export function useAutosave(parts: {
  id: string;
  revision: number;
  /** The project's, behind `/v1/`. */
  path: string;
  copies: LocalCopies;
  /** Called after each save. The last save may finish after the operator has left the page. */
  onSaved: () => void;
}): { autosave: Autosave; state: SaveState } {
  const [autosave] = useState(() => {
    const address = `${parts.path}/drafts/${parts.id}`;
    return createAutosave({
      id: parts.id,
      revision: parts.revision,
      async save(revision: number, content: DraftContent) {
        const answer = await watched(
          ask<DraftSummary>("PUT", address, { body: { revision, content } }),
        );
        if (answer.ok) parts.onSaved();
        return answer;
      },
      read: () => watched(ask<Draft>("GET", address)),
      copies: parts.copies,
      now: Date.now,
      later(milliseconds, act) {
        const timer = setTimeout(act, milliseconds);
        return () => clearTimeout(timer);
      },
    });
  });
  useEffect(() => {
    const retry = () => autosave.retry();
    const stop = subscribeToEnded(() => {
      if (!hasEnded()) retry();
    });
    window.addEventListener("online", retry);
    return () => {
      stop();
      window.removeEventListener("online", retry);
      // What was typed last is not waited for.
      autosave.retry();
      autosave.pause();
    };
  }, [autosave]);
  const state = useSyncExternalStore(autosave.subscribe, autosave.getState);
  return { autosave, state };
}
