/** Aborts when the command is to stop. A second Ctrl+C finds no listener any more, and ends the process at once. */
export function stopSignal(onStdinEnd: boolean): { signal: AbortSignal; release: () => void } {
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
