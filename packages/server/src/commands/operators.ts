import { randomBytes } from "node:crypto";
import {
  emailSchema,
  operatorNameSchema,
  roleSchema,
  textExpected,
  textRules,
  type Role,
} from "@sineta/protocol";
import {
  createInvitations,
  invitationLink,
  type Invitations,
} from "../access/operators/invitations.ts";
import { createOperators, type Operators } from "../access/operators/operators.ts";
import { createPasswordTurns } from "../access/operators/password-turns.ts";
import { createPasswords } from "../access/operators/passwords.ts";
import { createApiKeys, type ApiKeys } from "../access/api-keys/api-keys.ts";
import { CommandError } from "../command-error.ts";
import type { Config } from "../config.ts";
import { openPresentDataFolder } from "../data-folder.ts";
import { localUrl } from "../projects/origins.ts";
import { defaultProjectName } from "../projects/project.ts";
import { commandLineAsker } from "./asker.ts";
import type { Command, Terminal } from "./command.ts";
import { namedIn } from "./named.ts";
import { tableOf, timeOf } from "./table.ts";

type Flag = "yes" | "name" | "role";
type Task = {
  operators: Operators;
  invitations: Invitations;
  apiKeys: ApiKeys;
  projectId: number;
  config: Config;
  terminal: Terminal;
  /** The word behind the verb; empty if there is none. */
  operand: string;
  flags: Readonly<Record<string, unknown>>;
};
type Verb = {
  operand: "optional" | "needed";
  flags: readonly Flag[];
  run: (task: Task) => Promise<number>;
};

const verbs: Readonly<Record<string, Verb>> = {
  create: {
    operand: "needed",
    flags: ["name", "role"],
    async run({ operators, projectId, terminal, operand, flags }) {
      const email = readEmail(operand);
      const name = readName(flags["name"]) ?? email;
      const role = readRole(flags["role"]) ?? "owner";
      await demandOwnerFirst(operators, role);
      const asker = commandLineAsker();
      const password = await operators.create({ email, name }, { projectId, role }, asker);
      if (password === null) {
        throw new CommandError(
          "operator-exists",
          `There is an operator ${email} already: sineta operators recover gives a new password.`,
        );
      }
      terminal.out(`${password}\n`);
      terminal.err(
        `${email} logs in with it, as ${role}, and should change it then. It is not shown again.\n`,
      );
      return 0;
    },
  },
  invite: {
    operand: "optional",
    flags: ["role"],
    async run({ operators, invitations, projectId, config, terminal, operand, flags }) {
      const email = operand === "" ? null : readEmail(operand);
      const role = readRole(flags["role"]) ?? "viewer";
      await demandOwnerFirst(operators, role);
      const base = consoleUrl(config);
      const made = await invitations.invite({ projectId, role, email }, null, commandLineAsker());
      terminal.out(`${invitationLink(base, made.token)}\n`);
      terminal.err(
        `It makes ${email ?? "whoever opens it first"} an operator, as ${role}, once, until ${timeOf(made.expiresAtMs)}. It is not shown again.\n`,
      );
      return 0;
    },
  },
  recover: {
    operand: "needed",
    flags: ["yes"],
    async run({ operators, terminal, operand, flags }) {
      const email = readEmail(operand);
      await demandOperator(operators, email);
      const isSure = await confirmed(terminal, flags, email, {
        question: `The password, all sessions, second factors and passkeys of ${email} end.`,
        refusal: `${email} stays as it is`,
      });
      if (!isSure) return 1;
      const password = await operators.recover(email, commandLineAsker());
      // Another process may have removed it while the question stood.
      if (password === null) throw missing(email);
      terminal.out(`${password}\n`);
      terminal.err(
        `${email} logs in with it, and should change it then. It is not shown again.\n` +
          "Where log-in says that there were too many attempts: start the server again, or wait a quarter of an hour.\n",
      );
      return 0;
    },
  },
  remove: {
    operand: "needed",
    flags: ["yes"],
    async run({ operators, apiKeys, terminal, operand, flags }) {
      const email = readEmail(operand);
      const { id } = await demandOperator(operators, email);
      const isSure = await confirmed(terminal, flags, email, {
        question: `${email} loses every role and is logged out everywhere; what the audit tells stays.`,
        refusal: `The operator ${email} stays`,
      });
      if (!isSure) return 1;
      const result = await operators.remove(email, commandLineAsker());
      if (result === "not-found") throw missing(email);
      if (result === "last-owner") {
        throw new CommandError(
          "only-owner",
          `The operator ${email} stays, because a project has no other owner: make one first, with sineta operators create.`,
        );
      }
      terminal.out(`The operator ${email} is removed.\n`);
      const keys = await apiKeys.madeBy(id, null);
      if (keys.length > 0) {
        terminal.out(
          `API keys that ${email} has made go on: sineta api-keys revoke ends those that nobody else is to have.\n` +
            tableOf(keys.map(({ prefix, name, scopes }) => [prefix, scopes.join(","), name])),
        );
      }
      return 0;
    },
  },
};

