/** What stays open from one test to the next, because its start costs more than most tests. */
export type Kept<Opened> = {
  /** @param openOwn opens a browser for this test alone; without it, the test gets a kept browser */
  take: (openOwn?: () => Promise<Opened>) => Promise<Opened>;
  /** Resets a kept one for the next test, and closes any other. */
  giveBack: (opened: Opened) => Promise<void>;
  /** Closes all that were given back. */
  close: () => Promise<void>;
};

type Resettable = { reset: (() => Promise<void>) | null; close: () => Promise<void> };

export function keep<Opened extends Resettable>(open: () => Promise<Opened>): Kept<Opened> {
  const idle: Opened[] = [];
  const owned = new Set<Opened>();
  return {
    async take(openOwn) {
      if (openOwn === undefined) return idle.pop() ?? open();
      const opened = await openOwn();
      owned.add(opened);
      return opened;
    },
    async giveBack(opened) {
      if (owned.delete(opened) || opened.reset === null) return opened.close();
      try {
        await opened.reset();
      } catch (error) {
        await opened.close();
        throw error;
      }
      idle.push(opened);
    },
    close: async () => void (await Promise.all(idle.splice(0).map((opened) => opened.close()))),
  };
}
