import type { idempotencyKeyHeader, Published } from "@sineta/protocol";
import { ask } from "../../../api/ask.ts";
import { newId } from "../logic/new-id.ts";
import { createPublication, type Attempt } from "../logic/publication.ts";

const header: typeof idempotencyKeyHeader = "Idempotency-Key";

/**
 * Publishes what a draft says, once. The attempt is kept beside the draft, so that it is the same one on a page that was loaded anew.
 * @param path the project's, behind `/v1/`
 */
export function publicationOf(path: string, draftId: string) {
  const place = `sineta-attempt:${draftId}`;
  let attempt: Attempt | null = kept(place);
  return createPublication({
    publish: (request, key) =>
      ask<Published>("POST", `${path}/messages`, { body: request, headers: { [header]: key } }),
    newKey: newId,
    last: () => attempt,
    keep(made) {
      attempt = made;
      try {
        sessionStorage.setItem(place, JSON.stringify(made));
      } catch {
        // Then for this page only.
      }
    },
  });
}

function kept(place: string): Attempt | null {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? "null");
  } catch {
    return null;
  }
}
