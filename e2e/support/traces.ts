/** What a site leaves in a browser. All functions run in a page of that site. */

/** Leaves one of each. */
export async function leaveTraces(): Promise<void> {
  localStorage.setItem("left", "1");
  document.cookie = "left=1";
  await caches.open("left");
}

/** What is there: the names of all that is stored, how many workers are registered, and whether notifications are allowed. */
export async function listTraces() {
  const databases = await indexedDB.databases();
  const registrations = await navigator.serviceWorker.getRegistrations();
  return {
    stored: [
      ...Object.keys(localStorage),
      ...document.cookie.split(";").filter(Boolean),
      ...(await caches.keys()),
      ...databases.map(({ name = "" }) => name),
    ],
    workers: registrations.length,
    allowed: Notification.permission === "granted",
  };
}

/** The address of the page's first script. */
export const findScript = () => document.querySelector("script[src]")?.getAttribute("src") ?? "";

/** Whether the browser has the file in its cache. Asks no server. */
export const isCached = (url: string) =>
  fetch(url, { cache: "only-if-cached", mode: "same-origin" }).then(
    ({ ok }) => ok,
    () => false,
  );

export const noTraces = { stored: [], workers: 0, allowed: false };
