/** A fake in the place of the threads that send: begins so many pushes at once, and can take back what it has not begun. */
import type { SendPush } from "../delivery/page.ts";
import type { Withdraw } from "../delivery/under-way.ts";
import type { Recipient } from "../store/port.ts";
import type { Outcome } from "../webpush/outcome.ts";
import { acceptedOutcome } from "./fake-push.ts";

type Handed = {
  messageId: string;
  recipient: Recipient;
  settle: (outcome: Outcome) => void;
};

export type FakeThreads = {
  send: SendPush;
  withdraw: Withdraw;
  /** Registrations that a push was begun for, in their order. */
  begun: number[];
  /** Pushes that were handed in. */
  handed(): number;
  /** Those of them that wait. */
  waiting(): number;
  /** Ends the push that was begun first; another one begins in its place. */
  answer(outcome?: Outcome): void;
  /** Answers all that was begun, and all that comes from now on. */
  answerAll(): void;
  /** Called before anything is withdrawn: it takes as long as this. */
  onWithdraw: () => Promise<void>;
};

const withdrawn: Outcome = { kind: "retry", reason: "withdrawn", notBefore: null, detail: "" };

export function fakeThreads(streams: number): FakeThreads {
  const queue: Handed[] = [];
  const underWay: Handed[] = [];
  let handed = 0;
  let answersAll = false;

  function begin(): void {
    while (underWay.length < streams) {
      const next = queue.shift();
      if (next === undefined) return;
      threads.begun.push(next.recipient.registrationId);
      underWay.push(next);
      if (answersAll) threads.answer();
    }
  }

  const threads: FakeThreads = {
    begun: [],
    handed: () => handed,
    waiting: () => queue.length,
    onWithdraw: async () => undefined,
    send: ({ id: messageId }, recipient) =>
      new Promise((settle) => {
        handed += 1;
        queue.push({ messageId, recipient, settle });
        begin();
      }),
    async withdraw(which) {
      await threads.onWithdraw();
      const isMeant = ({ messageId, recipient }: Handed) =>
        "token" in which ? recipient.token === which.token : messageId === which.messageId;
      for (const each of queue.filter(isMeant)) {
        queue.splice(queue.indexOf(each), 1);
        each.settle(withdrawn);
      }
    },
    answer(outcome = acceptedOutcome) {
      underWay.shift()?.settle(outcome);
      begin();
    },
    answerAll() {
      answersAll = true;
      for (const { settle } of underWay.splice(0)) settle(acceptedOutcome);
      begin();
    },
  };
  return threads;
}
