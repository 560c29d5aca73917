import { afterAll, afterEach, beforeAll, expect } from "vitest";

import type { Rule } from "../faults/fault.ts";
import type { RuleHandle } from "../faults/rules.ts";
import type { OutgoingPush } from "../test/application-server.ts";
import type { WatchedPlace, WatchedPush, WatchingClient } from "../test/watching-client.ts";

/** A push service that can be told to misbehave, whoever plays it. */
export type MisbehavingService = {
  readonly place: WatchedPlace;
  /** One that would be accepted. */
  readonly push: () => OutgoingPush;
  readonly misbehave: (rule: Rule) => RuleHandle;
  readonly behave: () => void;
  /** How many pushes it has taken, and how many requests it has handled at all. */
  readonly taken: () => number;
  readonly handled: () => number;
  readonly untilHandled: (requests: number) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

/** One service for the tests of a `describe`, and a fresh connection for each of them. */
export function misbehavingService(
  start: () => Promise<MisbehavingService>,
  open: (place: WatchedPlace) => WatchingClient,
) {
  let service: MisbehavingService;
  let client: WatchingClient;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.close());
  afterEach(() => {
    service.behave();
    client.close();
  });

  const send = (): WatchedPush => client.send(service.push());
  return {
    send,
    client: () => client,
    service: () => service,
    reconnect: (): void => {
      client = open(service.place);
    },
    /** What the rule is about begins with the next push. */
    meet: (rule: Rule) => {
      client = open(service.place);
      const takenBefore = service.taken();
      const handledBefore = service.handled();
      const { hits } = service.misbehave(rule);
      return {
        hits,
        handled: () => service.handled() - handledBefore,
        untilHandled: (requests: number) => service.untilHandled(handledBefore + requests),
        /** How many pushes were taken since. */
        taken: () => service.taken() - takenBefore,
      };
    },
    expectWell: async (): Promise<void> => {
      const { status, isWhole } = await send().over;
      expect({ status, isWhole }).toEqual({ status: 201, isWhole: true });
    },
  };
}