export const operatorsCommand: Command = {
  name: "operators",
  summary: "Lists the people who use the console, makes, invites, recovers and removes them",
  usage:
    "sineta operators [create EMAIL [--name NAME] [--role ROLE] | invite [EMAIL] [--role ROLE] | recover EMAIL [--yes] | remove EMAIL [--yes]]",
  help: `Without words: a list of the operators, each with name, role, when it was made and when it last logged in (UTC).
  create     makes an operator and prints a password alone, this once; an owner, unless --role is there
  invite     prints a link that makes somebody an operator, once and within 7 days: whoever opens it, or the one with this
             address alone; a viewer, unless --role is there
  recover    for who has lost password or second factor: prints a new password; all sessions, second factors and passkeys end;
             asks for the address again, unless --yes is there
  remove     removes the operator with all sessions; asks in the same way, and names the API keys that
             the operator has made, which go on. A project keeps its last owner

  --role     owner    does everything, and decides who may do what
             editor   also publishes and cancels messages
             viewer   sees everything but the operators, keys and the audit

All of it works beside a running server, and leaves a line in the audit.`,
  options: {
    yes: { type: "boolean" },
    name: { type: "string" },
    role: { type: "string" },
  },
  takesWords: true,
  run: async ({ flags, words, report, terminal }) => {
    const [verbName, operand = "", ...tooMany] = words;
    const verb =
      verbName === undefined
        ? undefined
        : namedIn(verbs, verbName, { what: "sineta operators", command: "operators" });
    if (tooMany.length > 0) throw usage("There is a word too many");
    if (verb?.operand === "needed" && operand === "") {
      throw usage(`sineta operators ${verbName} needs the e-mail address`);
    }
    const allowed: readonly Flag[] = verb?.flags ?? [];
    const odd = (["yes", "name", "role"] as const).find(
      (flag) => flags[flag] !== undefined && !allowed.includes(flag),
    );
    if (odd !== undefined) throw usage(`--${odd} does not belong there`);

    const { config } = report;
    const now = Date.now;
    const store = await openPresentDataFolder(config.dataFolder, now());
    try {
      const { id: projectId } = await store.projects.ensure(defaultProjectName, now());
      const passwords = createPasswords({ randomBytes });
      const operators = createOperators({ store: store.operators, passwords, randomBytes, now });
      if (verb === undefined) {
        terminal.out(await tableOfOperators(operators, projectId));
        return 0;
      }
      const invitations = createInvitations({
        store: store.operators,
        hashNew: operators.hashNew,
        turns: createPasswordTurns(),
        randomBytes,
        now,
      });
      return await verb.run({
        operators,
        invitations,
        apiKeys: createApiKeys({ store: store.apiKeys, randomBytes, now }),
        projectId,
        config,
        terminal,
        operand,
        flags,
      });
    } finally {
      await store.close();
    }
  },
};

/** A line for each operator below a line of headings; a sentence if there are none. */
async function tableOfOperators(operators: Operators, projectId: number): Promise<string> {
  const all = await operators.listAll();
  if (all.length === 0) {
    return "There is no operator yet: sineta serve prints a link for the first, sineta operators create makes one.\n";
  }
  return tableOf([
    ["E-MAIL", "NAME", "ROLE", "MADE", "LAST LOG-IN"],
    ...all.map(({ email, name, roles, createdAtMs, lastLoginAtMs }) => [
      email,
      name,
      roles.find((own) => own.projectId === projectId)?.role ?? "-",
      timeOf(createdAtMs),
      lastLoginAtMs === null ? "-" : timeOf(lastLoginAtMs),
    ]),
  ]);
}

/** Asks for the address again, unless --yes is there. @throws CommandError `usage`, if nobody answers */
async function confirmed(
  terminal: Terminal,
  flags: Task["flags"],
  email: string,
  { question, refusal }: { question: string; refusal: string },
): Promise<boolean> {
  if (flags["yes"] === true) return true;
  const answer = await terminal.ask(`${question} The address again, to go on: `);
  if (answer === null) {
    throw usage(`Nobody answers, so nothing is changed: give the address again, or --yes`);
  }
  if (answer.trim().toLowerCase() === email) return true;
  terminal.err(`${refusal}.\n`);
  return false;
}

/** Else nobody could make the next one. */
async function demandOwnerFirst(operators: Operators, role: Role): Promise<void> {
  if (role !== "owner" && (await operators.listAll()).length === 0) {
    throw usage("The first operator has to be an owner: expected --role owner");
  }
}

async function demandOperator(operators: Operators, email: string): Promise<{ id: number }> {
  const operator = (await operators.listAll()).find((one) => one.email === email);
  if (operator === undefined) throw missing(email);
  return operator;
}

/** What links to the console begin with: the server may run elsewhere, so it is what the settings say. */
function consoleUrl(config: Config): string {
  if (config.publicUrl !== null) return config.publicUrl.href;
  if (config.port !== 0) return localUrl(config, config.port);
  throw usage("The link needs the server's address: set SINETA_PUBLIC_URL, or give its --port");
}

function readEmail(text: string): string {
  const { success, data } = emailSchema.safeParse(text);
  if (success) return data;
  throw usage(`${JSON.stringify(text)} is not an e-mail address`);
}

function readName(text: unknown): string | undefined {
  if (text === undefined) return undefined;
  const { success, data } = operatorNameSchema.safeParse(text);
  if (success) return data;
  throw usage(`The name is not valid: expected ${textExpected(textRules.operatorName)}`);
}

function readRole(text: unknown): Role | undefined {
  if (text === undefined) return undefined;
  const { success, data } = roleSchema.safeParse(text);
  if (success) return data;
  throw usage(`There is no role ${JSON.stringify(text)}: expected owner, editor or viewer`);
}

function missing(email: string): CommandError {
  return new CommandError(
    "operator-missing",
    `There is no operator ${email}: sineta operators lists those there are.`,
  );
}

function usage(sentence: string): CommandError {
  return new CommandError("usage", `${sentence}: see sineta operators --help.`);
}
