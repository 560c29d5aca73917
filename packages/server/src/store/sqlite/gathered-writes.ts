import { isStorageFull } from "../storage-full.ts";
import type { Connection } from "./connection.ts";
import type { GroupedWrite } from "./grouped-writes.ts";

type List<Item, Result> = {
  items: Item[];
  kept: Promise<readonly Result[]>;
  /** Whether `keep` failed, and not for want of room on the disk: then it may be because of one of them. */
  isRefused: boolean;
};

export type GatheredWrite<Item, Result> = {
  readonly write: (item: Item) => Promise<Result>;
  /** What comes from now on is written after whatever else is written next. */
  readonly closeList: () => void;
};

/**
 * Those that come while the event loop goes round are written together, so that what is asked and counted for each is asked and counted once. If
 * one of them cannot be written, each is written again by itself, so that none fails for another's sake.
 * @param keep writes them in a transaction, all or none, and gives the result of each in their order. It may be called again after it was undone
 */
export function gatherWrites<Item, Result extends {}>(
  grouped: GroupedWrite,
  keep: (transaction: Connection, items: readonly Item[]) => Promise<readonly Result[]>,
  mostTogether = 500,
): GatheredWrite<Item, Result> {
  let coming: List<Item, Result> | null = null;

  function begin(): List<Item, Result> {
    const close = () => {
      if (coming === list) coming = null;
    };
    const items: Item[] = [];
    const kept = grouped(
      async (transaction) => {
        close();
        list.isRefused = false;
        try {
          return await keep(transaction, items);
        } catch (error) {
          list.isRefused = !isStorageFull(error);
          throw error;
        }
      },
      () => items.length,
    );
    const list = { items, kept, isRefused: false };
    // Where it does not come to be written, since no transaction could begin.
    kept.catch(close);
    return list;
  }

  async function write(item: Item): Promise<Result> {
    if (coming?.items.length === mostTogether) coming = null;
    const list = (coming ??= begin());
    const place = list.items.push(item) - 1;
    try {
      return at(await list.kept, place);
    } catch (error) {
      if (!list.isRefused || list.items.length === 1) throw error;
      return at(await grouped((transaction) => keep(transaction, [item])), 0);
    }
  }

  return {
    write,
    closeList() {
      coming = null;
    },
  };
}

function at<Result extends {}>(results: readonly Result[], place: number): Result {
  const result = results[place];
  if (result === undefined) throw new Error("what was written together has a result each");
  return result;
}
