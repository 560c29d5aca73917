import { randomBytes } from "node:crypto";
import { createApiKeys, type ApiKeys } from "../api-keys/api-keys.ts";
import { CommandError } from "../command-error.ts";
import { openPresentDataFolder } from "../data-folder.ts";
import { defaultProjectName } from "../projects/project.ts";
import type { ApiKey } from "../store/port.ts";
import type { Command, Terminal } from "./command.ts";
import { tableOf, timeOf } from "./table.ts";

const nameCharacters = 100;

type Task = {
  apiKeys: ApiKeys;
  projectId: number;
  terminal: Terminal;
  /** The word behind the verb; empty if there is none. */
  operand: string;
  /** Whether to ask nothing. */
  yes: boolean;
};
type Verb = { operand: "optional" | "needed"; asks: boolean; run: (task: Task) => Promise<number> };

const verbs: Readonly<Record<string, Verb>> = {
  create: {
    operand: "optional",
    asks: false,
    async run({ apiKeys, projectId, terminal, operand: name }) {
      if (name.length > nameCharacters) {
        throw usage(`The name is too long: expected at most ${nameCharacters} characters`);
      }
      const { key, prefix } = await apiKeys.create(projectId, name);
      terminal.out(`${key}\n`);
      terminal.err(
        `Keep it secret: whoever has it can send to everybody. It is not shown again; sineta api-keys revoke ${prefix} ends it.\n`,
      );
      return 0;
    },
  },
  revoke: {
    operand: "needed",
    asks: true,
    async run({ apiKeys, projectId, terminal, operand: prefix, yes }) {
      const keys = await apiKeys.list(projectId);
      const key = keys.find((one) => one.prefix === prefix && one.revokedAtMs === null);
      if (key === undefined) throw unknownKey();
      if (!yes) {
        const answer = await terminal.ask(
          `Whatever sends with the key ${prefix} is refused from then on. Its prefix again, to revoke it: `,
        );
        if (answer === null) {
          throw usage(
            `Nobody answers, so the key ${prefix} stays: give its prefix again, or --yes`,
          );
        }
        if (answer.trim() !== prefix) {
          terminal.err(`The key ${prefix} stays.\n`);
          return 1;
        }
      }
      // Another process may have revoked it while the question stood.
      if (!(await apiKeys.revoke(projectId, prefix))) throw unknownKey();
      terminal.out(`The key ${prefix} is revoked.\n`);
      return 0;
    },
  },
};

export const apiKeysCommand: Command = {
  name: "api-keys",
  summary: "Lists the keys that other programs send with, makes and revokes them",
  usage: "sineta api-keys [create [NAME] | revoke PREFIX [--yes]]",
  help: `Without words: a list of the keys, revoked ones too, each with how it begins, its name, when it was made and when it was
last used (UTC, to the minute or so).
  create     makes a key and prints it alone, this once: what is stored of it is a hash. NAME is for you, to tell it by
  revoke     ends the key that begins so, at once and for ever; asks for its prefix again, unless --yes is there

A program sends it with its requests, as Authorization: Bearer sineta_...`,
  options: { yes: { type: "boolean" } },
  takesWords: true,
  run: async ({ flags, words, report, terminal }) => {
    const [verbName, operand = "", ...tooMany] = words;
    const verb = verbName === undefined ? undefined : verbOf(verbName);
    const yes = flags["yes"] === true;
    if (tooMany.length > 0) throw usage("There is a word too many");
    if (verb?.operand === "needed" && operand === "") {
      throw usage(`sineta api-keys ${verbName} needs the key's prefix`);
    }
    if (yes && verb?.asks !== true) throw usage("--yes does not belong there");

    const nowMs = Date.now();
    const store = await openPresentDataFolder(report.config.dataFolder, nowMs);
    try {
      const { id: projectId } = await store.projects.ensure(defaultProjectName, nowMs);
      const apiKeys = createApiKeys({ store: store.apiKeys, randomBytes, now: Date.now });
      if (verb !== undefined) return await verb.run({ apiKeys, projectId, terminal, operand, yes });
      terminal.out(apiKeyTable(await apiKeys.list(projectId)));
      return 0;
    } finally {
      await store.close();
    }
  },
};

/** A line for each key below a line of headings; a sentence if there are none. */
export function apiKeyTable(keys: readonly ApiKey[]): string {
  if (keys.length === 0) return "There is no API key yet: sineta api-keys create makes one.\n";
  return tableOf([
    ["PREFIX", "NAME", "MADE", "LAST USED", "REVOKED"],
    ...keys.map(({ prefix, name, createdAtMs, lastUsedAtMs, revokedAtMs }) => [
      prefix,
      name === "" ? "-" : name,
      moment(createdAtMs),
      moment(lastUsedAtMs),
      moment(revokedAtMs),
    ]),
  ]);
}

function moment(milliseconds: number | null): string {
  return milliseconds === null ? "-" : timeOf(milliseconds);
}

function verbOf(name: string): Verb {
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (verb === undefined) throw usage(`There is no sineta api-keys ${JSON.stringify(name)}`);
  return verb;
}

function unknownKey(): CommandError {
  return new CommandError(
    "api-key-unknown",
    "There is no API key with this prefix that is not revoked: sineta api-keys lists those there are.",
  );
}

function usage(sentence: string): CommandError {
  return new CommandError("usage", `${sentence}: see sineta api-keys --help.`);
}
