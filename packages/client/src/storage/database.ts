import { failingAs } from "../errors.ts";

/** One database per origin, shared by the page and the worker. */
const databaseName = "sineta";
const databaseVersion = 1;

/** A database that another tab blocks, or a disk that hangs, answers nothing at all. */
const openTimeoutMs = 10_000;

export type StoreName = "identities" | "notices";

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, databaseVersion);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("identities", { keyPath: "registrationsUrl" });
      request.result
        .createObjectStore("notices", { keyPath: "id" })
        .createIndex("receivedAtMs", "receivedAtMs");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    setTimeout(reject, openTimeoutMs);
  });
}

/**
 * Runs `work` in one transaction and resolves to the result of the request that it returns, once the transaction
 * is complete. Requests that follow one another must do so through their callbacks, as IndexedDB demands.
 *
 * @throws MessagingError `storage-failed`
 */
export function transaction<T>(
  storeName: StoreName,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  return failingAs("storage-failed", async () => {
    const database = await open();
    return new Promise<T>((resolve, reject) => {
      const running = database.transaction(storeName, mode);
      const request = work(running.objectStore(storeName));
      running.oncomplete = () => resolve(request.result);
      running.onabort = () => reject(running.error);
      // Takes effect once the transaction is over: whoever upgrades or deletes the database waits for no longer.
      database.close();
    });
  });
}
