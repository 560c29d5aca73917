import { fileURLToPath } from "node:url";
import { startScript } from "../../test/process.ts";

const child = new URL("../../test/child.ts", import.meta.url);
const killAt = fileURLToPath(new URL("kill-at.ts", import.meta.url));

/**
 * Runs a command again and again, and kills it one step later each time, until it is through.
 * @param look what the killed command has left; makes all ready for the next run
 * @returns what `look` gave, in that order
 */
export async function killAtEach(
  words: readonly string[],
  environment: Record<string, string>,
  look: () => Promise<string>,
): Promise<string[]> {
  const left: string[] = [];
  for (let status: number | null = null; status === null;) {
    const settings = { ...process.env, ...environment, KILL_AT: String(left.length + 1) };
    const killed = startScript(child, words, { preload: killAt, environment: settings });
    ({ status } = await killed.ended);
    left.push(await look());
  }
  return left;
}
