import { once } from "node:events";
import { parseArgs } from "node:util";

import { PushLabError } from "./errors.ts";
import { startPushLab, type PushLab } from "./lab.ts";
import { describeEvent, describeLab, eventAsJson, labAsJson } from "./report.ts";

const usage = `Usage: push-lab [options]

Starts push services on 127.0.0.1 for Chromium and Firefox, prints what a browser and a
sender need to use them, and then a line for everything that happens. Stop it with Ctrl+C.

  --json               print everything as JSON, one object per line
  --port <n>           listen on n (push service), n + 1 (check-in and registration),
                       n + 2 (messages), n + 3 (Firefox) and n + 4 (proxy) instead of
                       any free ports
  --directory <path>   where certificates and keys are written; without it a fresh
                       folder, removed at the end
  --host <name>        a host name the browsers find on 127.0.0.1; may be given again
  --stop-on-stdin-end  stop also when standard input ends
  --help               print this
`;

const options = {
  json: { type: "boolean", default: false },
  port: { type: "string", default: "0" },
  directory: { type: "string" },
  host: { type: "string", multiple: true },
  "stop-on-stdin-end": { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

const portsInARow = 5;

/**
 * The `push-lab` command: runs until it is told to stop (SIGINT, SIGTERM, or the end of standard input where asked for).
 *
 * @param args without the program's name
 * @returns the exit code: 0 after a stop, 1 where the lab could not start, 2 where the options are wrong
 */
export async function main(args: readonly string[]): Promise<number> {
  let given: ReturnType<typeof parse>;
  try {
    given = parse(args);
  } catch (error) {
    return complain(`${sentence(error)} See push-lab --help.`, 2);
  }
  if (given.help) {
    process.stdout.write(usage);
    return 0;
  }

  const stopping = stopSignal(given["stop-on-stdin-end"]);
  try {
    const lab = await startPushLab({
      hosts: given.hosts,
      ports: given.ports,
      ...(given.directory !== undefined && { directory: given.directory }),
    });
    await report(lab, given, stopping.signal);
    await lab.close();
    return 0;
  } catch (error) {
    if (error instanceof PushLabError) return complain(error.message, 1);
    throw error;
  } finally {
    stopping.release();
  }
}

function parse(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options });
  const first = Number(values.port);
  if (!/^\d+$/.test(values.port) || first + portsInARow - 1 > 65_535)
    throw new RangeError(
      `--port is "${values.port}", expected a number from 1 to ${65_536 - portsInARow}, or 0 for any free ports.`,
    );
  const ports =
    first === 0
      ? {}
      : {
          pushService: first,
          registration: first + 1,
          messages: first + 2,
          firefox: first + 3,
          proxy: first + 4,
        };
  return { ...values, hosts: values.host ?? [], ports };
}

async function report(
  lab: PushLab,
  { json, hosts }: { json: boolean; hosts: readonly string[] },
  stopped: AbortSignal,
): Promise<void> {
  print(json ? labAsJson(lab, hosts) : describeLab(lab, hosts));
  lab.onEvent((event) => {
    print(json ? eventAsJson(event, Date.now()) : describeEvent(event, new Date()));
  });
  if (!stopped.aborted) await once(stopped, "abort");
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Aborts when the command is to stop. A second Ctrl+C finds no listener any more, and ends the process at once. */
function stopSignal(onStdinEnd: boolean): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const stop = (): void => {
    controller.abort();
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  // Who read the output went away (push-lab | head): nobody is left to report to.
  process.stdout.on("error", stop);
  // npm runs a command through a shell that hands no SIGTERM on: all that can be noticed is that the parent is gone.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.env["npm_lifecycle_event"] !== undefined && process.ppid !== parent) stop();
  }, 500).unref();
  if (onStdinEnd) {
    // A file only ends; a pipe or a terminal that breaks only closes.
    process.stdin.once("end", stop);
    process.stdin.once("close", stop);
    process.stdin.once("error", stop);
    process.stdin.resume();
  }
  return {
    signal: controller.signal,
    release: () => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
      clearInterval(watch);
      if (onStdinEnd) process.stdin.destroy();
    },
  };
}

function complain(message: string, exitCode: number): number {
  process.stderr.write(`push-lab: ${message}\n`);
  return exitCode;
}

function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.endsWith(".") ? message : `${message}.`;
}
