/** Runs in a thread of its own: seals pushes and sends them over connections of its own. */
import { getPriority, setPriority } from "node:os";
import { setDefaultCACertificates } from "node:tls";
import { parentPort, workerData } from "node:worker_threads";
import type { Message } from "../../store/port.ts";
import { createSender } from "../../webpush/sender.ts";
import { createPushSender } from "../push-sender.ts";
import {
  unpack,
  type FromThread,
  type NumberedOutcome,
  type NumberedPush,
  type ThreadData,
  type ToThread,
} from "./between.ts";

/** By so much a thread stands back (setpriority(2)): it gets a third of what one that does not gets beside it. */
const niceness = 5;
const mostNiceness = 19;

const port = parentPort;
if (port === null) throw new Error("this runs in a thread that start-thread.ts starts");
const { policy, subject, closeMs, trusted, project }: ThreadData = workerData;
setDefaultCACertificates(trusted);
// Visitors and the console come first: whoever serves them is not to wait for a core until a broadcast is done. Linux
// knows priorities of threads; elsewhere this would be the whole process's.
if (process.platform === "linux") {
  setPriority(Math.min(getPriority() + niceness, mostNiceness));
}
const sender = createSender({ policy, subject, deadlines: { closeMs } });
const send = createPushSender({ sender, project, now: Date.now });
const underWay = new Set<Promise<void>>();
let outcomes: NumberedOutcome[] = [];

/** Those that come with one turn of the event loop go back together, and what follows them is sealed together. */
function report(outcome: NumberedOutcome): void {
  outcomes.push(outcome);
  if (outcomes.length === 1) setImmediate(flush);
}

function flush(): void {
  const message: FromThread = { kind: "outcomes", outcomes };
  outcomes = [];
  if (message.outcomes.length > 0) tell(message);
}

function tell(message: FromThread): void {
  port?.postMessage(message);
}

function withdraw(ids: ReadonlySet<number>): void {
  sender.withdraw(ids);
  // What has begun is handed to its sockets by the immediates before this one, and outcomes are there by then.
  setImmediate(() => {
    flush();
    tell({ kind: "withdrawn" });
  });
}

async function close(): Promise<void> {
  await sender.close();
  await Promise.all(underWay);
  flush();
  port?.close();
}

port.on("message", (message: ToThread) => {
  switch (message.kind) {
    case "send":
      return sendAll(message.messages, message.pushes);
    case "withdraw":
      return withdraw(message.ids);
    case "close":
      return void close();
    default:
      message satisfies never;
  }
});

function sendAll(messages: readonly Message[], pushes: readonly NumberedPush[]): void {
  for (const push of pushes) {
    const [id, place, endsAtMs] = push;
    const about = messages[place];
    if (about === undefined) throw new Error("a push of no message");
    const sent = send(about, unpack(push), endsAtMs, id).then((outcome) => {
      underWay.delete(sent);
      report([id, outcome]);
    });
    underWay.add(sent);
  }
}
