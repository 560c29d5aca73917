/** Reads and changes what the page keeps in IndexedDB. */
import type { Tab } from "./browsers/port.ts";

/** Moves the kept times back, as if so much time had passed since. */
export function pass(tab: Tab, ms: number): Promise<void> {
  return tab.run(
    ([name, spanMs]) =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open(name);
        opening.addEventListener("success", () => {
          const running = opening.result.transaction("identities", "readwrite");
          const cursors = running.objectStore("identities").openCursor();
          cursors.addEventListener("success", () => {
            const cursor = cursors.result;
            if (!cursor) return;
            cursor.value.confirmed.atMs -= spanMs;
            if (cursor.value.lookedAtMs) cursor.value.lookedAtMs -= spanMs;
            if (cursor.value.droppedAtMs) cursor.value.droppedAtMs -= spanMs;
            cursor.update(cursor.value);
            cursor.continue();
          });
          running.addEventListener("complete", () => {
            opening.result.close();
            resolve();
          });
        });
      }),
    ["sineta", ms] as const,
  );
}

/** The loss that the page keeps until it is healed; null if it keeps none. */
export function keptLossIn(tab: Tab): Promise<string | null> {
  return tab.run(
    (name) =>
      new Promise<string | null>((resolve) => {
        const opening = indexedDB.open(name);
        opening.addEventListener("success", () => {
          const running = opening.result.transaction("identities");
          const reading = running.objectStore("identities").getAll();
          running.addEventListener("complete", () => {
            opening.result.close();
            resolve(reading.result[0]?.lost ?? null);
          });
        });
      }),
    "sineta",
  );
}

/** Deletes the database, and nothing else that the site has stored. */
export function deleteDatabase(tab: Tab): Promise<void> {
  return tab.run(
    (name) =>
      new Promise<void>((resolve, reject) => {
        const deletion = indexedDB.deleteDatabase(name);
        deletion.addEventListener("success", () => resolve());
        deletion.addEventListener("error", () => reject(new Error("It is still there")));
      }),
    "sineta",
  );
}
