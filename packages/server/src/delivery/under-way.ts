import type { DeliveryStore, HeldLease } from "../store/port.ts";
import type { PageEnds, Turn } from "./page.ts";

/** A page that is being sent: what may end it early. */
export type UnderWay = PageEnds & {
  readonly messageId: string;
  readonly lease: HeldLease;
  /** Shared with what goes on apart from it. */
  readonly left: Set<number>;
  /** Those that it is sent to, once they have been read. */
  turns: readonly Turn[];
};

export type PagesUnderWay = {
  add(page: UnderWay): void;
  delete(page: UnderWay): void;
  /** Ends the pages of messages that were cancelled. Resolves when no push of them is begun any more. */
  stopEnded(): Promise<void>;
  /** Resolves when no push to this registration is begun any more. */
  stopFor(registrationId: number): Promise<void>;
};

/** Takes back pushes that were not begun (delivery/threads). Resolves when it is certain that they never will be. */
export type Withdraw = (which: { messageId: string } | { token: string }) => Promise<void>;

export type UnderWayParts = {
  store: Pick<DeliveryStore, "isStopping" | "confirmStopped">;
  withdraw: Withdraw;
};

/** One mechanism for all that ends a page early from outside: a message that is cancelled, a browser that leaves. */
export function pagesUnderWay({ store, withdraw }: UnderWayParts): PagesUnderWay {
  const pages = new Set<UnderWay>();

  async function stopIfCancelled(messageId: string): Promise<void> {
    // Whatever the clock says of their leases.
    if (!(await store.isStopping(messageId, 0))) return;
    const cancelled = [...pages].filter((page) => page.messageId === messageId);
    for (const page of cancelled) {
      page.isCancelled = true;
      page.ending.abort();
    }
    await withdraw({ messageId });
    for (const { lease } of cancelled) await store.confirmStopped(lease);
  }

  return {
    add: (page) => pages.add(page),
    delete: (page) => pages.delete(page),
    async stopEnded() {
      const messageIds = new Set([...pages].map(({ messageId }) => messageId));
      await Promise.all([...messageIds].map(stopIfCancelled));
    },
    async stopFor(id) {
      for (const { left } of pages) left.add(id);
      const recipients = [...pages].flatMap(({ turns }) => turns.map(({ recipient }) => recipient));
      const token = recipients.find(({ registrationId }) => registrationId === id)?.token;
      if (token !== undefined) await withdraw({ token });
    },
  };
}
