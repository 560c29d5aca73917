/** Registrations with a user and topics, and who a message would find among them. */
import type {
  MembershipDecision,
  MembershipRequest,
  Message,
  MessageTarget,
  Recipient,
  Topic,
} from "../port.ts";
import { asNew, tokenOf, type ContractBench } from "./bench.ts";
import { leaseNext, leaseOf, planMessage } from "./delivering.ts";

type Change = Partial<Extract<MembershipDecision, { kind: "change" }>>;

/** Binds to this user, and joins and leaves these topics. */
export function change(over: Change): MembershipRequest {
  return {
    topicNames: [],
    decide: ({ current }) => ({
      kind: "change",
      userId: current.userId,
      joins: [],
      leaves: [],
      ...over,
    }),
  };
}

export async function addTopic(
  { store, projectId }: ContractBench,
  name: string,
  policy: Topic["policy"] = "open",
): Promise<Topic> {
  await store.topics.add(projectId, { name, policy }, 1);
  const topic = await store.topics.find(projectId, name);
  if (topic === null) throw new Error("the topic is not there");
  return topic;
}

/** A new registration with this membership; gives its id. */
export async function addMember(
  bench: ContractBench,
  over: Change,
  candidate: Parameters<ContractBench["candidate"]>[0] = {},
): Promise<number> {
  const registered = await bench.store.registrations.register(
    bench.candidate(candidate),
    asNew,
    1,
    change(over),
  );
  return idOf(bench, tokenOf(registered), candidate.projectId);
}

export async function idOf(
  { store, projectId }: ContractBench,
  token: string,
  ofProject = projectId,
): Promise<number> {
  return (await store.registrations.find(ofProject, token))?.id ?? 0;
}

/** Who gets a message to this target, all of the same destination: published, planned, leased and read. */
export async function recipientsOf(
  bench: ContractBench,
  target: MessageTarget,
): Promise<Recipient[]> {
  return readOn(bench, await planMessage(bench, { target }));
}

export async function idsOf(bench: ContractBench, target: MessageTarget): Promise<number[]> {
  return (await recipientsOf(bench, target)).map(({ registrationId }) => registrationId);
}

/** The next page of a message that is planned; nobody, if it has no batch. */
export async function readOn(
  { store }: ContractBench,
  message: Message,
  limit = 100,
): Promise<Recipient[]> {
  const batch = await leaseNext(store, message.scheduledAtMs, { messageId: message.id });
  if (batch === null) return [];
  const page = await store.delivery.batchPage(batch, message, limit);
  await store.delivery.release(leaseOf(batch));
  return page;
}
