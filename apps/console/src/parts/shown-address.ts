import { linkAddress } from "@sineta/protocol/link";

/**
 * The address of a picture as the console may load it; null where it must not. A picture's address is written by
 * others, and what is asked of the interface here is asked with the operator's session: some of it is remembered.
 * @param ownOrigin of the console's page
 */
export function shownAddress(text: string, ownOrigin: string): string | null {
  const address = linkAddress(text, ownOrigin);
  if (address === null) return null;
  const { origin, pathname } = new URL(address);
  return origin === ownOrigin && isOfInterface(pathname) ? null : address;
}

function isOfInterface(path: string): boolean {
  try {
    return /^\/+v1(\/|$)/i.test(decodeURIComponent(path));
  } catch {
    // A server may read it in some way of its own.
    return true;
  }
}
