/** Says what a link is, for error messages and documents. */
export const linkExpected =
  "an http:// or https:// address without user and password, or a path that begins with one / and has no backslash";

/**
 * The address that a browser opens for a link, or loads for a picture, on a page of this origin (WHATWG URL, section 4.4).
 * Null if the text is no link.
 */
export function linkAddress(link: string, pageOrigin: string): string | null {
  const text = trimmedLink(link);
  // A URL parser drops tabs and line breaks: a slash, a tab and a slash would lead to another site.
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) return null;
  // A URL parser reads "https:/a" and "https:a" as paths where the page is https, and a backslash as a slash.
  if (!/^(https?:\/\/|\/(?!\/))[^\\]*$/i.test(text.replace(/[?#].*/s, ""))) return null;
  const url = URL.parse(text, pageOrigin);
  // Node reads some hosts that browsers do not, such as one with a quotation mark.
  if (url === null || !/^[\w.[\]:-]+$/.test(url.hostname)) return null;
  return url.username !== "" || url.password !== "" ? null : url.href;
}

/** A link without the spaces and line breaks around it, which a URL parser drops. */
export function trimmedLink(link: string): string {
  // A URL parser keeps other white space, such as U+00A0. A regular expression would look at each space of a long text many times.
  let start = 0;
  let end = link.length;
  while (start < end && isDropped(link, start)) start += 1;
  while (end > start && isDropped(link, end - 1)) end -= 1;
  return link.slice(start, end);
}

/** Whether `linkAddress` gives an address. The answer is the same for every origin, because one message may go to several sites. */
export function isLink(text: string): boolean {
  return linkAddress(text, "https://page.invalid") !== null;
}

function isDropped(link: string, index: number): boolean {
  return link.charCodeAt(index) <= 0x20;
}
