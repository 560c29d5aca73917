import { linkAddress } from "@sineta/protocol/link";

/**
 * The address from which the console loads a picture. Null for an address of the HTTP interface: the browser would ask for it
 * with the operator's session.
 * @param ownOrigin of the console's page
 * @param siteOrigin of the site's pages. Browsers resolve a path against it
 */
export function shownAddress(text: string, ownOrigin: string, siteOrigin: string): string | null {
  const address = linkAddress(text, siteOrigin);
  if (address === null) return null;
  const { origin, pathname } = new URL(address);
  return origin === ownOrigin && isOfInterface(pathname) ? null : address;
}

function isOfInterface(path: string): boolean {
  try {
    return /^\/+v1(\/|$)/i.test(decodeURIComponent(path));
  } catch {
    // A server may decode a malformed path differently.
    return true;
  }
}
