import type { MessageFilterQuery } from "@sineta/protocol";
import type { MessageFilter } from "../store/port.ts";

/** What was asked for, as the store takes it. */
export function filterOf({ search, state, target, from, to }: MessageFilterQuery): MessageFilter {
  return {
    ...(search === undefined ? {} : { search }),
    ...(state === undefined ? {} : { state }),
    ...(target === undefined ? {} : { targetKind: target }),
    ...(from === undefined ? {} : { scheduledFromMs: Date.parse(from) }),
    ...(to === undefined ? {} : { scheduledBeforeMs: Date.parse(to) }),
  };
}
