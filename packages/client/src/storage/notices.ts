import { transaction } from "./database.ts";

/** A notification that this browser has received. */
export type Notice = {
  /** The message's id. */
  id: string;
  title: string;
  body?: string;
  /** Absolute address that a click opens. */
  navigate: string;
  icon?: string;
  receivedAtMs: number;
};

/** The newest that are kept; also how far back a duplicate is recognised. */
const keptNotices = 100;

const channelName = "sineta-notices";

/** The notices kept, newest first. */
export async function listNotices(): Promise<Notice[]> {
  const notices = await transaction<Notice[]>("notices", "readonly", (store, answer) => {
    const request: IDBRequest<Notice[]> = store.index("receivedAtMs").getAll();
    request.onsuccess = () => answer(request.result);
  });
  return (notices ?? []).reverse();
}

/** Whether a message of that id was received before. */
export async function hasNotice(id: string): Promise<boolean> {
  const found = await transaction<number>("notices", "readonly", (store, answer) => {
    const request = store.count(id);
    request.onsuccess = () => answer(request.result);
  });
  return found === 1;
}

/** Keeps a notice, drops the oldest beyond the bound, and tells every open page of the origin. */
export async function keepNotice(notice: Notice): Promise<void> {
  await transaction("notices", "readwrite", (store) => {
    store.put(notice);
    let kept = 0;
    const walk = store.index("receivedAtMs").openKeyCursor(null, "prev");
    walk.onsuccess = () => {
      if (!walk.result) return;
      kept += 1;
      if (kept > keptNotices) store.delete(walk.result.primaryKey);
      walk.result.continue();
    };
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
