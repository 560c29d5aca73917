import type { DeliveryBody } from "@sineta/protocol";

/** What a resume does to a message, in the order in which the page shows it. */
export const fates = ["cancel", "now", "later", "expire"] as const;

export type HeldMessage = DeliveryBody["messages"][number];

/** Which of the messages that a resume would cancel are sent instead. */
export type Choice = {
  /** Whether the operator sends all messages, also the ones beyond the list. */
  all: boolean;
  ids: ReadonlySet<string>;
};

export const noChoice: Choice = { all: false, ids: new Set() };

/** A choice, and the hold for which it was made. */
export type MadeChoice = { hold: DeliveryBody["hold"]; choice: Choice };

/** The choice, if it was made for the hold that is shown. */
export function choiceFor({ hold }: DeliveryBody, made: MadeChoice | null): Choice {
  const isSame = hold?.reason === made?.hold?.reason && hold?.since === made?.hold?.since;
  return made !== null && isSame ? made.choice : noChoice;
}

/** Whether a resume would cancel the message, but could send it. */
export function isOffered({ asOf }: DeliveryBody, { fate, expiresAt }: HeldMessage): boolean {
  return fate === "cancel" && Date.parse(expiresAt) > Date.parse(asOf);
}

/** The messages among which there is a choice. */
export function offeredIn(delivery: DeliveryBody): HeldMessage[] {
  return delivery.messages.filter((message) => isOffered(delivery, message));
}

/** How many messages a resume would cancel that are not in the list. */
export function unlistedIn({ counts, messages }: DeliveryBody): number {
  return counts.cancel - messages.filter(({ fate }) => fate === "cancel").length;
}

/** Whether all may be chosen at once. With one message in a whole list, its own choice is enough. */
export function isAllOffered(delivery: DeliveryBody): boolean {
  return offeredIn(delivery).length > 1 || unlistedIn(delivery) > 0;
}

export function isChosen({ all, ids }: Choice, id: string): boolean {
  return all || ids.has(id);
}

/** The choice with this message changed. */
export function withChanged(delivery: DeliveryBody, choice: Choice, id: string): Choice {
  const before = offeredIn(delivery).filter((message) => isChosen(choice, message.id));
  const ids = new Set(before.map((message) => message.id));
  if (!ids.delete(id)) ids.add(id);
  return { all: false, ids };
}

/** How many messages a resume with this choice cancels, sends now, sends later, and lets expire. */
export function outcomeOf(delivery: DeliveryBody, choice: Choice): DeliveryBody["counts"] {
  const { cancel, now, later, expire } = delivery.counts;
  const sent = offeredIn(delivery).filter(({ id }) => isChosen(choice, id)).length;
  if (!choice.all) return { cancel: cancel - sent, now: now + sent, later, expire };
  const expired = cancel - unlistedIn(delivery) - offeredIn(delivery).length;
  return { cancel: 0, now: now + cancel - expired, later, expire: expire + expired };
}

/** Body of the request that resumes: the hold and its list as they were shown. */
export function resumeBody(delivery: DeliveryBody, choice: Choice) {
  const { asOf, hold } = delivery;
  if (choice.all) return { asOf, hold, sendDue: true };
  const chosen = offeredIn(delivery).filter(({ id }) => isChosen(choice, id));
  return { asOf, hold, send: chosen.map(({ id }) => id) };
}
