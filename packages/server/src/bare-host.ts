/** A URL's host as sockets and name servers take it: without the brackets around an IPv6 address. */
export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}
