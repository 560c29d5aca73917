export type Inbox<Item> = {
  readonly put: (item: Item) => void;
  /** The oldest that was not given before: at once if it is there, else as soon as it comes. */
  readonly next: () => Promise<Item>;
};

export function createInbox<Item>(): Inbox<Item> {
  const items: Item[] = [];
  let wake = (): void => {};
  return {
    put: (item) => {
      items.push(item);
      wake();
    },
    next: async () => {
      for (;;) {
        const item = items.shift();
        if (item !== undefined) return item;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
