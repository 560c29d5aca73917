import type { Writable } from "node:stream";

import type { Exchange } from "../endpoint-server/exchange.ts";
import { writeForEver } from "../endpoint-server/exchange.ts";
import { originOf } from "../push-service/push-request.ts";
import { type Answer, type ServiceRules, vapidRefusal } from "../push-service/service-rules.ts";
import { errorNumber, type RequestFault } from "./fault.ts";
import type { Decision, Rules } from "./rules.ts";

export type Handled = {
  /** Whether the push was taken. */
  readonly taken: boolean;
  /** What its sender was told, 0 where nothing. */
  readonly status: number;
};

const internalError = 2;
const bodyChunk = Buffer.alloc(16_384, "x");

/**
 * Answers a push that could be accepted: as the rules say, or well where they say nothing.
 *
 * @param take takes the push as it would be without a fault, and gives the answer for it; called at most once, before
 * anything is sent
 */
export function takeOrMisbehave(
  rules: Rules,
  exchange: Exchange,
  service: ServiceRules,
  take: () => Answer,
): Handled {
  const { request } = exchange;
  const decision = rules.decide({
    origin: originOf(request),
    path: request.path,
    vapidKey: /\bk=([\w-]+)/.exec(request.headers["authorization"] ?? "")?.[1],
  });
  if (decision !== undefined && decision !== "ok")
    return misbehave(asCarriedOut(decision, service), exchange, take);
  return acceptWell(exchange, take);
}

function asCarriedOut(decision: Exclude<Decision, "ok">, service: ServiceRules): RequestFault {
  if (decision.kind !== "refuse-vapid") return decision;
  const [mistake, reason] =
    decision.because === "token"
      ? (["vapid-wrong", "the token is not good, the lab was told to say"] as const)
      : (["vapid-other-key", "the key is another one, the lab was told to say"] as const);
  return { kind: "answer", ...service.refused(vapidRefusal(service, mistake, reason)) };
}

/**
 * Does to one exchange what the fault says.
 */
function misbehave(fault: RequestFault, exchange: Exchange, take: () => Answer): Handled {
  switch (fault.kind) {
    case "answer":
      exchange.answer(fault);
      return { taken: false, status: fault.status };
    case "hang":
      if (fault.at === "request") return leaveUnanswered(fault, take);
      return beginAndGoOn(exchange, take(), () => {});
    case "drip": {
      const { bytesPerSecond, status } = fault;
      const handled = beginAndGoOn(exchange, status === undefined ? take() : { status }, (body) => {
        drip(bytesPerSecond, body);
      });
      return { ...handled, taken: status === undefined };
    }
    case "endless-body":
      return beginAndGoOn(exchange, take(), (body) => {
        writeForEver(body, () => bodyChunk);
      });
    case "endless-headers":
      exchange.sendHeadersForEver();
      return { taken: false, status: 0 };
    case "reset": {
      const code = errorNumber(fault.code ?? internalError);
      if (fault.at === "answer")
        return beginAndGoOn(exchange, take(), (body) => {
          // Only once a first byte of the body has gone out has the head, too.
          body.write("x", () => {
            exchange.reset(code);
          });
        });
      const handled = leaveUnanswered(fault, take);
      exchange.reset(code);
      return handled;
    }
    case "settings":
      exchange.limitStreams(fault.maxConcurrentStreams);
      return acceptWell(exchange, take);
    case "goaway":
      if (exchange.goAway(errorNumber(fault.code ?? 0), fault.lastStreamId ?? "this"))
        return acceptWell(exchange, take);
      return { taken: false, status: 0 };
    case "hang-up": {
      const handled = leaveUnanswered(fault, take);
      exchange.cutConnection();
      return handled;
    }
    default:
      return fault satisfies never;
  }
}

function acceptWell(exchange: Exchange, take: () => Answer): Handled {
  const answer = take();
  exchange.answer(answer);
  return { taken: true, status: answer.status };
}

/** Nothing is sent, whether the push was taken or not. */
function leaveUnanswered(fault: { readonly taken?: boolean }, take: () => Answer): Handled {
  const isTaken = fault.taken === true;
  if (isTaken) take();
  return { taken: isTaken, status: 0 };
}

function beginAndGoOn(exchange: Exchange, answer: Answer, goOn: (body: Writable) => void): Handled {
  goOn(exchange.begin(answer));
  return { taken: true, status: answer.status };
}

/** The clock is the real one: a drip is only one as long as somebody waits for it. */
function drip(bytesPerSecond: number, body: Writable): void {
  // A timer fires at most once in a millisecond.
  const bytes = "x".repeat(Math.max(1, Math.round(bytesPerSecond / 1000)));
  const timer = setInterval(
    () => {
      if (!body.writableNeedDrain) body.write(bytes);
    },
    Math.max(1, 1000 / bytesPerSecond),
  );
  body.once("close", () => {
    clearInterval(timer);
  });
}
