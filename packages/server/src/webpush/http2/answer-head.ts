import type { AnswerHeaders } from "../push-answer.ts";
import type { HeaderDecoder } from "./header-decoder.ts";
import { entryOverheadBytes } from "./static-table.ts";
import { headerListBytes } from "./settings.ts";

/** The fields of one header block: the head of an answer, or its trailers, which have no status. */
export type AnswerHead = {
  /** null: there is none. */
  readonly status: number | null;
  readonly headers: AnswerHeaders;
  /** What is wrong with it (RFC 9113, section 8.1.1), if anything. */
  readonly malformed: string | null;
};

const capital = /[A-Z]/;
const fieldName = /^[!#$%&'*+\-.^_`|~\da-z]+$/;
const forbiddenInValue = /[\0\r\n]/;
/** RFC 9113, section 8.2.2. */
const ofConnections: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

/** @throws ConnectionError if the block cannot be decoded */
export function readHead(decoder: HeaderDecoder, block: Buffer): AnswerHead {
  const headers: Record<string, string> = Object.create(null);
  let status: number | null = null;
  let hasFields = false;
  let malformed: string | null = null;
  let listBytes = 0;
  decoder.decode(block, (name, value) => {
    listBytes += name.length + value.length + entryOverheadBytes;
    // What follows is only decoded, as it has to be.
    if (listBytes > headerListBytes) malformed = "a head that is too large";
    if (malformed !== null) return;
    if (name.startsWith(":")) {
      if (name !== ":status" || status !== null || hasFields) malformed = `an odd ${name}`;
      else if (/^[1-9]\d\d$/.test(value)) status = Number(value);
      else malformed = "a status that is none";
      return;
    }
    hasFields = true;
    if (capital.test(name) || ofConnections.has(name)) {
      malformed = "a field that no answer may have";
      return;
    }
    // Nobody reads it, and the status counts all the same: to send the push again would show it twice.
    if (!fieldName.test(name) || forbiddenInValue.test(value)) return;
    // None that anybody reads here is a list: where it stands twice, the first counts.
    headers[name] ??= value;
  });
  return { status, headers, malformed };
}
