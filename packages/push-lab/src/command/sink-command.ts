import { once } from "node:events";
import { parseArgs } from "node:util";

import { describeSink, sinkAsJson } from "../sink/report.ts";
import { startSink } from "../sink/sink.ts";
import { type Command, print, readPort } from "./run.ts";

const usage = `Usage: push-lab sink --origin <origin> [--origin <origin> ...] [options]

Plays push services on 127.0.0.1 without browsers: takes pushes to any path, checks and
counts them, and misbehaves where it is told to over HTTP. Prints what a sender needs.
Stop it with Ctrl+C.

  --origin <origin>       a push service to play, such as https://fcm.googleapis.com;
                          may be given again
  --json                  print what a sender needs as one line of JSON
  --port <n>              listen on n instead of any free port
  --port-per-origin       one port for each origin: n, n + 1, ...
  --control-port <n>      where faults and counts can be had over HTTP
  --http1                 offer HTTP/1.1 alone
  --max-streams <n>       how many streams a connection may have open, 100 if not given
  --check <all|none>      none takes pushes without looking at them
  --vapid-key <key>       the only VAPID key that is good; any if not given
  --directory <path>      where the certificate is written; without it a fresh folder,
                          removed at the end
  --stop-on-stdin-end     stop also when standard input ends
  --help                  print this
`;

const options = {
  origin: { type: "string", multiple: true },
  json: { type: "boolean", default: false },
  port: { type: "string", default: "0" },
  "port-per-origin": { type: "boolean", default: false },
  "control-port": { type: "string", default: "0" },
  http1: { type: "boolean", default: false },
  "max-streams": { type: "string", default: "100" },
  check: { type: "string", default: "all" },
  "vapid-key": { type: "string" },
  directory: { type: "string" },
  "stop-on-stdin-end": { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

function parse(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options });
  const { origin: origins = [], check, directory } = values;
  const maxStreams = values["max-streams"];
  const vapidKey = values["vapid-key"];
  if (origins.length === 0 && !values.help)
    throw new RangeError(
      "--origin is missing, expected one or more, such as https://fcm.googleapis.com.",
    );
  if (check !== "all" && check !== "none")
    throw new RangeError(`--check is "${check}", expected all or none.`);
  if (!/^\d{1,9}$/.test(maxStreams))
    throw new RangeError(`--max-streams is "${maxStreams}", expected a whole number.`);
  return {
    ...values,
    sink: {
      origins,
      check,
      port: readPort("port", values.port, values["port-per-origin"] ? origins.length : 1),
      portPerOrigin: values["port-per-origin"],
      controlPort: readPort("control-port", values["control-port"]),
      http1Only: values.http1,
      maxConcurrentStreams: Number(maxStreams),
      ...(vapidKey !== undefined && { vapidKey }),
      ...(directory !== undefined && { directory }),
    },
  } as const;
}

/** `push-lab sink`: push services without browsers. */
export const sinkCommand: Command<ReturnType<typeof parse>> = {
  call: "push-lab sink",
  usage,
  parse,
  run: async (given, stopped) => {
    const sink = await startSink(given.sink);
    print(given.json ? sinkAsJson(sink) : describeSink(sink));
    if (!stopped.aborted) await once(stopped, "abort");
    await sink.close();
  },
};
