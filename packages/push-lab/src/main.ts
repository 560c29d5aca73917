import { labCommand } from "./command/lab-command.ts";
import { runCommand } from "./command/run.ts";
import { sinkCommand } from "./command/sink-command.ts";

/**
 * The `push-lab` command: runs the lab, or the sink where that is its first word, until it is told to stop.
 *
 * @param args without the program's name
 * @returns the exit code: 0 after a stop, 1 where it could not start, 2 where the options are wrong
 */
export async function main(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args;
  return await (first === "sink" ? runCommand(sinkCommand, rest) : runCommand(labCommand, args));
}
