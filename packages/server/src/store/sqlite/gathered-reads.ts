/**
 * Reads that come while the event loop goes round are asked for in one statement. Their answers leave together, too, which costs less than one
 * after the other.
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
