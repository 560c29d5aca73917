import type { EndpointServer } from "../endpoint-server/endpoint-server.ts";
import { startEndpointServer } from "../endpoint-server/endpoint-server.ts";
import type { Exchange } from "../endpoint-server/exchange.ts";
import { takeOrMisbehave } from "../faults/misbehave.ts";
import type { Rules } from "../faults/rules.ts";
import type { EventStream } from "../events.ts";
import type { MessageQueue } from "./message-queue.ts";
import { checkPushRequest } from "./push-request.ts";
import type { Push, Pushes } from "./pushes.ts";
import { refusedInText, type ServiceRules } from "./service-rules.ts";
import type { Subscriptions } from "./subscriptions.ts";

/**
 * The push services' HTTPS endpoints (RFC 8030, section 5), all on one port: checks what arrives, answers as the service does
 * that it was sent to, or as badly as a rule says, records it, and queues what was accepted.
 */
export async function startPushService({
  port,
  tls,
  services,
  subscriptions,
  queue,
  pushes,
  rules,
  events,
  now,
  newId,
}: {
  port: number;
  /** PEM. */
  tls: { cert: string; key: string };
  services: readonly ServiceRules[];
  subscriptions: Subscriptions;
  queue: MessageQueue;
  pushes: Pushes;
  rules: Rules;
  events: EventStream;
  now: () => number;
  newId: () => string;
}): Promise<EndpointServer> {
  const onExchange = (exchange: Exchange): void => {
    const { request } = exchange;
    const nowMs = now();
    const { details, outcome } = checkPushRequest(request, {
      services,
      find: subscriptions.find,
      nowMs,
    });
    const id = newId();
    const record = (more: Pick<Push, "status" | "reason" | "delivery">): void => {
      const { headers, body } = request;
      const push: Push = {
        ...details,
        id,
        arrivedAtMs: nowMs,
        headers,
        body,
        acknowledged: false,
        ...more,
      };
      pushes.record(push);
      events.emit({ type: "push", push });
    };

    if ("refusal" in outcome) {
      const { service, refusal } = outcome;
      const answer = (service?.refused ?? refusedInText)(refusal);
      exchange.answer(answer);
      record({ status: answer.status, reason: refusal.reason });
      return;
    }

    const { service, subscription } = outcome;
    const { endpoint, topic, contentEncoding, ttlSeconds = 0 } = details;
    const { taken, status } = takeOrMisbehave(rules, exchange, service, () => {
      const shortened = Number(request.headers["ttl"]) > ttlSeconds;
      const answer = service.accepted({ id, ttlSeconds, shortened });
      record({ status: answer.status, delivery: "queued" });
      queue.add({
        id,
        browser: subscription.browser,
        endpoint,
        topic,
        ttlSeconds,
        acceptedAtMs: nowMs,
        contentEncoding,
        body: request.body,
      });
      return answer;
    });
    if (!taken)
      record({
        status,
        reason: status === 0 ? "the lab was told not to answer" : "the lab was told to answer so",
      });
  };

  return await startEndpointServer({
    port,
    tls,
    refuses: rules.refusesConnection,
    onExchange,
    what: "push service",
  });
}
