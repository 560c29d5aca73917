import { failingAs } from "../errors.ts";

/** One database per origin, shared by the page and the worker. */
const databaseName = "sineta";
/** The key path of each store. */
const keyPaths = { identities: "registrationsUrl", notices: "id" };

/** A database that another tab blocks, or a disk that hangs, answers nothing at all. */
const openTimeoutMs = 10_000;

export type StoreName = keyof typeof keyPaths;

/**
 * Opens the database in the version it has. If it is new, or if `version` is above that, makes each store that is missing
 * or has another key path. Other stores stay.
 */
function open(version?: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, version);
    request.onupgradeneeded = () => {
      const database = request.result;
      for (const [name, keyPath] of Object.entries(keyPaths)) {
        if (database.objectStoreNames.contains(name)) {
          if (request.transaction?.objectStore(name).keyPath === keyPath) continue;
          database.deleteObjectStore(name);
        }
        database.createObjectStore(name, { keyPath });
      }
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () =>
      // Another tab has made a higher version meanwhile.
      request.error?.name === "VersionError" ? resolve(open()) : reject(request.error);
    setTimeout(() => {
      reject();
      // The caller has given up. A connection that stays open holds back every later version.
      request.onsuccess = () => request.result.close();
    }, openTimeoutMs);
  });
}

/**
 * Runs `work` in one transaction and resolves to the result of the request that it returns, once the transaction
 * is complete. Requests that follow one another must do so through their callbacks, as IndexedDB demands.
 *
 * @throws MessagingError `storage-failed`; without a cause if the database did not open in time
 */
export function transaction<T>(
  storeName: StoreName,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const run = async (version?: number): Promise<T> => {
    const database = await open(version);
    const store =
      database.objectStoreNames.contains(storeName) &&
      database.transaction(storeName, mode).objectStore(storeName);
    // The browser closes it once the transaction is over. Until then it holds back each upgrade and deletion.
    database.close();
    // Another program has made a database of this name.
    if (!store || store.keyPath !== keyPaths[storeName]) return run(database.version + 1);
    return new Promise<T>((resolve, reject) => {
      const running = store.transaction;
      const request = work(store);
      running.oncomplete = () => resolve(request.result);
      running.onabort = () => reject(running.error);
    });
  };
  return failingAs("storage-failed", run);
}
