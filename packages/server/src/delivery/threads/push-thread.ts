/** Runs in a thread of its own: seals pushes and sends them over connections of its own. */
import { getPriority, setPriority } from "node:os";
import { setDefaultCACertificates } from "node:tls";
import { parentPort, workerData } from "node:worker_threads";
import { createSender } from "../../webpush/sender.ts";
import { createPushSender } from "../push-sender.ts";
import {
  unpack,
  type FromThread,
  type NumberedOutcome,
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
  const message: FromThread = { outcomes };
  outcomes = [];
  if (message.outcomes.length > 0) port?.postMessage(message);
}

async function close(): Promise<void> {
  await sender.close();
  await Promise.all(underWay);
  flush();
  port?.close();
}

port.on("message", (message: ToThread) => {
  if (message.kind === "close") {
    void close();
    return;
  }
  for (const push of message.pushes) {
    const [id, place, endsAtMs] = push;
    const about = message.messages[place];
    if (about === undefined) throw new Error("a push of no message");
    const sent = send(about, unpack(push), endsAtMs).then((outcome) => {
      underWay.delete(sent);
      report([id, outcome]);
    });
    underWay.add(sent);
  }
});
