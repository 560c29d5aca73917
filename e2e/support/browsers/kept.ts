/** What stays open from one test to the next, since its start costs more than all that a test does with it. */
export type Kept<Opened> = {
  take: () => Promise<Opened>;
  /** Resets it for the next test, or closes it. */
  giveBack: (opened: Opened) => Promise<void>;
  /** Closes all that were given back. */
  close: () => Promise<void>;
};

type Resettable = { reset: (() => Promise<void>) | null; close: () => Promise<void> };

export function keep<Opened extends Resettable>(open: () => Promise<Opened>): Kept<Opened> {
  const idle: Opened[] = [];
  return {
    take: async () => idle.pop() ?? open(),
    async giveBack(opened) {
      if (opened.reset === null) return opened.close();
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
