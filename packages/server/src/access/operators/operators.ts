import type { Role } from "@sineta/protocol";
import type {
  Asker,
  Operator,
  OperatorStore,
  OperatorWithRole,
  OwnerKept,
} from "../../store/port.ts";
import { commonPasswords } from "./common-passwords.ts";
import { generatePassword } from "./generated-password.ts";
import { refusalOfPassword, type PasswordRefusal } from "./password-rules.ts";
import type { Passwords } from "./passwords.ts";

export type Operators = {
  /** The PHC string of a password that may be set for this address. */
  hashNew: (
    password: string,
    email: string,
  ) => Promise<{ passwordHash: string } | { kind: PasswordRefusal }>;
  /** Of a project, by e-mail address. */
  list(projectId: number): Promise<OperatorWithRole[]>;
  setRole(
    operatorId: number,
    role: { projectId: number; role: Role },
    asker: Asker,
  ): Promise<OwnerKept>;
  /** Takes the role in the project away. */
  leave(operatorId: number, projectId: number, asker: Asker): Promise<OwnerKept>;
  /** Whether it is this operator's password, typed in a session. */
  hasPassword(operatorId: number, password: string): Promise<boolean>;
  /** Ends all other sessions. */
  changePassword(
    operatorId: number,
    passwords: { current: string; new: string },
    keepSession: number,
    asker: Asker,
  ): Promise<"changed" | "password-wrong" | PasswordRefusal>;

  /** By e-mail address, of all projects. */
  listAll(): Promise<(Operator & { roles: { projectId: number; role: Role }[] })[]>;
  /** The generated password, shown this once; null if there is somebody with this address. */
  create(
    operator: { email: string; name: string },
    role: { projectId: number; role: Role },
    asker: Asker,
  ): Promise<string | null>;
  /** A new generated password; sessions, second factors and passkeys end. Null if there is nobody. */
  recover(email: string, asker: Asker): Promise<string | null>;
  remove(email: string, asker: Asker): Promise<OwnerKept>;
};

/** Who runs the projects, and what each may do there. */
export function createOperators({
  store,
  passwords,
  randomBytes,
  now,
}: {
  store: OperatorStore;
  passwords: Passwords;
  randomBytes: (count: number) => Uint8Array;
  now: () => number;
}): Operators {
  async function hashNew(password: string, email: string) {
    const refusal = refusalOfPassword(password, email, await commonPasswords());
    if (refusal !== null) return { kind: refusal };
    return { passwordHash: await passwords.hash(password) };
  }

  /** The e-mail address says more in the audit than an id. */
  async function emailOf(operatorId: number): Promise<string> {
    return (await store.findById(operatorId))?.email ?? String(operatorId);
  }

  return {
    hashNew,
    list: (projectId) => store.list(projectId),

    async setRole(operatorId, { projectId, role }, asker) {
      const before = (await store.rolesOf(operatorId)).find((own) => own.projectId === projectId);
      return store.setRole(
        operatorId,
        { projectId, role },
        {
          ...asker,
          projectId,
          action: "operator.role-changed",
          subject: await emailOf(operatorId),
          change: { role, before: before?.role ?? null },
        },
        now(),
      );
    },

    async leave(operatorId, projectId, asker) {
      const subject = await emailOf(operatorId);
      const audit = { ...asker, projectId, action: "operator.role-removed", subject, change: null };
      return store.removeRole(operatorId, projectId, audit, now());
    },

    async hasPassword(operatorId, password) {
      const operator = await store.findById(operatorId);
      const hash = operator?.passwordHash ?? null;
      return (await passwords.verify(password, hash)).fits;
    },

    async changePassword(operatorId, { current, new: wanted }, keepSession, asker) {
      const operator = await store.findById(operatorId);
      const hash = operator?.passwordHash ?? null;
      const { fits } = await passwords.verify(current, hash);
      if (operator === null || !fits) return "password-wrong";
      const hashed = await hashNew(wanted, operator.email);
      if ("kind" in hashed) return hashed.kind;
      const changed = await store.setPassword(
        operatorId,
        { from: operator.passwordHash, to: hashed.passwordHash },
        keepSession,
        entryOf(operator.email, "operator.password-changed", asker),
        now(),
      );
      // Somebody was quicker: what was typed is not the password any more.
      return changed ? "changed" : "password-wrong";
    },

    async listAll() {
      const operators = await store.listAll();
      return Promise.all(
        operators.map(async (operator) =>
          Object.assign(operator, { roles: await store.rolesOf(operator.id) }),
        ),
      );
    },

    async create({ email, name }, { projectId, role }, asker) {
      const password = generatePassword(randomBytes);
      const passwordHash = await passwords.hash(password);
      const audit = {
        ...asker,
        projectId,
        action: "operator.created",
        subject: email,
        change: { name, role },
      };
      const id = await store.add({ email, name, passwordHash }, { projectId, role }, audit, now());
      return id === null ? null : password;
    },

    async recover(email, asker) {
      const operator = await store.findByEmail(email);
      if (operator === null) return null;
      const password = generatePassword(randomBytes);
      const passwordHash = await passwords.hash(password);
      const audit = entryOf(email, "operator.recovered", asker);
      return (await store.recover(operator.id, passwordHash, audit, now())) ? password : null;
    },

    async remove(email, asker) {
      const operator = await store.findByEmail(email);
      if (operator === null) return "not-found";
      return store.remove(operator.id, entryOf(email, "operator.removed", asker), now());
    },
  };
}

/** A line about an operator as such, of no project. */
function entryOf(email: string, action: string, asker: Asker) {
  return { ...asker, projectId: null, action, subject: email, change: null };
}
