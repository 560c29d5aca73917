/** What the cases of the store's contract stand on. */
import { createHash, randomBytes } from "node:crypto";
import { onTestFinished } from "vitest";
import type {
  AuditEntry,
  DecideRegistration,
  Membership,
  NewMessage,
  PushOriginKey,
  RegistrationCandidate,
  RegistrationResult,
  Store,
} from "../port.ts";
import { gone, mustLease, planMessage, writePage } from "./delivering.ts";
import { newMessage } from "./new-message.ts";

export type TestDatabase = {
  /** Opens the store; every call gives another connection to the same database. */
  open(): Promise<Store>;
  remove(): Promise<void>;
  /** As if something had been accepted there long ago. Needed by whoever calls the bench's `prove`. */
  prove?(at: PushOriginKey): Promise<void>;
};

/** An open store with one project and one key. */
export type ContractBench = {
  store: Store;
  projectId: number;
  vapidKeyId: number;
  /** Closes the store and opens the database again. */
  reopen: () => Promise<void>;
  /** Opens the database once more, as another process would. Closed at the end of the case. */
  openAnother: () => Promise<Store>;
  candidate: (over?: Partial<RegistrationCandidate>) => RegistrationCandidate;
  message: (over?: Partial<NewMessage>) => NewMessage;
  /** Registers a new browser; gives its token. */
  add: (over?: Partial<RegistrationCandidate>) => Promise<string>;
  /** Lets these push origins have accepted something long ago, under the project's key. */
  prove: (...pushOrigins: string[]) => Promise<void>;
  /** One more VAPID key; gives its id. */
  addVapidKey: (publicKey: string) => Promise<number>;
  /** Gives the registration to a user. */
  bindUser: (id: number, userId: string | null) => Promise<void>;
};

/** A line of the audit that no case is about. */
export const testEntry: AuditEntry = {
  actor: { kind: "server", name: "" },
  address: null,
  projectId: null,
  action: "test.done",
  subject: "",
  change: null,
};

export const asNew: DecideRegistration = () => ({ kind: "new" });

export async function setUp(database: TestDatabase): Promise<ContractBench> {
  const store = await database.open();
  const { id: projectId } = await store.projects.ensure("default", 1);
  await store.projects.addFirstVapidKey(
    projectId,
    { publicKey: "key-1", sealedPrivateKey: Buffer.from("sealed") },
    1,
  );
  const vapidKeyId = (await store.projects.vapidKeys(projectId))[0]?.id ?? 0;
  const bench: ContractBench = {
    store,
    projectId,
    vapidKeyId,
    async reopen() {
      await bench.store.close();
      bench.store = await database.open();
    },
    async openAnother() {
      const another = await database.open();
      onTestFinished(() => another.close());
      return another;
    },
    candidate(over = {}) {
      const endpoint = over.endpoint ?? `https://push.example/${randomToken()}`;
      return {
        projectId,
        endpoint,
        endpointHash: createHash("sha256").update(endpoint).digest(),
        p256dh: "p256dh",
        auth: "auth",
        vapidKeyId,
        pushOrigin: "https://push.example",
        origin: "https://site.example",
        locale: "pt-BR",
        timeZone: "America/Sao_Paulo",
        browser: "chrome",
        system: "linux",
        clientSecretHash: Buffer.alloc(32, 7),
        earlierToken: null,
        loss: null,
        newToken: randomToken(),
        ...over,
      };
    },
    message: (over) => newMessage(projectId, { ttlSeconds: 60, scheduledAtMs: 1_000, ...over }),
    async add(over) {
      return tokenOf(await bench.store.registrations.register(bench.candidate(over), asNew, 1));
    },
    async prove(...pushOrigins) {
      if (database.prove === undefined) throw new Error("this database cannot prove push origins");
      for (const pushOrigin of pushOrigins) await database.prove({ pushOrigin, vapidKeyId });
    },
    async addVapidKey(publicKey) {
      const { projects } = bench.store;
      // Of a project of its own: the first is the only one that can be added yet.
      const { id } = await projects.ensure(publicKey, 1);
      await projects.addFirstVapidKey(
        id,
        { publicKey, sealedPrivateKey: Buffer.from("sealed") },
        1,
      );
      return (await projects.vapidKeys(id))[0]?.id ?? 0;
    },
    async bindUser(id, userId) {
      const decide = () => ({ kind: "change" as const, userId, joins: [], leaves: [] });
      await bench.store.registrations.changeMembership(id, { topicNames: [], decide }, 1);
    },
  };
  return bench;
}

/** Ends a registration the only way there is: a push to it is answered with "gone". */
export async function endAsGone(
  bench: ContractBench,
  message: NewMessage,
  registrationId: number,
  generation: number,
): Promise<void> {
  const { id, scheduledAtMs } = await planMessage(bench, message);
  const batch = await mustLease(bench.store, scheduledAtMs, { messageId: id });
  await writePage(
    bench.store,
    batch,
    { walked: [gone(registrationId, generation)] },
    scheduledAtMs,
  );
}

/** What a registration that has not left belongs to, as the rules get to see it. */
export async function findMembership({ registrations }: Store, id: number): Promise<Membership> {
  let found: Membership | undefined;
  const decide = ({ current }: { current: Membership }) => {
    found = current;
    return { kind: "change" as const, userId: current.userId, joins: [], leaves: [] };
  };
  await registrations.changeMembership(id, { topicNames: [], decide }, 1);
  if (found === undefined) throw new Error("there is no such registration");
  return found;
}

export function tokenOf(result: RegistrationResult): string {
  if (result.kind === "refused") throw new Error("the registration was refused");
  return result.token;
}

export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}
