/** Browsers that come back elsewhere while messages are being sent, and what is sent to them then. */
import { expect } from "vitest";
import type { Batch, Recipient, RegistrationCandidate } from "../port.ts";
import type { ContractBench } from "./bench.ts";
import { accepted, findMessage, leaseAll, refused, writePage } from "./delivering.ts";

export function movingOn(bench: () => ContractBench) {
  /** The browser comes back with another subscription, or (`refresh`) with the same. */
  async function move(
    id: number,
    over: Partial<RegistrationCandidate>,
    kind: "renew" | "refresh" = "renew",
  ) {
    const { store, candidate } = bench();
    await store.registrations.register(candidate(over), () => ({ kind, id }), 2_000);
  }

  async function idsOf(batch: Batch) {
    const message = await findMessage(bench(), batch.messageId);
    const page = await bench().store.delivery.batchPage(batch, message, 100);
    return page.map(({ registrationId }) => registrationId);
  }
  async function dueOf(batch: Batch, nowMs: number) {
    const message = await findMessage(bench(), batch.messageId);
    return bench().store.delivery.dueRetries(batch, message, nowMs, 100);
  }
  /** Planned registrations, and the counts that are not 0, at each push service. */
  async function progressOf(id: string) {
    const progress = await bench().store.messages.progress(id);
    const message = await findMessage(bench(), id);
    expect(progress.reduce((sum, { planned }) => sum + planned, 0)).toBe(message.plannedCount);
    return Object.fromEntries(
      progress.map(({ pushService, planned, counts }) => [
        pushService,
        { planned, ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count)) },
      ]),
    );
  }

  /** Works until nothing is ready: all that is sent to is accepted. Gives what was sent to, and where, in any order. */
  async function deliverAll(nowMs: number) {
    const { store } = bench();
    const sent: string[] = [];
    for await (const batch of leaseAll(store, nowMs)) {
      const message = await findMessage(bench(), batch.messageId);
      const page = await store.delivery.batchPage(batch, message, 100);
      const due = await store.delivery.dueRetries(batch, message, nowMs, 100);
      const recipients = [...page, ...due.flatMap(({ recipient }) => recipient ?? [])];
      sent.push(...recipients.map((each) => `${each.registrationId} at ${each.pushOrigin}`));
      const walked = page.map(acceptedBy);
      const retried = due.map(({ registrationId, attempts, recipient }) => ({
        attempts,
        delivered:
          recipient === null
            ? refused(registrationId, "failed", "not-in-audience")
            : acceptedBy(recipient),
      }));
      await writePage(store, batch, { walked, retried }, nowMs);
    }
    return sent.toSorted();
  }

  return { move, idsOf, dueOf, progressOf, deliverAll };
}

/** What came of a push to it, that was accepted there. */
export function acceptedBy({
  registrationId,
  generation,
  pushOrigin,
}: Pick<Recipient, "registrationId" | "generation" | "pushOrigin">) {
  return { ...accepted(registrationId, generation), pushOrigin };
}
