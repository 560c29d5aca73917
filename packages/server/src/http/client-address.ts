import { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { doctorHeader } from "@sineta/protocol";
import { createMiddleware } from "hono/factory";
import { all, compile } from "proxy-addr";
import type { Log } from "../log.ts";
import type { ProjectEnv } from "./origin.ts";

/** Whether an address is one of this machine, or of a network that is not the internet. */
export const isNearby: (address: string) => boolean = addressesIn([
  "loopback",
  "linklocal",
  "uniquelocal",
]);

/** @param blocks as `SINETA_TRUSTED_PROXIES` has them */
export function addressesIn(blocks: readonly string[]): (address: string) => boolean {
  const fits = compile([...blocks]);
  return (address) => fits(address, 0);
}

/** Proxies that are told of: whoever is in the same network could claim to be any number of them. */
const loggedProxies = 10;

/**
 * Finds out from where a request comes: the socket's other end, or, where that is a trusted proxy, the last address in
 * X-Forwarded-For that is none. What a stranger writes into the header stands further left and is not believed.
 *
 * What a proxy that is not trusted has written is not read either. That there is something says, where it comes from
 * nearby, that many may stand behind this one address (`addressIsShared`); see docs/decisions/0010-undeclared-proxies.md.
 * @param trustedProxies addresses and blocks, as `SINETA_TRUSTED_PROXIES` has them; none: the header is not read
 */
export function clientAddress(trustedProxies: readonly string[], log: Log) {
  const trust = compile([...trustedProxies]);
  const told = new Set<string>();
  return createMiddleware<ProjectEnv>(async (context, next) => {
    // A request of a test has no environment at all.
    const incoming: unknown = Object(context.env)["incoming"];
    const { address, speaksForOthers, isPeer } =
      incoming instanceof IncomingMessage ? senderOf(incoming, trust) : nowhere;
    // What stands behind a proxy that is named is one visitor, whatever it says of others behind itself.
    const isShared = isPeer && speaksForOthers && isNearby(address);
    // The doctor writes X-Forwarded-For itself, and tells the operator of such a proxy.
    const isDoctor = context.req.header(doctorHeader) !== undefined;
    if (isShared && !isDoctor && !told.has(address) && told.size < loggedProxies) {
      told.add(address);
      log.warn(
        { address },
        "requests come through a proxy that SINETA_TRUSTED_PROXIES does not name: its visitors cannot be told apart",
      );
    }
    context.set("address", address);
    context.set("addressIsShared", isShared);
    await next();
  });
}

type Sender = {
  /** Always an IP address, whatever the header holds; empty once the socket is gone. */
  address: string;
  /** Whether the header names others further left, behind this address. */
  speaksForOthers: boolean;
  /** Whether it is the socket's other end itself, which no setting names. */
  isPeer: boolean;
};
const nowhere: Sender = { address: "", speaksForOthers: false, isPeer: false };

function senderOf(
  incoming: IncomingMessage,
  trust: (address: string, hop: number) => boolean,
): Sender {
  const peer = incoming.socket.remoteAddress;
  if (peer === undefined) return nowhere;
  if (incoming.headers["x-forwarded-for"] === undefined) {
    return { address: bareAddress(peer), speaksForOthers: false, isPeer: !trust(peer, 0) };
  }
  // From the socket on, up to the first that is not trusted. A proxy that hands on what it cannot know stands for it.
  const hops = all(incoming, trust).map(bareAddress);
  return {
    address: hops.findLast((hop) => isIP(hop) !== 0) ?? bareAddress(peer),
    speaksForOthers: all(incoming).length > hops.length,
    isPeer: hops.length === 1 && !trust(peer, 0),
  };
}

/** Some proxies write the port, too. An IPv4 address in IPv6's form, as dual-stack sockets have it, is the IPv4 address. */
export function bareAddress(hop: string): string {
  const withoutPort =
    /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutPort)?.[1] ?? withoutPort;
}
