import { headerText, type AnswerHeaders } from "./push-answer.ts";

const longestMs = 24 * 60 * 60 * 1000;

/**
 * When a push service wants to be asked again (Retry-After, RFC 9110, section 10.2.3): seconds, or an HTTP date in any
 * of its three forms. A date is read against the answer's own `Date` where there is one: whatever the push service's
 * clock says, what counts is how far ahead the one lies of the other.
 * @param nowMs epoch milliseconds by our clock
 * @returns epoch milliseconds by our clock: now for what lies in the past, a day ahead for what lies absurdly far, null
 *   for what is absent or cannot be read
 */
export function readRetryAfter(headers: AnswerHeaders, nowMs: number): number | null {
  const text = headerText(headers, "retry-after").trim();
  const aheadMs = /^\d+$/.test(text)
    ? Number(text) * 1000
    : readHttpDate(text) - numberOr(readHttpDate(headerText(headers, "date").trim()), nowMs);
  if (Number.isNaN(aheadMs)) return null;
  return nowMs + Math.min(Math.max(aheadMs, 0), longestMs);
}

function numberOr(value: number, other: number): number {
  return Number.isNaN(value) ? other : value;
}

/** Epoch milliseconds or NaN. The asctime form has no zone and means GMT (RFC 9110, section 5.6.7). */
function readHttpDate(text: string): number {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return Number.NaN;
  return Date.parse(text.endsWith(" GMT") ? text : `${text} GMT`);
}
