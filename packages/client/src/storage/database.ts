import { failingAs } from "../errors.ts";

/** One database per origin, shared by the page and the worker. */
const databaseName = "sineta";
const databaseVersion = 1;

export type StoreName = "identities" | "notices";

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(databaseName, databaseVersion);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("identities", { keyPath: "registrationsUrl" });
      request.result
        .createObjectStore("notices", { keyPath: "id" })
        .createIndex("receivedAtMs", "receivedAtMs");
    };
    request.onsuccess = () => {
      const database = request.result;
      // Another tab upgrades, or the visitor clears the site's data: let go, and open anew at the next use.
      database.onversionchange = () => {
        database.close();
        opened = undefined;
      };
      database.onclose = () => {
        opened = undefined;
      };
      resolve(database);
    };
    request.onerror = () => {
      opened = undefined;
      reject(request.error ?? new Error("IndexedDB cannot be opened"));
    };
  });
  return opened;
}

/**
 * Runs `work` in one transaction and resolves to what it handed to `answer`, once the transaction is complete.
 * Requests inside must follow one another through their callbacks, as IndexedDB demands.
 *
 * @throws MessagingError `storage-failed`
 */
export function transaction<T>(
  storeName: StoreName,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore, answer: (value: T) => void) => void,
): Promise<T | undefined> {
  return failingAs("storage-failed", async () => {
    const database = await open();
    return new Promise((resolve, reject) => {
      let result: T | undefined;
      const running = database.transaction(storeName, mode);
      running.oncomplete = () => resolve(result);
      running.onabort = () => reject(running.error ?? new Error("IndexedDB gave up"));
      work(running.objectStore(storeName), (value) => {
        result = value;
      });
    });
  });
}
