import { Worker } from "node:worker_threads";
import type { Message } from "../../store/port.ts";
import type { Outcome } from "../../webpush/outcome.ts";
import type { SendPush } from "../page.ts";
import {
  pack,
  type FromThread,
  type NumberedPush,
  type ThreadData,
  type ToThread,
} from "./between.ts";

/** A thread that sends, as the thread that delivers sees it. */
export type PushThread = {
  /** Until it has ended. Never rejects: what a thread leaves without an outcome is `sender-failed`. */
  readonly send: SendPush;
  /** See `PushThreads`; a thread that ends begins nothing either. */
  readonly withdraw: (which: Withdrawal) => Promise<void>;
  /** Pushes that have no outcome yet. */
  readonly underWay: () => number;
  /** Lets what is under way end for a few seconds, then ends the thread. Repeatable. */
  readonly close: () => Promise<void>;
};

/** What is withdrawn: a message that was cancelled, or a registration that has left. */
export type Withdrawal = { readonly messageId: string } | { readonly token: string };

/** A push that has no outcome yet. */
type Handed = {
  readonly message: Message;
  readonly token: string;
  readonly settle: (outcome: Outcome) => void;
};

/** Beside this file: as it is in a checkout, or as it was built. */
const script = new URL(
  import.meta.url.endsWith(".ts") ? "./push-thread.ts" : "./push-thread.js",
  import.meta.url,
);

/**
 * Nearly all that a push needs is garbage as soon as it is answered: in portions of 8 MB (a third of the young generation) little of
 * it still lives when it is collected, and it never becomes memory of the process. Left to themselves two threads take some 200 MB more.
 */
export const resourceLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 128 };

/**
 * Threads seal by node:ffi (webpush/openssl), which need not be said at each start; whoever turned it off
 * for the process has turned it off for them.
 */
const execArgv = [
  "--disable-warning=ExperimentalWarning",
  ...process.execArgv.filter((option) => option === "--no-experimental-ffi"),
];

/** @param onEnd called once, with why it ended if nobody had asked it to */
export function startThread(data: ThreadData, onEnd: (error: Error | null) => void): PushThread {
  const worker = new Worker(script, { workerData: data, resourceLimits, execArgv });
  const underWay = new Map<number, Handed>();
  /** In their order, which is that of the thread's answers. */
  const withdrawals: (() => void)[] = [];
  let lastId = 0;
  let burst = newBurst();
  let failure: Error | null = null;
  let closing = false;

  /** Pushes come up in bursts, as outcomes come in: those of one turn of the event loop go together. */
  function flush(): void {
    const { messages, pushes } = burst;
    burst = newBurst();
    if (pushes.length === 0) return;
    tell({ kind: "send", messages: [...messages.keys()], pushes });
  }

  function tell(message: ToThread): void {
    worker.postMessage(message);
  }

  function settle(id: number, outcome: Outcome): void {
    underWay.get(id)?.settle(outcome);
    underWay.delete(id);
  }

  worker.on("message", (message: FromThread) => {
    if (message.kind === "withdrawn") withdrawals.shift()?.();
    else for (const [id, outcome] of message.outcomes) settle(id, outcome);
  });
  worker.on("error", (error: Error) => {
    failure = error;
  });
  const exited = new Promise<void>((resolve) => {
    worker.once("exit", () => {
      // One that closes as it was told to has told the outcome of every push.
      const isClosed = closing && underWay.size === 0;
      for (const id of underWay.keys()) settle(id, senderFailed);
      for (const done of withdrawals) done();
      onEnd(failure ?? (isClosed ? null : new Error("it ended by itself")));
      resolve();
    });
  });

  return {
    send: (message, recipient, endsAtMs) =>
      new Promise((resolve) => {
        lastId += 1;
        underWay.set(lastId, { message, token: recipient.token, settle: resolve });
        if (burst.pushes.length === 0) setImmediate(flush);
        const { messages, pushes } = burst;
        const place = messages.get(message) ?? messages.size;
        messages.set(message, place);
        pushes.push([lastId, place, endsAtMs, ...pack(recipient)]);
      }),
    withdraw(which) {
      const ids = new Set<number>();
      for (const [id, handed] of underWay) if (isMeant(handed, which)) ids.add(id);
      // What has not been posted goes no further.
      burst.pushes = burst.pushes.filter(([id]) => {
        if (!ids.delete(id)) return true;
        settle(id, withdrawn);
        return false;
      });
      if (ids.size === 0) return Promise.resolve();
      tell({ kind: "withdraw", ids });
      return new Promise((resolve) => {
        withdrawals.push(resolve);
      });
    },
    underWay: () => underWay.size,
    close() {
      if (!closing) {
        closing = true;
        flush();
        tell({ kind: "close" });
      }
      return exited;
    },
  };
}

function isMeant({ message, token }: Handed, which: Withdrawal): boolean {
  return "token" in which ? token === which.token : message.id === which.messageId;
}

function newBurst(): { messages: Map<Message, number>; pushes: NumberedPush[] } {
  return { messages: new Map(), pushes: [] };
}

const ours = { kind: "retry", notBefore: null, detail: "" } as const;
const withdrawn: Outcome = { ...ours, reason: "withdrawn" };
/**
 * An attempt, so that a push which ends each thread it comes to is tried less and less often, and in the end no more. So is
 * one that was handed in between a thread's death and the news of it: which of them the thread had seen, nobody knows.
 */
const senderFailed: Outcome = { ...ours, reason: "sender-failed" };
