/**
 * The address of a picture as the console may load it; null where it must not. A picture's address is written by
 * others, and what is asked of the interface here is asked with the operator's session: some of it is remembered.
 */
export function shownAddress(address: string, base: string): string | null {
  try {
    const { origin, pathname } = new URL(address, base);
    const isInterface = /^\/+v1(\/|$)/i.test(decodeURIComponent(pathname));
    return origin === new URL(base).origin && isInterface ? null : address;
  } catch {
    return null;
  }
}
