import { PushLabError } from "../errors.ts";
import { stopSignal } from "./stop-signal.ts";

type CommonOptions = { readonly help: boolean; readonly "stop-on-stdin-end": boolean };

/** How a command of the lab is called, and what it does until it is told to stop. */
export type Command<Options extends CommonOptions> = {
  /** What to write before the options. */
  readonly call: string;
  readonly usage: string;
  /** Throws where the options are wrong. */
  readonly parse: (args: readonly string[]) => Options;
  readonly run: (options: Options, stopped: AbortSignal) => Promise<void>;
};

/**
 * Runs a command until it is told to stop: SIGINT, SIGTERM, or the end of standard input where asked for.
 *
 * @returns the exit code: 0 after a stop, 1 where it could not start, 2 where the options are wrong
 */
export async function runCommand<Options extends CommonOptions>(
  { call, usage, parse, run }: Command<Options>,
  args: readonly string[],
): Promise<number> {
  let given: Options;
  try {
    given = parse(args);
  } catch (error) {
    return complain(`${sentence(error)} See ${call} --help.`, 2);
  }
  if (given.help) {
    process.stdout.write(usage);
    return 0;
  }

  const stopping = stopSignal(given["stop-on-stdin-end"]);
  try {
    await run(given, stopping.signal);
    return 0;
  } catch (error) {
    if (error instanceof PushLabError) return complain(error.message, 1);
    throw error;
  } finally {
    stopping.release();
  }
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A port as it is written on a command line. @throws RangeError that names the option */
export function readPort(name: string, value: string, portsInARow = 1): number {
  const first = Number(value);
  if (/^\d+$/.test(value) && first + portsInARow - 1 <= 65_535) return first;
  throw new RangeError(
    `--${name} is "${value}", expected a number from 1 to ${65_536 - portsInARow}, or 0 for any free ${portsInARow === 1 ? "port" : "ports"}.`,
  );
}

function complain(message: string, exitCode: number): number {
  process.stderr.write(`push-lab: ${message}\n`);
  return exitCode;
}

function sentence(error: unknown): string {
  // Node's own sentences about options can be several lines.
  const message = (error instanceof Error ? error.message : String(error)).replaceAll("\n", " ");
  return message.endsWith(".") ? message : `${message}.`;
}
