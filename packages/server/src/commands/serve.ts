import { createLog } from "../log.ts";
import { keepMemorySmall } from "../memory.ts";
import type { Command } from "./command.ts";

export const serveCommand: Command = {
  name: "serve",
  summary: "Runs the server: the site, its registrations, and the delivery of messages",
  usage: "sineta serve [--port 8080] [--data ./data] [--public-url https://avisos.example.com]",
  help: `Prints "Sineta is ready" and the address once it can be reached; as long as there is no operator, also a link that makes
whoever opens it the owner, good once and for 24 hours. Without SINETA_PUBLIC_URL and bound to loopback it
runs for development: the bell then also shows on http://localhost. SIGINT or SIGTERM stops it softly, a second one
at once.`,
  options: {},
  run: async ({ report, terminal }) => {
    // Loaded here: no other command needs it, and each would take nearly twice as long to start.
    const { startServer } = await import("../server.ts");
    keepMemorySmall();
    const { config } = report;
    const log = createLog(config.logLevel, {
      write: (text) => terminal.err(text),
      isTTY: terminal.errIsTTY,
    });
    const stopRequested = new Promise<void>((resolve) => {
      const forget = terminal.onStopSignal(() => {
        // From here on the signals have their usual effect: the second one ends the process.
        forget();
        resolve();
      });
    });
    const server = await startServer(config, { log, places: terminal.places });
    terminal.out(`Sineta is ready: ${server.url}\n`);
    if (config.publicUrl !== null) terminal.out(`It is reached at ${config.publicUrl.href}\n`);
    if (server.firstLink !== null) {
      terminal.out(
        `There is no operator yet: whoever opens this link within 24 hours becomes the owner: ${server.firstLink}\n`,
      );
    }
    for (const warning of report.warnings) terminal.err(`${warning}\n`);
    await stopRequested;
    log.info("stopping");
    await server.stop();
    return 0;
  },
};
