/** A fake in the place of push services: answers as the test says, and remembers what was sent. */
import type { SendPush } from "../delivery/page.ts";
import type { Message } from "../store/port.ts";
import type { Outcome } from "../webpush/outcome.ts";

export type FakePush = {
  send: SendPush;
  sent: {
    messageId: string;
    registrationId: number;
    generation: number;
    endpoint: string;
    pushOrigin: string;
  }[];
  /** The messages that were sent, once for each push. */
  messages: Message[];
  /** The most that were in flight at once. */
  mostInFlight(): number;
  /** What is answered from now on. */
  answer(registrationId: number, pushOrigin: string): Outcome | Promise<Outcome>;
};

export const acceptedOutcome: Outcome = { kind: "accepted", status: 201 };
export const goneOutcome: Outcome = { kind: "gone", status: 410 };

export function retryOutcome(notBefore: number | null = null): Outcome {
  return { kind: "retry", reason: "throttled", notBefore, status: 429, detail: "slow down" };
}

export function fakePush(): FakePush {
  let inFlight = 0;
  let most = 0;
  const fake: FakePush = {
    sent: [],
    messages: [],
    answer: () => acceptedOutcome,
    mostInFlight: () => most,
    async send(message, { registrationId, generation, endpoint, pushOrigin }) {
      const messageId = message.id;
      fake.sent.push({ messageId, registrationId, generation, endpoint, pushOrigin });
      fake.messages.push(message);
      inFlight += 1;
      most = Math.max(most, inFlight);
      try {
        return await fake.answer(registrationId, pushOrigin);
      } finally {
        inFlight -= 1;
      }
    },
  };
  return fake;
}

/** A message as the store would give it, that is being sent. */
export function testMessage(over: Partial<Message> = {}): Message {
  return {
    id: "0199c0de-0000-7000-8000-000000000001",
    projectId: 1,
    target: { kind: "all" },
    notification: { title: "Olá" },
    data: null,
    ttlSeconds: 60,
    urgency: "normal",
    collapseKey: null,
    scheduledAtMs: 0,
    localTime: null,
    replaces: null,
    state: "sending",
    withReceipts: true,
    createdAtMs: 0,
    startedAtMs: 0,
    endedAtMs: null,
    watermark: 1_000,
    plannedTo: 0,
    plannedCount: 0,
    counts: { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 },
    receipts: { displayed: 0, clicked: 0, closed: 0 },
    ...over,
  };
}
