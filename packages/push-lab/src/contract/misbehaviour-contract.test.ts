import { type PushLab, startPushLab } from "../lab.ts";
import { startSink } from "../sink/sink.ts";
import { signedPush } from "../test/application-server.ts";
import { checkIn, subscribe } from "../test/chromium-client.ts";
import { connectFirefox } from "../test/firefox-client.ts";
import { connectionMisbehaviourContract } from "./connection-misbehaviour-contract.ts";
import { misbehaviourContract } from "./misbehaviour-contract.ts";
import type { MisbehavingService } from "./misbehaving-service.ts";

async function inLab(newEndpoint: (lab: PushLab) => Promise<string>): Promise<MisbehavingService> {
  const lab = await startPushLab();
  const endpoint = await newEndpoint(lab);
  const { port } = lab.pushService;
  return {
    place: { origin: new URL(endpoint).origin, port, caPath: lab.caPath },
    push: () => signedPush({ endpoint }),
    misbehave: lab.misbehave,
    behave: lab.behave,
    taken: () => lab.pushes().filter(({ delivery }) => delivery !== undefined).length,
    handled: () => lab.pushes().length,
    untilHandled: (requests) => lab.until(() => lab.pushes().length >= requests),
    close: lab.close,
  };
}

const services: readonly [name: string, start: () => Promise<MisbehavingService>][] = [
  ["Chromium's push service", () => inLab(async (lab) => await subscribe(lab, await checkIn(lab)))],
  [
    "Firefox's push service",
    () => inLab(async (lab) => (await (await connectFirefox(lab)).register()).pushEndpoint ?? ""),
  ],
  ["the sink", startedSink],
];

for (const [name, start] of services) {
  misbehaviourContract(name, start);
  connectionMisbehaviourContract(name, start);
}

async function startedSink(): Promise<MisbehavingService> {
  const origin = "https://web.push.apple.com";
  const sink = await startSink({ origins: [origin, "https://fcm.googleapis.com"] });
  const { endpoint } = sink.subscription(origin, "somebody");
  return {
    place: { origin, port: sink.port, caPath: sink.caPath },
    push: () => signedPush({ endpoint }),
    misbehave: sink.misbehave,
    behave: sink.behave,
    taken: () => sink.counts().accepted,
    handled: () => sink.counts().requests,
    untilHandled: (requests) => sink.until((counts) => counts.requests >= requests),
    close: sink.close,
  };
}
