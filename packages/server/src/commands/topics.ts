import { setTimeout as delay } from "node:timers/promises";
import {
  limits,
  textExpected,
  textRules,
  topicEditSchema,
  topicNameSchema,
  type TopicPolicy,
} from "@sineta/protocol";
import { CommandError } from "../command-error.ts";
import { openPresentDataFolder } from "../data-folder.ts";
import { defaultProjectName } from "../projects/project.ts";
import { ownDisplayName } from "../store/own-display-name.ts";
import type { AuditEntry, Store } from "../store/port.ts";
import { changeTopic } from "../topics/change-topic.ts";
import { demandTopic, topicMissing } from "../topics/demand-topic.ts";
import { removeTopic } from "../topics/remove-topic.ts";
import { commandLineAsker } from "./asker.ts";
import type { Command, Terminal } from "./command.ts";
import { namedIn } from "./named.ts";
import { printable, tableOf } from "./table.ts";
import { readTokensFile } from "./tokens-file.ts";

/** Between portions of many changes. */
const pauseMs = 20;
const pause = () => delay(pauseMs);

const policies: Record<TopicPolicy, string> = {
  open: "any visitor may join it",
  kept: "the site's backend alone may put browsers into it, and you",
};

type Task = {
  store: Store;
  projectId: number;
  terminal: Terminal;
  nowMs: number;
  /** Name of the topic. */
  name: string;
  /** Of registrations, where the verb takes them. */
  tokens: readonly string[];
  has: (flag: Flag) => boolean;
  /** Undefined unless it is given. */
  displayName: string | undefined;
};
type Flag = "open" | "kept" | "yes";
type Verb = {
  takesTokens?: true;
  flags: readonly (Flag | "tokens" | "display-name")[];
  run: (task: Task) => Promise<number>;
};

const verbs: Readonly<Record<string, Verb>> = {
  add: {
    flags: ["open", "kept", "display-name"],
    async run({ store, projectId, terminal, nowMs, name, has, displayName: given }) {
      demandName(name);
      const displayName = ownDisplayName(name, given);
      const policy = policyOf(has) ?? "open";
      const change = { policy, ...(displayName === "" ? {} : { displayName }) };
      const entry = lineOf(projectId, { action: "topic.created", name, change });
      const result = await store.topics.add(projectId, { name, policy, displayName }, nowMs, entry);
      if (result === "full") {
        throw new CommandError(
          "topics-full",
          `The project has ${limits.topicsPerProject} topics, which is the most: remove one with sineta topics remove.`,
        );
      }
      if (result === "exists") {
        throw new CommandError(
          "topic-exists",
          `There is a topic ${name} already: choose another name, or change it with sineta topics set.`,
        );
      }
      terminal.out(`The topic ${name} is ${policy}: ${policies[policy]}.\n`);
      if (displayName !== "") terminal.out(calledSentence(name, displayName));
      return 0;
    },
  },
  set: {
    flags: ["open", "kept", "display-name"],
    async run({ store, projectId, terminal, nowMs, name, has, displayName }) {
      const policy = policyOf(has);
      if (policy === undefined && displayName === undefined) {
        throw usage("sineta topics set needs --open, --kept or --display-name");
      }
      const entry = { ...commandLineAsker(), projectId, action: "topic.changed", subject: name };
      const audit = { entry, nowMs };
      const edited = await store.topics.edit(projectId, name, { policy, displayName }, audit);
      if (edited === null) throw topicMissing(name);
      if (policy !== undefined) {
        terminal.out(
          `The topic ${name} is ${policy} now: ${policies[policy]}. Who is in it stays.\n`,
        );
      }
      if (displayName !== undefined) {
        terminal.out(calledSentence(name, edited.displayName));
      }
      return 0;
    },
  },
  remove: {
    flags: ["yes"],
    async run({ store, projectId, terminal, nowMs, name, has }) {
      const topic = await demandTopic(store, projectId, name);
      if (!has("yes")) {
        const answer = await terminal.ask(
          `All browsers lose the topic ${name} and have to join it anew. Its name again, to remove it: `,
        );
        if (answer === null) {
          throw usage(`Nobody answers, so the topic ${name} stays: give its name again, or --yes`);
        }
        if (answer.trim() !== name) {
          terminal.err(`The topic ${name} stays.\n`);
          return 1;
        }
      }
      const entry = lineOf(projectId, { action: "topic.removed", name, change: null });
      await removeTopic(store.topics, topic, pause, { audit: { entry, nowMs } });
      terminal.out(`The topic ${name} is removed.\n`);
      return 0;
    },
  },
  join: {
    takesTokens: true,
    flags: ["tokens"],
    run: (task) => changeMembers(task, "join"),
  },
  leave: {
    takesTokens: true,
    flags: ["tokens"],
    run: (task) => changeMembers(task, "leave"),
  },
};

