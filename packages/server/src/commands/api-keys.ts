import { randomBytes } from "node:crypto";
import {
  apiKeyRequestSchema,
  scopeSchema,
  textExpected,
  textRules,
  type Scope,
} from "@sineta/protocol";
import { createApiKeys, type ApiKeys } from "../access/api-keys/api-keys.ts";
import { CommandError } from "../command-error.ts";
import { openPresentDataFolder } from "../data-folder.ts";
import { defaultProjectName } from "../projects/project.ts";
import type { ApiKey, Revocation } from "../store/port.ts";
import { commandLineAsker } from "./asker.ts";
import type { Command, Terminal } from "./command.ts";
import { namedIn } from "./named.ts";
import { tableOf, timeOf } from "./table.ts";

const dayMs = 24 * 60 * 60 * 1000;
const hourMs = 60 * 60 * 1000;
const defaultScopes: readonly Scope[] = ["send", "read"];
const defaultGraceHours = 24;

type Task = {
  apiKeys: ApiKeys;
  projectId: number;
  terminal: Terminal;
  /** The word behind the verb; empty if there is none. */
  operand: string;
  flags: Readonly<Record<string, unknown>>;
};
type Flag = "yes" | "cancel-messages" | "scopes" | "expires-days" | "grace-hours";
type Verb = {
  operand: "optional" | "needed";
  flags: readonly Flag[];
  run: (task: Task) => Promise<number>;
};

