/**
 * Reads that come in one turn of the event loop become one statement. Their answers also leave the server together, which costs less than one at a
 * time.
 * @param ask gives the result of each, in their order
 */
export function gatherReads<Item, Result>(
  ask: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result | undefined> {
  let coming: { items: Item[]; asked: Promise<readonly Result[]> } | null = null;

  function begin(): NonNullable<typeof coming> {
    const items: Item[] = [];
    const asked = new Promise<void>((resolve) => {
      setImmediate(() => {
        coming = null;
        resolve();
      });
    }).then(() => ask(items));
    return { items, asked };
  }

  return async (item) => {
    const { items, asked } = (coming ??= begin());
    const place = items.push(item) - 1;
    return (await asked)[place];
  };
}