export const topicsCommand: Command = {
  name: "topics",
  summary: "Lists the topics, makes, changes and removes them, and puts registrations into them",
  usage:
    "sineta topics [add NAME [--kept] [--display-name TEXT] | set NAME [--open|--kept] [--display-name TEXT] | remove NAME [--yes] | join|leave NAME TOKEN... [--tokens FILE]]",
  help: `Without words: a list of the topics, each with its policy and how many live registrations are in it.
  add             makes a topic; any visitor may join it, or with --kept the site's backend alone (by user tokens) and you
  set             changes who may join, or the display name; who is in it stays
  remove          removes the topic and all who are in it; asks for its name again, unless --yes is there
  join            puts the registrations of these tokens into the topic, a kept one too
  leave           takes them out again
  --display-name  what the console calls the topic, with spaces and accents; "" for its name
  --tokens        a file of tokens, one on each line, besides those that stand there or instead of them

A token that belongs to no registration, or to one that has left, is told of on stderr; the exit status is 1 then, and the others are
done.

A name has 1 to 64 of A-Z a-z 0-9 _ . ~ -. A name that begins with - goes behind --, at the end:
sineta topics remove -- -bread`,
  options: {
    open: { type: "boolean" },
    kept: { type: "boolean" },
    yes: { type: "boolean" },
    tokens: { type: "string" },
    "display-name": { type: "string" },
  },
  takesWords: true,
  run: async ({ flags, words, report, terminal }) => {
    const [verbName, name, ...others] = words;
    const verb =
      verbName === undefined
        ? undefined
        : namedIn(verbs, verbName, { what: "sineta topics", command: "topics" });
    const allowed: readonly string[] = verb?.flags ?? [];
    const odd = ["open", "kept", "yes", "tokens", "display-name"].find(
      (flag) => flags[flag] !== undefined && !allowed.includes(flag),
    );
    if (odd !== undefined) throw usage(`--${odd} does not belong there`);
    if (others.length > 0 && verb?.takesTokens !== true) throw usage("There is a word too many");
    if (verb !== undefined && name === undefined) {
      throw usage(`sineta topics ${verbName} needs the topic's name`);
    }
    const file = flags["tokens"];
    const inFile = typeof file === "string" ? readTokensFile(file, terminal.folder) : [];
    const tokens = [...others, ...inFile];
    if (tokens.length === 0 && verb?.takesTokens === true) {
      throw usage(`sineta topics ${verbName} needs the registration's token`);
    }

    const displayName = displayNameOf(flags["display-name"]);

    const nowMs = Date.now();
    const store = await openPresentDataFolder(report.config.dataFolder, nowMs);
    try {
      const { id: projectId } = await store.projects.ensure(defaultProjectName, nowMs);
      if (verb === undefined || name === undefined) {
        terminal.out(await listOf(store, projectId));
        return 0;
      }
      const has = (flag: Flag) => flags[flag] === true;
      return await verb.run({ store, projectId, terminal, nowMs, name, tokens, has, displayName });
    } finally {
      await store.close();
    }
  },
};

async function listOf(store: Store, projectId: number): Promise<string> {
  const topics = await store.topics.list(projectId);
  if (topics.length === 0) return "There is no topic yet: sineta topics add NAME makes one.\n";
  return tableOf([
    ["NAME", "POLICY", "REGISTRATIONS", "DISPLAY NAME"],
    ...topics.map(({ name, policy, liveCount, displayName }) => [
      name,
      policy,
      String(liveCount),
      ownDisplayName(name, displayName),
    ]),
  ]);
}

/** @throws CommandError `topic-missing` */
async function changeMembers(
  { store, projectId, terminal, nowMs, name, tokens }: Task,
  change: "join" | "leave",
): Promise<number> {
  const { id } = await demandTopic(store, projectId, name);
  const { registrations, unknown } = await changeTopic(
    store.topics,
    { projectId, id },
    change,
    tokens,
    { nowMs, pause },
  );
  if (registrations > 0) {
    const counted = { [change === "join" ? "joined" : "left"]: registrations };
    const line = { action: "topic.members-changed", name, change: counted };
    await store.audit.append(lineOf(projectId, line), nowMs);
    const who = registrations === 1 ? "The registration is" : `${registrations} registrations are`;
    terminal.out(`${who} ${change === "join" ? "in" : "not in"} the topic ${name}.\n`);
  }
  if (unknown.length === 0) return 0;
  const which = unknown.length === 1 ? "this token" : `these ${unknown.length} tokens`;
  terminal.err(
    `sineta: There is no registration with ${which}: check them; a browser that has left comes back under another one.\n` +
      unknown.map((token) => `${printable(token)}\n`).join(""),
  );
  return 1;
}

/** For the audit. */
function lineOf(
  projectId: number,
  { action, name, change }: Pick<AuditEntry, "action" | "change"> & { name: string },
): AuditEntry {
  return { ...commandLineAsker(), projectId, action, subject: name, change };
}

function demandName(name: string): void {
  if (topicNameSchema.safeParse(name).success) return;
  throw usage(
    `A topic cannot be called ${JSON.stringify(name)}: expected 1 to 64 of A-Z a-z 0-9 _ . ~ -, not . or ..`,
  );
}

function calledSentence(name: string, displayName: string): string {
  return `The console calls the topic ${name} ${JSON.stringify(printable(displayName))}.\n`;
}

function displayNameOf(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const read = topicEditSchema.shape.displayName.safeParse(text);
  if (read.success) return read.data;
  throw usage(`--display-name has to be ${textExpected(textRules.displayName)}`);
}

function policyOf(has: Task["has"]): TopicPolicy | undefined {
  if (has("open") && has("kept")) throw usage("Either --open or --kept, not both");
  if (has("kept")) return "kept";
  return has("open") ? "open" : undefined;
}

function usage(sentence: string): CommandError {
  return new CommandError("usage", `${sentence}: see sineta topics --help.`);
}
