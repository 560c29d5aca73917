import { once } from "node:events";
import { parseArgs } from "node:util";

import { startPushLab } from "../lab.ts";
import { describeEvent, describeLab, eventAsJson, labAsJson } from "../report.ts";
import { type Command, print, readPort } from "./run.ts";

const usage = `Usage: push-lab [options]
       push-lab sink [options]    (see push-lab sink --help)

Starts push services on 127.0.0.1 for Chromium and Firefox, prints what a browser and a
sender need to use them, and then a line for everything that happens. Stop it with Ctrl+C.

  --json               print everything as JSON, one object per line
  --port <n>           listen on n (push service), n + 1 (check-in and registration),
                       n + 2 (messages), n + 3 (Firefox) and n + 4 (proxy) instead of
                       any free ports
  --control-port <n>   where faults and counts can be had over HTTP; any free port if not given
  --directory <path>   where certificates and keys are written; without it a fresh
                       folder, removed at the end
  --host <name>        a host name the browsers find on 127.0.0.1; may be given again
  --stop-on-stdin-end  stop also when standard input ends
  --help               print this
`;

const options = {
  json: { type: "boolean", default: false },
  port: { type: "string", default: "0" },
  "control-port": { type: "string", default: "0" },
  directory: { type: "string" },
  host: { type: "string", multiple: true },
  "stop-on-stdin-end": { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

const portsInARow = 5;

function parse(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options });
  const first = readPort("port", values.port, portsInARow);
  const control = readPort("control-port", values["control-port"]);
  const ports =
    first === 0
      ? { control }
      : {
          control,
          pushService: first,
          registration: first + 1,
          messages: first + 2,
          firefox: first + 3,
          proxy: first + 4,
        };
  return { ...values, hosts: values.host ?? [], ports };
}

/** `push-lab`: the push services of real browsers. */
export const labCommand: Command<ReturnType<typeof parse>> = {
  call: "push-lab",
  usage,
  parse,
  run: async ({ json, hosts, ports, directory }, stopped) => {
    const lab = await startPushLab({ hosts, ports, ...(directory !== undefined && { directory }) });
    print(json ? labAsJson(lab, hosts) : describeLab(lab, hosts));
    lab.onEvent((event) => {
      print(json ? eventAsJson(event, Date.now()) : describeEvent(event, new Date()));
    });
    if (!stopped.aborted) await once(stopped, "abort");
    await lab.close();
  },
};
