import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startScript } from "../../test/process.ts";

const child = new URL("../../test/child.ts", import.meta.url);
const killAt = fileURLToPath(new URL("kill-at.ts", import.meta.url));

/**
 * Runs a command once to its end, then again and again, and kills it before each of its steps. A step before which the files are as they
 * were before an earlier step is left out: a kill there leaves the same.
 * @param folder the command writes its files there, and nowhere else
 * @param look what the command has left; makes all ready for the next run
 * @returns what `look` gave after each kill, in that order
 */
export async function killAtEach(
  words: readonly string[],
  environment: Record<string, string>,
  { folder, look }: { folder: string; look: () => Promise<string> },
): Promise<string[]> {
  const notes = mkdtempSync(join(tmpdir(), "sineta-steps-"));
  const stepsFile = join(notes, "steps.json");
  const all = { ...process.env, ...environment, STEPS_OF: folder, STEPS_FILE: stepsFile };
  const run = (settings: { KILL_AT?: string }) =>
    startScript(child, words, { preload: killAt, environment: { ...all, ...settings } }).ended;
  try {
    const { status, stderr } = await run({});
    if (status !== 0) throw new Error(`ended with ${status}: ${stderr}`);
    await look();
    const left: string[] = [];
    const steps: number[] = JSON.parse(readFileSync(stepsFile, "utf8"));
    for (const step of steps) {
      const killed = await run({ KILL_AT: String(step) });
      if (killed.status !== null) throw new Error(`was through before step ${step}`);
      left.push(await look());
    }
    return left;
  } finally {
    rmSync(notes, { recursive: true });
  }
}
