/** A fake in the place of push services: answers as the test says, and remembers what was sent. */
import type { SendPush } from "../delivery/page.ts";
import type { Message } from "../store/port.ts";
import type { Outcome } from "../webpush/outcome.ts";

export type FakePush = {
  send: SendPush;
  sent: { messageId: string; registrationId: number; generation: number; endpoint: string }[];
  /** The messages that were sent, once for each push. */
  messages: Message[];
  /** The most that were in flight at once. */
  mostInFlight(): number;
  /** What is answered from now on. */
  answer(registrationId: number): Outcome | Promise<Outcome>;
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
    async send(message, { registrationId, generation, endpoint }) {
      fake.sent.push({ messageId: message.id, registrationId, generation, endpoint });
      fake.messages.push(message);
      inFlight += 1;
      most = Math.max(most, inFlight);
      const outcome = await fake.answer(registrationId);
      inFlight -= 1;
      return outcome;
    },
  };
  return fake;
}