const verbs: Readonly<Record<string, Verb>> = {
  create: {
    operand: "optional",
    flags: ["scopes", "expires-days"],
    async run({ apiKeys, projectId, terminal, operand, flags }) {
      const name = readName(operand);
      const scopes = readScopes(flags["scopes"]);
      const days = readCount(flags, "expires-days", { least: 1, most: 3650 });
      const expiresAtMs = days === undefined ? null : Date.now() + days * dayMs;
      const made = await apiKeys.create(
        projectId,
        { name, scopes, expiresAtMs },
        commandLineAsker(),
      );
      terminal.out(`${made.key}\n`);
      terminal.err(
        `Keep it secret: whoever has it may ${powersOf(scopes)}. It is not shown again; sineta api-keys revoke ${made.prefix} ends it.\n`,
      );
      return 0;
    },
  },
  rotate: {
    operand: "needed",
    flags: ["grace-hours"],
    async run({ apiKeys, projectId, terminal, operand: prefix, flags }) {
      const hours =
        readCount(flags, "grace-hours", { least: 0, most: 24 * 90 }) ?? defaultGraceHours;
      const graceMs = hours * hourMs;
      const made = await apiKeys.rotate(projectId, prefix, { graceMs }, commandLineAsker());
      if (made === null) throw unknownKey();
      terminal.out(`${made.key}\n`);
      terminal.err(
        `It takes the place of ${prefix}, which is good for ${hours} ${hours === 1 ? "hour" : "hours"} more. Keep it secret: it is not shown again.\n`,
      );
      return 0;
    },
  },
  revoke: {
    operand: "needed",
    flags: ["yes", "cancel-messages"],
    async run({ apiKeys, projectId, terminal, operand: prefix, flags }) {
      const cancelMessages = flags["cancel-messages"] === true;
      const keys = await apiKeys.list(projectId);
      const key = keys.find((one) => one.prefix === prefix);
      if (key === undefined || (key.revokedAtMs !== null && !cancelMessages)) throw unknownKey();
      if (flags["yes"] !== true) {
        const also = cancelMessages ? ", and what it has published and is not sent yet ends" : "";
        const answer = await terminal.ask(
          `Whatever sends with the key ${prefix} is refused from then on${also}. Its prefix again, to revoke it: `,
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
      const asker = commandLineAsker();
      const revoked = await apiKeys.revoke(projectId, prefix, { cancelMessages }, asker);
      if (revoked === null) throw unknownKey();
      terminal.out(`The key ${prefix} is revoked.\n${openMessagesText(prefix, revoked)}`);
      return 0;
    },
  },
};

export const apiKeysCommand: Command = {
  name: "api-keys",
  summary: "Lists the keys that other programs send with, makes and revokes them",
  usage:
    "sineta api-keys [create [NAME] [--scopes LIST] [--expires-days N] | rotate PREFIX [--grace-hours N] | revoke PREFIX [--cancel-messages] [--yes]]",
  help: `Without words: a list of the keys, revoked ones too, each with how it begins, its name, its scopes, when it was made
and by whom, when it was last used (UTC, to the minute or so) and when it ends.
  create     makes a key and prints it alone, this once: what is stored of it is a hash. NAME is for you, to tell it by
  rotate     makes a key like the one that begins so, and prints it; the old one is good for 24 hours more, or --grace-hours
  revoke     ends the key that begins so, at once and for ever, and names the messages of it (and of keys that it took the
             place of) that are still to be sent; asks for its prefix again, unless --yes is there

  --cancel-messages
                  ends those messages in the same step, also of a key that is revoked already

  --scopes        what the key may do, separated by commas; send,read if nothing is said:
                    send    publish and cancel messages
                    read    see messages, topics and figures
                    manage  make and remove topics, put registrations into them and take them out,
                            end registrations, check pages, see quotas
  --expires-days  after so many days it opens nothing any more

A program sends it with its requests, as Authorization: Bearer sineta_...`,
  options: {
    yes: { type: "boolean" },
    "cancel-messages": { type: "boolean" },
    scopes: { type: "string" },
    "expires-days": { type: "string" },
    "grace-hours": { type: "string" },
  },
  takesWords: true,
  run: async ({ flags, words, report, terminal }) => {
    const [verbName, operand = "", ...tooMany] = words;
    const verb =
      verbName === undefined
        ? undefined
        : namedIn(verbs, verbName, { what: "sineta api-keys", command: "api-keys" });
    if (tooMany.length > 0) throw usage("There is a word too many");
    if (verb?.operand === "needed" && operand === "") {
      throw usage(`sineta api-keys ${verbName} needs the key's prefix`);
    }
    const allowed: readonly Flag[] = verb?.flags ?? [];
    const odd = (["yes", "cancel-messages", "scopes", "expires-days", "grace-hours"] as const).find(
      (flag) => flags[flag] !== undefined && !allowed.includes(flag),
    );
    if (odd !== undefined) throw usage(`--${odd} does not belong there`);

    const nowMs = Date.now();
    const store = await openPresentDataFolder(report.config.dataFolder, nowMs);
    try {
      const { id: projectId } = await store.projects.ensure(defaultProjectName, nowMs);
      const apiKeys = createApiKeys({ store: store.apiKeys, randomBytes, now: Date.now });
      if (verb !== undefined)
        return await verb.run({ apiKeys, projectId, terminal, operand, flags });
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
    ["PREFIX", "NAME", "SCOPES", "MADE", "MADE BY", "LAST USED", "EXPIRES", "REVOKED"],
    ...keys.map((key) => [
      key.prefix,
      key.name === "" ? "-" : key.name,
      key.scopes.join(","),
      moment(key.createdAtMs),
      makerText(key.createdBy),
      moment(key.lastUsedAtMs),
      moment(key.expiresAtMs),
      moment(key.revokedAtMs),
    ]),
  ]);
}

function makerText(createdBy: ApiKey["createdBy"]): string {
  if (createdBy === null) return "-";
  return createdBy.name ?? (createdBy.kind === "operator" ? "(gone)" : "command line");
}

/** What is still to be sent, or was to be; empty if there is nothing. */
function openMessagesText(prefix: string, { count, first, cancelled }: Revocation): string {
  if (count === 0) return "";
  const these = count === 1 ? "1 message of it" : `${count} messages of it`;
  const head = cancelled
    ? `${these} that had not ended ${count === 1 ? "is" : "are"} cancelled:`
    : `${these} will still be sent; sineta api-keys revoke ${prefix} --cancel-messages cancels ${count === 1 ? "it" : "them"}:`;
  const lines = tableOf(
    first.map(({ id, title, state, scheduledAtMs }) => [id, state, timeOf(scheduledAtMs), title]),
  );
  const more = count > first.length ? `and ${count - first.length} more\n` : "";
  return `${head}\n${lines}${more}`;
}

function readName(text: string): string {
  const { success, data } = apiKeyRequestSchema.shape.name.safeParse(text);
  if (success) return data;
  throw usage(`The name is not valid: expected ${textExpected(textRules.apiKeyName)}`);
}

function readScopes(text: unknown): readonly Scope[] {
  if (typeof text !== "string") return defaultScopes;
  return text.split(",").map((name) => {
    const { success, data } = scopeSchema.safeParse(name.trim());
    if (success) return data;
    throw usage(`There is no scope ${JSON.stringify(name)}: expected send, read or manage`);
  });
}

function readCount(
  flags: Task["flags"],
  flag: Flag,
  { least, most }: { least: number; most: number },
): number | undefined {
  const text = flags[flag];
  if (typeof text !== "string") return undefined;
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= least && count <= most) return count;
  throw usage(`--${flag} is ${JSON.stringify(text)}: expected a number from ${least} to ${most}`);
}

function powersOf(scopes: readonly Scope[]): string {
  const powers: Record<Scope, string> = {
    send: "send to everybody",
    read: "read what was sent",
    manage: "make and remove topics and change who is in them, end registrations, check pages",
  };
  return [...new Set(scopes)].map((scope) => powers[scope]).join(", ");
}

function moment(milliseconds: number | null): string {
  return milliseconds === null ? "-" : timeOf(milliseconds);
}

function unknownKey(): CommandError {
  return new CommandError(
    "api-key-unknown",
    "There is no API key with this prefix that is good: sineta api-keys lists those there are.",
  );
}

function usage(sentence: string): CommandError {
  return new CommandError("usage", `${sentence}: see sineta api-keys --help.`);
}
