import type { LookupAddress } from "node:dns";
import { describe, expect, test } from "vitest";
import { guardLookup } from "./address.ts";
import { connect } from "./connect.ts";
import { checkEndpoint, type EndpointPolicy } from "./endpoint.ts";
import { startDnsServer, type TestDnsServer } from "./testing/dns-server.ts";
import { startPrivateListener } from "./testing/private-listener.ts";
import { startPushService } from "./testing/push-service.ts";
import { accept, closed, sendingScene, type SendingOptions } from "./testing/scene.ts";
import { playedHost, sendTo } from "./testing/sending.ts";

const { certificates, atEnd } = sendingScene();

/** Another address of loopback, at which a push service listens: it plays the public one. */
const publicAddress = "127.0.0.2";
const isAllowedAddress = (address: string): boolean => address === publicAddress;

const privateAddresses = ["127.0.0.1", "::1", "::ffff:127.0.0.1", "0.0.0.0"];
const once = [
  { name: playedHost, type: "A" },
  { name: playedHost, type: "AAAA" },
];

/**
 * One port with two ends: at loopback's first address a listener that nobody may reach, at `publicAddress` a push
 * service. DNS says which of them a push goes to.
 */
async function scene(answer: Parameters<typeof startDnsServer>[0], options: SendingOptions = {}) {
  const listener = await startPrivateListener();
  const { port } = listener;
  const dns = await startDnsServer(answer);
  const service = await startPushService({
    certificates: certificates(),
    place: { host: publicAddress, port },
    onPush: accept,
  });
  const policy: EndpointPolicy = { hosts: [{ host: playedHost, port }], routes: [] };
  const { sender, push } = sendTo(port, certificates(), { policy, lookup: dns.lookup, ...options });
  atEnd(async () => {
    await sender.close();
    await Promise.all([service, dns, listener].map((each) => each.close()));
  });
  const endpoint = `https://${playedHost}:${port}/1`;
  const subscription = { ...push.subscription, endpoint };
  const checked = checkEndpoint(endpoint, policy);
  if (!checked.ok) throw new Error(checked.reason);
  return {
    listener,
    dns,
    service,
    send: () => sender.send({ ...push, subscription }),
    target: checked.target,
  };
}

const refused = { kind: "failed", reason: "address-not-allowed" };

describe("a name whose addresses are all private", () => {
  test.for([
    ...privateAddresses.map((each) => ({ addresses: [each] })),
    { addresses: privateAddresses },
  ])("is asked for once and never connected to: $addresses", async ({ addresses }) => {
    const { send, dns, listener } = await scene(() => addresses);
    expect(await send()).toMatchObject(refused);
    expect(dns.questions).toEqual(once);
    expect(listener.connections()).toBe(0);
  });

  test("would be connected to without the rule, so that the listener would tell", async () => {
    const { send, listener } = await scene(() => ["127.0.0.1"], { isAllowedAddress: () => true });
    expect(await send()).toMatchObject({ kind: "retry" });
    expect(listener.connections()).toBe(1);
  });
});

describe("a name that is somewhere else a moment later", () => {
  test.for(privateAddresses)(
    "is connected to where the socket's own question said, though it is at %s by then",
    async (later) => {
      const { send, dns, service, listener } = await scene(
        (_question, turn) => [turn === 0 ? publicAddress : later],
        { isAllowedAddress },
      );
      expect(await send()).toMatchObject({ kind: "accepted" });
      expect(dns.questions).toEqual(once);
      // The connection ends; the next one asks anew, and is told of the other address.
      const { session } = await service.arrival(0);
      const ended = closed(session);
      session.close();
      await ended;
      expect(await send()).toMatchObject(refused);
      expect(dns.questions).toEqual([...once, ...once]);
      expect(service.received).toHaveLength(1);
      expect(listener.connections()).toBe(0);
    },
  );

  test("and back again, 50 times without a time to live, never leads to the private one", async () => {
    const { dns, target, listener } = await scene((_question, turn) =>
      turn % 2 === 0 ? [publicAddress] : ["127.0.0.1", "::1"],
    );
    const reached: string[] = [];
    for (let turn = 0; turn < 50; turn += 1) {
      const { ca } = certificates();
      const options = { ca, lookup: dns.lookup, isAllowedAddress };
      const result = await connect(target, options, new AbortController().signal);
      if (result.kind === "broken") {
        reached.push(result.reason);
      } else {
        reached.push(String(result.socket.remoteAddress));
        result.socket.destroy();
      }
    }
    expect(reached).toEqual(
      Array.from({ length: 50 }, (_, turn) =>
        turn % 2 === 0 ? publicAddress : "address-not-allowed",
      ),
    );
    expect(dns.questions).toHaveLength(2 * 50);
    expect(listener.connections()).toBe(0);
  });
});

describe("a name with public and private addresses", () => {
  const mixed = ["127.0.0.1", publicAddress, "::1", "::ffff:127.0.0.1"];

  test("is connected to at the public one alone", async () => {
    const { send, listener } = await scene(() => mixed, { isAllowedAddress });
    expect(await send()).toMatchObject({ kind: "accepted" });
    expect(listener.connections()).toBe(0);
  });

  test("is not tried at the private ones where the public one does not answer", async () => {
    const { send, service, listener } = await scene(() => mixed, { isAllowedAddress });
    await service.close();
    expect(await send()).toMatchObject({ kind: "retry", reason: "connect-failed" });
    expect(listener.connections()).toBe(0);
  });

  test("is looked up as what is really public", async () => {
    const { dns } = await scene(() => [...mixed, "1.1.1.1", "10.0.0.1", "2606:4700::1111"]);
    expect(await lookUp(dns)).toEqual([
      { address: "1.1.1.1", family: 4 },
      { address: "2606:4700::1111", family: 6 },
    ]);
  });
});

describe("a route", () => {
  test("leads to loopback without a question to DNS", async () => {
    const { dns, listener, service } = await scene(() => ["127.0.0.1"]);
    const route = { address: publicAddress, addressPort: listener.port };
    const { sender, send } = sendTo(listener.port, certificates(), {
      policy: { hosts: [], routes: [{ host: playedHost, port: 443, ...route }] },
      lookup: dns.lookup,
    });
    atEnd(sender.close);
    expect(await send()).toMatchObject({ kind: "accepted" });
    expect(service.received).toHaveLength(1);
    expect(dns.questions).toEqual([]);
  });

  test("leads nobody else there: not its host at another port, nor another host", async () => {
    const { dns, listener } = await scene(() => ["127.0.0.1"]);
    const { port } = listener;
    const other = "web.push.apple.com";
    const { sender, push } = sendTo(port, certificates(), {
      policy: {
        hosts: [playedHost, other].map((host) => ({ host, port })),
        routes: [{ host: playedHost, port: 443, address: "127.0.0.1", addressPort: port }],
      },
      lookup: dns.lookup,
    });
    atEnd(sender.close);
    for (const host of [playedHost, other]) {
      const subscription = { ...push.subscription, endpoint: `https://${host}:${port}/1` };
      expect(await sender.send({ ...push, subscription })).toMatchObject(refused);
    }
    expect(listener.connections()).toBe(0);
  });
});

function lookUp(dns: TestDnsServer): Promise<string | LookupAddress[]> {
  return new Promise((resolve, reject) => {
    guardLookup(dns.lookup)(playedHost, { all: true }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else reject(error);
    });
  });
}
