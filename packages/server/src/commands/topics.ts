import { setTimeout as delay } from "node:timers/promises";
import { topicNameSchema, type TopicPolicy } from "@sineta/protocol";
import { CommandError } from "../command-error.ts";
import { openPresentDataFolder } from "../data-folder.ts";
import { defaultProjectName } from "../projects/project.ts";
import type { MembershipRequest, Store } from "../store/port.ts";
import { demandTopic } from "../topics/demand-topic.ts";
import { removeTopic } from "../topics/remove-topic.ts";
import { joinAsOperator, leaveTopic } from "../topics/rules.ts";
import type { Command, Terminal } from "./command.ts";
import { tableOf } from "./table.ts";

/** Between portions of a removal. */
const pauseMs = 20;

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
  /** The word behind the name, where there is one. */
  token: string;
  has: (flag: Flag) => boolean;
};
type Flag = "open" | "kept" | "yes";
type Verb = { takesToken?: true; flags: readonly Flag[]; run: (task: Task) => Promise<number> };

const verbs: Readonly<Record<string, Verb>> = {
  add: {
    flags: ["open", "kept"],
    async run({ store, projectId, terminal, nowMs, name, has }) {
      demandName(name);
      const policy = policyOf(has) ?? "open";
      if (!(await store.topics.add(projectId, { name, policy }, nowMs))) {
        throw new CommandError(
          "topic-exists",
          `There is a topic ${name} already: choose another name, or change it with sineta topics set.`,
        );
      }
      terminal.out(`The topic ${name} is ${policy}: ${policies[policy]}.\n`);
      return 0;
    },
  },
  set: {
    flags: ["open", "kept"],
    async run({ store, projectId, terminal, name, has }) {
      const policy = policyOf(has);
      if (policy === undefined) throw usage("sineta topics set needs --open or --kept");
      const changed = await store.topics.setPolicy(projectId, name, policy);
      if (!changed) await demandTopic(store, projectId, name);
      terminal.out(
        `The topic ${name} is ${policy} now: ${policies[policy]}. Who is in it stays.\n`,
      );
      return 0;
    },
  },
  remove: {
    flags: ["yes"],
    async run({ store, projectId, terminal, name, has }) {
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
      await removeTopic(store.topics, topic, () => delay(pauseMs));
      terminal.out(`The topic ${name} is removed.\n`);
      return 0;
    },
  },
  join: {
    takesToken: true,
    flags: [],
    async run(task) {
      await changeMembership(task, joinAsOperator(task.name));
      task.terminal.out(`The registration is in the topic ${task.name}.\n`);
      return 0;
    },
  },
  leave: {
    takesToken: true,
    flags: [],
    async run(task) {
      await changeMembership(task, leaveTopic(task.name));
      task.terminal.out(`The registration is not in the topic ${task.name}.\n`);
      return 0;
    },
  },
};

export const topicsCommand: Command = {
  name: "topics",
  summary: "Lists the topics, makes, changes and removes them, and puts registrations into them",
  usage:
    "sineta topics [add NAME [--kept] | set NAME --open|--kept | remove NAME [--yes] | join NAME TOKEN | leave NAME TOKEN]",
  help: `Without words: a list of the topics, each with its policy and how many live registrations are in it.
  add        makes a topic; any visitor may join it, or with --kept the site's backend alone (by user tokens) and you
  set        changes who may join; who is in it stays
  remove     removes the topic and all who are in it; asks for its name again, unless --yes is there
  join       puts the registration of this token into the topic, a kept one too
  leave      takes it out again

A name has 1 to 64 of A-Z a-z 0-9 _ . ~ -. A name or a token that begins with - goes behind --, at the end:
sineta topics join bread -- -x4Lk...`,
  options: {
    open: { type: "boolean" },
    kept: { type: "boolean" },
    yes: { type: "boolean" },
  },
  takesWords: true,
  run: async ({ flags, words, report, terminal }) => {
    const [verbName, name = "", token = "", ...tooMany] = words;
    const verb = verbName === undefined ? undefined : verbOf(verbName);
    const operands = verb === undefined ? 0 : verb.takesToken === true ? 2 : 1;
    if (tooMany.length > 0 || words.length > 1 + operands) throw usage("There is a word too many");
    if (verb !== undefined && words.length < 1 + operands) {
      const missing = name === "" ? "the topic's name" : "the registration's token";
      throw usage(`sineta topics ${verbName} needs ${missing}`);
    }
    const allowed: readonly string[] = verb?.flags ?? [];
    const odd = ["open", "kept", "yes"].find(
      (flag) => flags[flag] === true && !allowed.includes(flag),
    );
    if (odd !== undefined) throw usage(`--${odd} does not belong there`);

    const nowMs = Date.now();
    const store = await openPresentDataFolder(report.config.dataFolder, nowMs);
    try {
      const { id: projectId } = await store.projects.ensure(defaultProjectName, nowMs);
      if (verb === undefined) {
        terminal.out(await listOf(store, projectId));
        return 0;
      }
      const has = (flag: Flag) => flags[flag] === true;
      return await verb.run({ store, projectId, terminal, nowMs, name, token, has });
    } finally {
      await store.close();
    }
  },
};

function verbOf(name: string): Verb {
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (verb === undefined) throw usage(`There is no sineta topics ${JSON.stringify(name)}`);
  return verb;
}

async function listOf(store: Store, projectId: number): Promise<string> {
  const topics = await store.topics.list(projectId);
  if (topics.length === 0) return "There is no topic yet: sineta topics add NAME makes one.\n";
  return tableOf([
    ["NAME", "POLICY", "REGISTRATIONS"],
    ...topics.map(({ name, policy, liveCount }) => [name, policy, String(liveCount)]),
  ]);
}

/** @throws CommandError `token-unknown`, `topic-missing` */
async function changeMembership(
  { store, projectId, nowMs, name, token }: Task,
  membership: MembershipRequest,
): Promise<void> {
  await demandTopic(store, projectId, name);
  const registration = await store.registrations.find(projectId, token);
  const result =
    registration === null
      ? { kind: "left" }
      : await store.registrations.changeMembership(registration.id, membership, nowMs);
  if (result.kind === "changed") return;
  // Another process may have removed the topic meanwhile.
  if (result.kind === "refused") await demandTopic(store, projectId, name);
  throw new CommandError(
    "token-unknown",
    "There is no registration with this token: check the token; a browser that has left comes back under another one.",
  );
}

function demandName(name: string): void {
  if (topicNameSchema.safeParse(name).success) return;
  throw usage(
    `A topic cannot be called ${JSON.stringify(name)}: expected 1 to 64 of A-Z a-z 0-9 _ . ~ -, not . or ..`,
  );
}

function policyOf(has: Task["has"]): TopicPolicy | undefined {
  if (has("open") && has("kept")) throw usage("Either --open or --kept, not both");
  if (has("kept")) return "kept";
  return has("open") ? "open" : undefined;
}

function usage(sentence: string): CommandError {
  return new CommandError("usage", `${sentence}: see sineta topics --help.`);
}
