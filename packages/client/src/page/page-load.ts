/** Resolves once the page is loaded and the browser is idle. */
export async function afterLoad(): Promise<void> {
  if (document.readyState !== "complete") {
    await new Promise((resolve) => addEventListener("load", resolve));
  }
  await new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if (typeof requestIdleCallback === "undefined") setTimeout(resolve, 1000);
    else requestIdleCallback(resolve, { timeout: 5000 });
  });
}

/**
 * Whether this is the tab's first page load with that project. Call it once in a page load: it notes the load. False in
 * a browser without session storage.
 */
export function isFirstLoad(registrationsUrl: string): boolean {
  const key = `sineta ${registrationsUrl}`;
  try {
    const isFirst = !sessionStorage[key];
    sessionStorage[key] = 1;
    return isFirst;
  } catch {
    return false;
  }
}
