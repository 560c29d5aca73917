import { createHash } from "node:crypto";
import type { MessageRequest } from "@sineta/protocol";

/**
 * What makes two requests the same one: SHA-256 of all that they ask for, in whatever order their fields stand. Calls
 * itself for each level, of which the schema allows few.
 */
export function requestHash({ dryRun: _dryRun, ...asked }: MessageRequest): Uint8Array {
  const canonical = JSON.stringify(asked, (_name, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : value,
  );
  return createHash("sha256").update(canonical).digest();
}
