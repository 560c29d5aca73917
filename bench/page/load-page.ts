import type { Browser } from "@playwright/test";

/** A connection that the browser plays. */
export type Connection = { latencyMs: number; kilobitsPerSecond: number };

export type Loaded = {
  /** From the start of the navigation until the page's button is drawn, and a click would hit it. */
  buttonMs: number;
  /** Over the wire, with headers, by the kind of what was loaded, such as `Script`. */
  bytes: ReadonlyMap<string, number>;
};

/** Opens a page in a browser that has kept nothing, and waits until nothing is loaded any more. */
export async function loadPage(
  browser: Browser,
  url: string,
  connection: Connection | null,
): Promise<Loaded> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const kinds = new Map<string, string>();
    const bytes = new Map<string, number>();
    session.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type));
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      const kind = kinds.get(requestId) ?? "Other";
      bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength);
    });
    await session.send("Network.enable");
    if (connection) {
      const throughput = (connection.kilobitsPerSecond * 1000) / 8;
      await session.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: connection.latencyMs,
        downloadThroughput: throughput,
        uploadThroughput: throughput,
      });
    }
    await page.addInitScript(watchForButton);
    await page.goto(url);
    const buttonMs = await page.waitForFunction(readButtonMs);
    await page.waitForLoadState("networkidle");
    return { buttonMs: Number(await buttonMs.jsonValue()), bytes };
  } finally {
    await context.close();
  }
}

/**
 * Runs in the page before its own scripts: looks once in each frame whether there is a button that a click would hit, and notes the time
 * when that frame has been drawn.
 */
function watchForButton(): void {
  const button = document.querySelector("button");
  const { left, top, width, height } = button?.getBoundingClientRect() ?? new DOMRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  if (width > 0 && button?.contains(hit) === true) {
    setTimeout(() => Object.assign(window, { buttonMs: performance.now() }));
  } else {
    requestAnimationFrame(watchForButton);
  }
}

/** Runs in the page. */
function readButtonMs(): unknown {
  return Reflect.get(window, "buttonMs");
}
