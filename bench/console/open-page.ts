import type { Page } from "@playwright/test";

export type Opened = {
  /** From its address to being usable. */
  usableMs: number;
  /** Of its requests of the API, as the browser sees them. */
  slowest: { name: string; ms: number };
};

/** Opens a page of the console by its address, until it is usable. @param path behind `/painel` */
export async function openPage(page: Page, site: string, path: string): Promise<Opened> {
  await page.goto(new URL(`/painel${path}`, site).href);
  const usable = await page.waitForFunction(isUsable);
  return usable.evaluate(readTimes);
}

/** What a list of the API begins with, asked for from within the page, where its session is. */
export async function firstOf(
  page: Page,
  list: "messages" | "registrations",
  key: string,
): Promise<string> {
  return page.evaluate(
    async ([name, idOf]) => {
      const answer = await fetch(`/v1/projects/default/${name}?limit=1`);
      return String((await answer.json())[name ?? ""][0][idOf ?? ""]);
    },
    [list, key],
  );
}

/** Runs in the page: its title is there, and nothing that stands for something else any more. */
function isUsable(): boolean {
  return (
    document.querySelector("main h1") !== null &&
    document.querySelector(".mantine-Skeleton-root, .mantine-Loader-root") === null
  );
}

/** Runs in the page. Milliseconds since it was asked for, and the slowest request of the API. */
function readTimes(): Opened {
  let slowest = { name: "", ms: 0 };
  for (const { name, duration } of performance.getEntriesByType("resource")) {
    const { pathname } = new URL(name);
    if (pathname.startsWith("/v1/") && duration > slowest.ms) {
      slowest = { name: pathname, ms: duration };
    }
  }
  return { usableMs: performance.now(), slowest };
}
