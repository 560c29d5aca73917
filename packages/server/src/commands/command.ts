import type { ParseArgsOptionsConfig } from "node:util";
import type { ConfigReport } from "../config.ts";
import type { SitePlaces } from "../http/site.ts";

/** What a command may touch of the process it runs in. */
export type Terminal = {
  out(text: string): void;
  err(text: string): void;
  /** Whether a person reads what goes to `err`. */
  errIsTTY: boolean;
  /** Asks the person at the terminal for a line; null where there is none, or no answer. */
  ask(question: string): Promise<string | null>;
  /** The same, and does not show the answer: for passphrases. */
  askHidden(question: string): Promise<string | null>;
  environment: Readonly<Record<string, string | undefined>>;
  /** The folder the command was called in. */
  folder: string;
  /** Calls back for each SIGINT or SIGTERM, and when the npm that ran it is gone, until the returned function is called. */
  onStopSignal(listener: () => void): () => void;
  /** Where the built site lies. */
  places: SitePlaces;
};

export type Command = {
  name: string;
  /** One line of `sineta --help`. */
  summary: string;
  /** Below the usage line of the command's own help. */
  help: string;
  usage: string;
  /** A flag that is not `multiple` may stand there once. */
  options: ParseArgsOptionsConfig;
  /** Whether words may stand behind the command's name; which ones is for `run` to say. */
  takesWords?: boolean;
  /** @returns the exit status @throws CommandError */
  run(input: {
    flags: Readonly<Record<string, unknown>>;
    /** What stood there beside the flags. */
    words: readonly string[];
    report: ConfigReport;
    terminal: Terminal;
  }): Promise<number>;
};

export function programHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return `sineta: a notification bell for web pages, and everything behind it

Usage: sineta <command> [flags]

${commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join("\n")}

sineta <command> --help tells more, sineta --version which version this is. Settings come from flags, the environment and a .env file, in this order;
docs/operating.md lists them, sineta config shows them.
`;
}

export function commandHelp({ usage, summary, help }: Command): string {
  return `${summary}\n\nUsage: ${usage}\n\n${help.trimEnd()}\n\n${settingsHelp}`;
}

const settingsHelp = `Settings (each also as a variable: --public-url is SINETA_PUBLIC_URL):
  --host, --port, --data, --public-url, --origins, --tls-cert, --tls-key, --vapid-subject, --push-hosts,
  --push-routes, --trusted-proxies, --registrations-per-minute, --receipts-per-minute, --keep-ended-days, --keep-receipts-days,
  --keep-audit-days, --disk-low-mib, --log-level
`;
