import { CommandError } from "../command-error.ts";
import { ask, timedOut } from "../doctor/ask.ts";
import { loopbackUrl } from "../loopback-url.ts";
import type { Command } from "./command.ts";

const patienceMs = 5_000;

export const readyCommand: Command = {
  name: "ready",
  summary: "Asks the running server whether it is ready",
  usage: "sineta ready",
  help: `Asks for /readyz at SINETA_HOST and SINETA_PORT, for at most five seconds. Prints "ready" if the server is ready: it delivers, and it can
write to its database. Else the exit status is 1. The container's health check runs this command.`,
  options: {},
  run: async ({ report, terminal }) => {
    const url = new URL("/readyz", loopbackUrl(report.config));
    const status = await statusAt(url);
    if (status !== 200) {
      throw new CommandError(
        "server-not-ready",
        `The server at ${url.origin} answers with status ${status}: its log says why it is not ready.`,
      );
    }
    terminal.out("ready\n");
    return 0;
  },
};

async function statusAt(url: URL): Promise<number> {
  const answer = await ask(url, { signal: AbortSignal.timeout(patienceMs) });
  if (answer.kind === "answer") return answer.status;
  const why =
    answer.why === timedOut ? `nothing came for ${patienceMs / 1000} seconds` : answer.why;
  throw new CommandError("server-not-ready", `No server answers at ${url.origin} (${why}).`);
}
