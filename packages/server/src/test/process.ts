import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { SitePlaces } from "../http/site.ts";

/** What Node compiles of Sineta's source is kept for the next process: it is half the time of a start. */
const compileCache: Record<string, string> =
  process.env["NODE_COMPILE_CACHE"] === undefined
    ? {}
    : { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] };

export type TestProcess = {
  /** Resolves with the first line on stdout that fits; rejects if the process ends before. */
  line: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Resolves when it has ended and all it wrote is here. */
  ended: Promise<{ status: number | null; stdout: string; stderr: string }>;
  kill: (signal: NodeJS.Signals) => void;
  /** Whether a signal such as SIGSTOP holds it now (proc_pid_stat(5), "state"). */
  isStopped: () => boolean;
  /** Closes the reading ends of stdout and stderr, as a log reader does that goes away. */
  stopReading: () => void;
};

/** Runs the command as a process of its own, with no other variables of Sineta's than these. */
export function startSineta(
  words: readonly string[],
  {
    places,
    environment = {},
    folder,
  }: {
    places: SitePlaces;
    environment?: Record<string, string>;
    folder: string;
  },
): TestProcess {
  const script = fileURLToPath(new URL("child.ts", import.meta.url));
  return watch(
    spawn(process.execPath, [script, places.siteFolder, places.workerFile, ...words], {
      cwd: folder,
      env: { ...compileCache, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
}

type Bench = { places: SitePlaces; folder: string };

/** Runs the command as npm does: below a shell. `kill` ends the shell alone. */
export function startSinetaByNpm(words: readonly string[], bench: Bench): TestProcess {
  // The second command keeps the shell from becoming the first.
  return startInShell('"$@"; exit', words, bench, { npm_lifecycle_event: "start" });
}

/** Runs the command where no file may grow beyond so many blocks of 512 bytes, as on a full disk. */
export function startFull(
  words: readonly string[],
  bench: Bench,
  { blocks = 0, environment = {} }: { blocks?: number; environment?: Record<string, string> } = {},
): TestProcess {
  return startInShell(`ulimit -f ${blocks} && exec "$@"`, words, bench, environment);
}

/** Makes a folder, goes into it, removes it, and runs the command there. */
export function startInRemovedFolder(words: readonly string[], bench: Bench): TestProcess {
  return startInShell('mkdir gone && cd gone && rmdir ../gone && "$@"', words, bench, {});
}

function startInShell(
  shell: string,
  words: readonly string[],
  { places, folder }: Bench,
  environment: Record<string, string>,
): TestProcess {
  const script = fileURLToPath(new URL("child.ts", import.meta.url));
  const args = [process.execPath, script, places.siteFolder, places.workerFile, ...words];
  return watch(
    spawn("sh", ["-c", shell, "sh", ...args], {
      cwd: folder,
      env: { SINETA_PORT: "0", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
}

/**
 * Runs any script the same way.
 * @param options `preload`: a module to import before it; `environment`: instead of this process's variables
 */
export function startScript(
  script: URL,
  words: readonly string[],
  { preload, environment }: { preload?: string; environment?: Record<string, string> } = {},
): TestProcess {
  const flags = preload === undefined ? [] : ["--import", preload];
  return watch(
    spawn(process.execPath, [...flags, fileURLToPath(script), ...words], {
      ...(environment === undefined ? {} : { env: environment }),
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
}

function watch(child: ChildProcessByStdio<null, Readable, Readable>): TestProcess {
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = once(child, "close").then(() => ({ status: child.exitCode, stdout, stderr }));
  return {
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const lines = stdout.split("\n").slice(0, -1);
          const found = lines.map((line) => pattern.exec(line)).find((match) => match !== null);
          if (found === undefined) return;
          child.stdout.off("data", look);
          resolve(found);
        };
        child.stdout.on("data", look);
        look();
        child.once("close", () => reject(new Error(`ended before ${pattern}: ${stdout}${stderr}`)));
      }),
    ended,
    kill: (signal) => void child.kill(signal),
    isStopped: () => readFileSync(`/proc/${child.pid}/stat`, "utf8").includes(") T "),
    stopReading: () => {
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}

export const readyLine = /^Sineta is ready: (http\S+)$/;
