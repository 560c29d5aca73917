import { transaction } from "./database.ts";

/** A notification that this browser has received. */
export type Notice = {
  /** The message's id. */
  id: string;
  title: string;
  body?: string | undefined;
  /** Absolute address that a click opens. */
  navigate: string;
  icon?: string | undefined;
  /** In which title and body are written; absent from what an earlier version has kept. */
  dir?: "auto" | "ltr" | "rtl" | undefined;
  /** The message's own data, JSON; absent from what an earlier version has kept. */
  data?: Record<string, unknown> | undefined;
  receivedAtMs: number;
};

/** The newest that are kept; also how far back a duplicate is recognised. */
const keptNotices = 100;

const channelName = "sineta-notices";

/** The notices kept, newest first. */
export async function listNotices(): Promise<Notice[]> {
  return newestFirst(await transaction<Notice[]>("notices", "readonly", (store) => store.getAll()));
}

function newestFirst(notices: Notice[]): Notice[] {
  // oxlint-disable-next-line unicorn/no-array-sort -- The array is this file's own, and toSorted() is younger than web push.
  return notices.sort((one, other) => other.receivedAtMs - one.receivedAtMs);
}

/** Whether a message of that id was received before. */
export async function hasNotice(id: string): Promise<boolean> {
  return (await transaction("notices", "readonly", (store) => store.count(id))) > 0;
}

/** Keeps a notice, drops the oldest beyond the bound, and tells every open page of the origin. */
export async function keepNotice(notice: Notice): Promise<void> {
  await transaction("notices", "readwrite", (store) => {
    store.put(notice);
    const kept: IDBRequest<Notice[]> = store.getAll();
    kept.onsuccess = () => {
      for (const { id } of newestFirst(kept.result).slice(keptNotices)) store.delete(id);
    };
    return kept;
  });
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(notice);
  channel.close();
}

/** Calls `listener` with each notice that arrives from now on; returns what ends it. */
export function onNotice(listener: (notice: Notice) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = (event: MessageEvent<Notice>) => listener(event.data);
  return () => channel.close();
}
