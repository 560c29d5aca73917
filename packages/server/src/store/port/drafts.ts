import type { DraftContent } from "@sineta/protocol";
import type { AuditEntry } from "./audit.ts";

export type DraftHead = {
  /** UUID. */
  id: string;
  projectId: number;
  /** 1 for a new one; each change makes it one more. */
  revision: number;
  title: string;
  createdAtMs: number;
  changedAtMs: number;
  /** Name of the operator who changed it last; null where that one is not there any more. */
  changedBy: string | null;
  /** Id of the scheduled message that it changes. */
  replaces: string | null;
};

export type Draft = DraftHead & { content: DraftContent };

export type SaveDraft = {
  id: string;
  projectId: number;
  /** The one that was changed; 0 makes a new draft. */
  revision: number;
  title: string;
  content: DraftContent;
  /** An operator's id. */
  changedBy: number;
  replaces: string | null;
};

export type SaveDraftResult =
  | { kind: "saved"; draft: DraftHead }
  /** The draft has another revision, or is not there although it was (or the other way round). */
  | { kind: "changed" }
  /** It was published, as the message with this id: nobody writes it any more. */
  | { kind: "published"; messageId: string }
  /** The project has `atMost` already. */
  | { kind: "exhausted" };

export type DraftStore = {
  /**
   * Only if the draft has this revision and was not published; a new one only if no project has one with this id, and
   * the project has fewer than `atMost`.
   * @param audit written for a new draft alone: whoever types saves every few seconds
   */
  save(
    draft: SaveDraft,
    atMost: number,
    audit: AuditEntry,
    nowMs: number,
  ): Promise<SaveDraftResult>;
  find(projectId: number, id: string): Promise<Draft | null>;
  /** Id of the message that the draft was published as; null if it was not. */
  publishedAs(projectId: number, id: string): Promise<string | null>;
  /** Of the project, the one that was changed last first. */
  list(projectId: number): Promise<DraftHead[]>;
  /** Only if the project has it. */
  remove(projectId: number, id: string, audit: AuditEntry, nowMs: number): Promise<boolean>;
  /** Those that nobody has changed since before this time, at most so many; tells how many. */
  removeUntouched(beforeMs: number, limit: number): Promise<number>;
};
