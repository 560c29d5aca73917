import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import packageJson from "../package.json" with { type: "json" };
import { CommandError } from "./command-error.ts";
import { apiKeysCommand } from "./commands/api-keys.ts";
import { backupCommand } from "./commands/backup.ts";
import { configCommand } from "./commands/config.ts";
import { commandHelp, programHelp, type Command, type Terminal } from "./commands/command.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { holdCommand } from "./commands/hold.ts";
import { keysCommand } from "./commands/keys.ts";
import { messagesCommand } from "./commands/messages.ts";
import { operatorsCommand } from "./commands/operators.ts";
import { printable } from "./commands/table.ts";
import { readyCommand } from "./commands/ready.ts";
import { resumeCommand } from "./commands/resume.ts";
import { secretsCommand } from "./commands/secrets.ts";
import { restoreCommand } from "./commands/restore.ts";
import { sendCommand } from "./commands/send.ts";
import { settingsCommand } from "./commands/settings.ts";
import { serveCommand } from "./commands/serve.ts";
import { statusCommand } from "./commands/status.ts";
import { topicsCommand } from "./commands/topics.ts";
import { userKeyCommand } from "./commands/user-key.ts";
import { readConfig, settingOptions } from "./config.ts";
import { dataError } from "./data-errors.ts";
import type { SitePlaces } from "./http/site.ts";
import { meantQuestion, nearestName } from "./nearest-name.ts";

const commands: readonly Command[] = [
  serveCommand,
  sendCommand,
  messagesCommand,
  statusCommand,
  doctorCommand,
  readyCommand,
  holdCommand,
  resumeCommand,
  topicsCommand,
  settingsCommand,
  operatorsCommand,
  apiKeysCommand,
  keysCommand,
  secretsCommand,
  backupCommand,
  restoreCommand,
  userKeyCommand,
  configCommand,
];

/**
 * The `sineta` command.
 * @param words what stands behind `sineta`
 * @returns the exit status: 0 done, 1 an error that a sentence on stderr explains, 2 wrong usage
 */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = words;
  if (name === "help" && rest[0] !== undefined) return run([rest[0], "--help"], terminal);
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    terminal.out(programHelp(commands));
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    terminal.out(`${packageJson.version}\n`);
    return 0;
  }
  let dataFolder = "";
  let misspelt: readonly string[] = [];
  try {
    const command = commands.find((known) => known.name === name);
    if (command === undefined) {
      const known = [...commands.map((each) => each.name), "--help", "--version"];
      const order = name.startsWith("-") ? ", and flags stand behind the command" : "";
      throw new CommandError(
        "usage",
        `There is no command ${name}${order}: see sineta --help.${meantQuestion(name, known)}`,
      );
    }
    const { flags, words: own } = readWords(command, rest, terminal.environment);
    if (flags["help"] === true) {
      terminal.out(commandHelp(command));
      return 0;
    }
    const report = readConfig({
      flags,
      environment: terminal.environment,
      folder: terminal.folder,
    });
    ({ dataFolder } = report.config);
    misspelt = report.unknownSettings;
    return await command.run({ flags, words: own, report, terminal });
  } catch (thrown) {
    const error = dataError(dataFolder, thrown) ?? thrown;
    if (!(error instanceof CommandError)) throw error;
    // Part of it may be what somebody else typed.
    terminal.err(`sineta: ${printable(error.message)}\n`);
    // One of them may be why.
    for (const sentence of misspelt) terminal.err(`${printable(sentence)}\n`);
    return error.code === "usage" ? 2 : 1;
  }
}

/** A registration's token begins with a dash in one case of 64, and then looks like a flag. */
const dashedToken = /^-[\w-]{42}$/;
/** Stands before such a token, so that parseArgs takes it for a word. No argument of a program can hold it. */
const wordMark = "\0";

/**
 * Ties a value that begins with a dash to its flag (`--to -x` becomes `--to=-x`), where parseArgs would ask which is
 * meant: a token may begin so, and so may a title (-20%). Marks a token that stands among the words.
 */
function withDashedValues(
  args: readonly string[],
  options: ParseArgsOptionsConfig,
  takesWords: boolean,
): string[] {
  const tied: string[] = [];
  for (const arg of args) {
    const flag = tied.at(-1) ?? "";
    const takesValue = options[flag.replace(/^--/, "")]?.type === "string";
    const isToken = dashedToken.test(arg);
    if (takesValue && (isToken || /^-(?!-)/.test(arg))) tied[tied.length - 1] = `${flag}=${arg}`;
    else tied.push(takesWords && isToken ? wordMark + arg : arg);
  }
  return tied;
}

