import { isIPv6 } from "node:net";

/**
 * Whose attempts are counted together. One subscriber has a whole /64 of IPv6 (RFC 6177), so that is one; an IPv4
 * address in IPv6's form (`::ffff:192.0.2.1`) is the IPv4 address.
 */
export function addressBlock(address: string): string {
  // Most are of IPv4, for which nothing has to be parsed.
  if (!address.includes(":") || !isIPv6(address)) return address;
  const bare = address.split("%", 1)[0] ?? "";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare);
  if (mapped?.[1] !== undefined) return mapped[1];
  // As RFC 5952 has it: no leading zeros, one run of zeros left out.
  const written = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [head = "", tail] = written.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`;
}
