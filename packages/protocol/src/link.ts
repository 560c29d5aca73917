/** What `isLink` expects. */
export const linkExpected =
  "an http:// or https:// address without user and password, or a path that begins with one / and has no backslash";

/**
 * The address that a browser opens for a link, or loads for a picture, on a page of this origin (WHATWG URL, section 4.4).
 * Null if the text is no link.
 */
export function linkAddress(link: string, pageOrigin: string): string | null {
  const text = link.trim();
  // A URL parser drops tabs and line breaks: a slash, a tab and a slash would lead to another site.
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) return null;
  // A URL parser reads "https:/a" and "https:a" as paths where the page is https, and a backslash as a slash.
  if (!/^(https?:\/\/|\/(?!\/))[^\\]*$/i.test(text.replace(/[?#].*/s, ""))) return null;
  const url = URL.parse(text, pageOrigin);
  return url === null || url.username !== "" || url.password !== "" ? null : url.href;
}

/** Whether `linkAddress` gives an address. That does not depend on the origin: a message may be for several sites. */
export function isLink(text: string): boolean {
  return linkAddress(text, "https://page.invalid") !== null;
}