function readWords(
  command: Command,
  args: string[],
  environment: Terminal["environment"],
): { flags: Record<string, unknown>; words: string[] } {
  try {
    const options: ParseArgsOptionsConfig = {
      ...settingOptions,
      ...command.options,
      help: { type: "boolean", short: "h" },
    };
    const takesWords = command.takesWords === true;
    const { values, tokens, positionals } = parseArgs({
      args: withDashedValues(args, options, takesWords),
      tokens: true,
      allowPositionals: takesWords,
      options,
    });
    const names = tokens.flatMap((token) =>
      token.kind === "option" && command.options[token.name]?.multiple !== true ? [token.name] : [],
    );
    // The last one would win: `--to TOKEN --to all` must not reach everybody.
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`--${twice} stands there twice`);
    return { flags: values, words: positionals.map((word) => word.replace(wordMark, "")) };
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).replaceAll("\n", " ");
    const sentences = [/[.?!]$/.test(why) ? why : `${why}.`];
    if (isUnexpectedWord(error) && environment["npm_lifecycle_event"] === "sineta") {
      // npm takes flags for its own and hands on what stood behind them.
      sentences.push(
        `Through npm the words need -- before them (npm run sineta -- ${command.name} ...).`,
      );
    }
    const meant = meantFlag(error, Object.keys({ ...settingOptions, ...command.options }));
    if (meant !== null) sentences.push(`Do you mean --${meant}?`);
    sentences.push(`See sineta ${command.name} --help.`);
    throw new CommandError("usage", sentences.join(" "), { cause: error });
  }
}

/** Of a flag that there is not. */
function meantFlag(error: unknown, known: readonly string[]): string | null {
  if (!(error instanceof Error && "code" in error)) return null;
  if (error.code !== "ERR_PARSE_ARGS_UNKNOWN_OPTION") return null;
  const flag = /'--([^']+)'/.exec(error.message)?.[1];
  return flag === undefined ? null : nearestName(flag, known);
}

function isUnexpectedWord(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL"
  );
}

/** In a checkout; what `npm run build` makes. */
const builtPlaces: SitePlaces = {
  siteFolder: fileURLToPath(new URL("../../../apps/site/dist", import.meta.url)),
  consoleFolder: fileURLToPath(new URL("../../../apps/console/dist", import.meta.url)),
  referenceFolder: fileURLToPath(new URL("../dist/reference", import.meta.url)),
  workerFile: fileURLToPath(new URL("../../client/dist/sw.js", import.meta.url)),
};

/** Runs the command in this process: its words, its environment, its signals, its exit status. */
export async function main(places: SitePlaces = builtPlaces): Promise<void> {
  const folder = currentFolder();
  if (folder === null) {
    process.stderr.write(
      "sineta: The folder that you are in is not there any more: go to another.\n",
    );
    process.exitCode = 1;
    return;
  }
  const terminal: Terminal = {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    errIsTTY: process.stderr.isTTY,
    ask,
    askHidden,
    environment: process.env,
    folder,
    onStopSignal: (listener) => {
      process.on("SIGINT", listener).on("SIGTERM", listener);
      const forgetParent = onOrphaned(listener);
      return () => {
        process.off("SIGINT", listener).off("SIGTERM", listener);
        forgetParent();
      };
    },
    places,
  };
  // Whoever read this may have gone (`sineta keys | head -1`, a log that was closed): that ends no server.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  process.exitCode = await run(process.argv.slice(2), terminal);
}

/** @returns null if the folder that the command runs in was removed */
function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

async function ask(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  return lineOf(createInterface({ input: process.stdin, output: process.stderr }), question);
}

/** The line editor writes what is typed to nowhere, and keeps the terminal from echoing it. */
async function askHidden(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Before the question: a fast answer would be echoed.
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  process.stderr.write(question);
  const answer = await lineOf(lines, "");
  process.stderr.write("\n");
  return answer;
}

async function lineOf(lines: Interface, question: string): Promise<string | null> {
  // Ctrl+D and Ctrl+C close it without an answer.
  const closed = new Promise<null>((resolve) => lines.once("close", () => resolve(null)));
  try {
    return await Promise.race([lines.question(question), closed]);
  } finally {
    lines.close();
  }
}

/**
 * npm runs a command through a shell, and a SIGTERM that ends npm and the shell does not reach the command: all that
 * it can notice is that its parent is gone. Without this it would go on, and hold the port and the data folder.
 */
function onOrphaned(listener: () => void): () => void {
  if (process.env["npm_lifecycle_event"] === undefined) return () => undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) listener();
  }, 500).unref();
  return () => clearInterval(timer);
}
