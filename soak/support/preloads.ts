import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a server process is started with beside its own code. Goes for the commands of the same scene as well. */
export type Preloads = {
  /** To be merged into the server's environment. */
  environment: Record<string, string>;
  /** How far the process's clock is ahead of the real one from now on; behind it if negative. */
  shiftClock: (milliseconds: number) => void;
  /** All that has been written to stderr so far. */
  stderr: () => string;
  remove: () => void;
};

const modules = [
  import.meta.resolve("./record-stderr.ts"),
  import.meta.resolve("./shift-clock.ts"),
];

/** The clock can be shifted, and stderr is recorded. */
export function preloads(): Preloads {
  const folder = mkdtempSync(join(tmpdir(), "sineta-soak-"));
  const clock = join(folder, "clock");
  const stderr = join(folder, "stderr");
  writeFileSync(clock, "0");
  writeFileSync(stderr, "");
  return {
    environment: {
      NODE_OPTIONS: modules.map((module) => `--import=${module}`).join(" "),
      CLOCK_FILE: clock,
      STDERR_FILE: stderr,
    },
    shiftClock(milliseconds) {
      // In one step: a file that is half written would be read as another time.
      const next = join(folder, "next");
      writeFileSync(next, String(milliseconds));
      renameSync(next, clock);
    },
    stderr: () => readFileSync(stderr, "utf8"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
