import type { Draft, MessageStatus } from "@sineta/protocol";
import { ApiProblem, read } from "../../../api/api-problem.ts";
import { ask } from "../../../api/ask.ts";
import type { LocalCopies } from "./local-copies.ts";
import { changeOf, nothingWritten, readWritten, writtenLike, type Written } from "./written.ts";

/** What the page begins with. */
export type Source =
  | { kind: "new" }
  | { kind: "draft" }
  /** The draft as the server has it, whatever this browser kept. */
  | { kind: "theirs" }
  | { kind: "copy"; messageId: string }
  /** A scheduled message, which the new one takes the place of. */
  | { kind: "edit"; messageId: string };

export type Begun = {
  written: Written;
  /** That it is a change of; 0: the server has no such draft. */
  revision: number;
  /** Whether it has what the server does not have: what this browser kept. */
  isRestored: boolean;
};

/**
 * Reads what the page begins with: a draft of the server, or what this browser kept of it and the server does not have.
 * @throws ApiProblem
 */
export async function begin(
  source: Source,
  id: string,
  { path, copies }: { path: string; copies: LocalCopies },
): Promise<Begun> {
  if (source.kind === "new") return { written: nothingWritten, revision: 0, isRestored: false };
  if (source.kind === "copy" || source.kind === "edit") {
    const message = await read<MessageStatus>(`${path}/messages/${source.messageId}`);
    const written = source.kind === "copy" ? writtenLike(message, Date.now()) : changeOf(message);
    return { written, revision: 0, isRestored: false };
  }
  const copy = source.kind === "theirs" ? null : copies.take(id);
  const answer = await ask<Draft>("GET", `${path}/drafts/${id}`);
  if (copy !== null && (answer.ok || answer.code !== "session-ended")) {
    // Where somebody has changed the draft since, saving tells so, and asks which of the two is to stay.
    const revision = answer.ok || answer.code !== "draft-unknown" ? copy.revision : 0;
    return { written: readWritten(copy.content), revision, isRestored: true };
  }
  if (answer.ok) {
    const { content, revision } = answer.body;
    return { written: readWritten(content), revision, isRestored: false };
  }
  throw new ApiProblem(answer);
}
