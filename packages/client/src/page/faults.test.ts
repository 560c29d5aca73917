/** Each call that a page makes of the browser fails once, in turn. Then each function is missing, in turn. */
import { messagingErrors } from "@sineta/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeBrowser } from "../test/browser.ts";
import {
  errorOf,
  failBrowser,
  type Failing,
  failuresOf,
  pathOf,
  describeFailure,
} from "../test/faults.ts";
import { hourMs, knownBrowser, live, pass } from "../test/known-browser.ts";
import { loadPage, vapidKey } from "../test/page.ts";
import type { Healing } from "../loss.ts";
import type { SinetaMessaging } from "./messaging.ts";

type Scenario = {
  /** How it ends where nothing fails: the answer as JSON. */
  ends: string | undefined;
  /** Prepares the browser before the failure. */
  before?: (browser: ReturnType<typeof fakeBrowser>) => Promise<unknown>;
  act: (page: SinetaMessaging) => Promise<unknown>;
};

/** How it may end if a function fails that the client cannot do without. */
const ends: [path: RegExp, end: keyof typeof messagingErrors | "no bell"][] = [
  [/^(indexedDB|crypto|navigator\.locks)/, "storage-failed"],
  [/\.pushManager\.|^Notification/, "subscribe-failed"],
  [/^navigator\.serviceWorker\.addEventListener/, "no bell"],
  [/^navigator\.serviceWorker/, "worker-failed"],
  [/^trustedTypes\.createPolicy\./, "worker-failed"],
  [/^(fetch|AbortController)/, "server-unreachable"],
];
const endFor = (path: string) => ends.find(([pattern]) => pattern.test(path))?.[1];

const becomeKnown = async () => (await loadPage()).getToken({ vapidKey });
const token = JSON.stringify("token-1");

const afterADay: Scenario = {
  ends: token,
  before: async () => {
    await becomeKnown();
    pass(24 * hourMs);
  },
  act: (page) => page.getToken({ vapidKey, confirm: false }),
};

const scenarios: Record<string, Scenario> = {
  "a click's token": { ends: token, act: (page) => page.getToken({ vapidKey }) },
  "a load's token after a day": afterADay,
  deleteToken: { ends: "true", before: becomeKnown, act: (page) => page.deleteToken() },
  "deleteToken for good": {
    ends: "true",
    before: becomeKnown,
    act: (page) => page.deleteToken({ stayOff: true }),
  },
  joinTopic: { ends: undefined, before: becomeKnown, act: (page) => page.joinTopic("ofertas") },
  setUser: { ends: undefined, before: becomeKnown, act: (page) => page.setUser("jwt") },
  forget: { ends: undefined, before: becomeKnown, act: (page) => page.forget() },
  onMessage: {
    ends: JSON.stringify("function"),
    act: async (page) => typeof page.onMessage(() => undefined),
  },
};

/** Loads a page and acts twice. Resolves to the two outcomes, and to the calls until the first. */
async function play({ before, act }: Scenario, failing?: Failing) {
  vi.unstubAllGlobals();
  const browser = fakeBrowser();
  browser.notification.permission = "default";
  browser.notification.requestPermission.mockImplementation(async () => {
    browser.notification.permission = "granted";
    return "granted";
  });
  browser.fetch.mockImplementation(async (url) =>
    Response.json(String(url).endsWith("/look") ? live : { token: "token-1" }),
  );
  await before?.(browser);
  const { calls } = failBrowser(failing);
  const closePage = keepTimers();
  const page = await loadPage().catch(() => null);
  if (!page) return { calls, outcome: "no bell", next: "no bell" };
  const outcomeOf = () => act(page).then(JSON.stringify, (error) => codeOf(error, failing));
  const outcome = await outcomeOf();
  const played = { calls: [...calls], outcome, next: await outcomeOf() };
  closePage();
  return played;
}

/** Returns what ends the timers that are set from now on. A page's timers end with the page. */
function keepTimers(): () => void {
  const { setTimeout: later } = globalThis;
  const timers: NodeJS.Timeout[] = [];
  vi.stubGlobal("setTimeout", (work: () => void, ms?: number) => {
    const timer = later(work, ms);
    timers.push(timer);
    return timer;
  });
  return () => timers.forEach((timer) => clearTimeout(timer));
}

/** The code of a MessagingError of the catalogue. If the browser's own error is not its cause, says so. */
function codeOf(error: unknown, failing?: Failing): string {
  if (!(error instanceof Error && error.name === "MessagingError" && "code" in error)) {
    return `not of the catalogue: ${String(error)}`;
  }
  const { cause, code } = error;
  const isKnown = Object.hasOwn(messagingErrors, String(code));
  return `${isKnown ? "" : "unknown "}${String(code)}${isBrowsers(cause, failing) ? "" : " without its cause"}`;
}

/** Whether the browser throws that where `failing` fails. */
function isBrowsers(cause: unknown, failing?: Failing): boolean {
  // A call of a missing function throws a TypeError.
  if (failing && "missing" in failing) return cause instanceof TypeError;
  // A transaction that was aborted by a script has no error.
  const wasAborted = failing && pathOf(failing).includes(".objectStore.");
  return cause === (wasAborted ? null : errorOf(failing));
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe.each(Object.entries(scenarios))("%s", (_name, scenario) => {
  it("ends as without a failure, or with the failing function's code", async () => {
    const { calls, outcome: ordinary } = await play(scenario);
    expect(ordinary).toBe(scenario.ends);
    expect(calls).not.toEqual([]);
    const surprises: string[] = [];
    for (const failing of failuresOf(calls)) {
      const { outcome } = await play(scenario, failing);
      if (outcome !== ordinary && outcome !== endFor(pathOf(failing))) {
        surprises.push(`${describeFailure(failing)}: ${outcome}`);
      }
    }
    expect(surprises).toEqual([]);
  });

  it("succeeds the next time", async () => {
    const { calls, outcome: ordinary } = await play(scenario);
    const surprises: string[] = [];
    for (const at of calls) {
      const { outcome, next } = await play(scenario, { at });
      if (outcome !== ordinary && outcome !== "no bell" && next !== ordinary) {
        surprises.push(`${describeFailure({ at })}: ${next}`);
      }
    }
    expect(surprises).toEqual([]);
  });

  it("takes a refusal for none where the browser subscribes, and gives a code elsewhere", async () => {
    const { calls, outcome: ordinary } = await play(scenario);
    const error = new DOMException("no permission", "NotAllowedError");
    const surprises: string[] = [];
    for (const at of calls) {
      const { outcome } = await play(scenario, { at, error });
      const end = endFor(at.path);
      const none = end === "subscribe-failed" ? "null" : end;
      if (![ordinary, end, none].includes(outcome)) {
        surprises.push(`${describeFailure({ at })}: ${outcome}`);
      }
    }
    expect(surprises).toEqual([]);
  });

  it("works without locks in a browser that has none", async () => {
    expect((await play(scenario, { missing: "navigator.locks" })).outcome).toBe(scenario.ends);
  });
});

it("a load's token after a day compares what the server knows", async () => {
  const { calls } = await play(afterADay);
  expect(calls).toContainEqual({ path: "crypto.subtle.digest", before: 0 });
});

describe("a load that looks and heals", () => {
  /** The browser drops its subscription. A day later a load looks, and another load does so an hour after that. */
  async function loads(failing?: Failing) {
    vi.unstubAllGlobals();
    const known = await knownBrowser();
    await (await known.pushManager.getSubscription())?.unsubscribe();
    pass(24 * hourMs);
    const { locks } = navigator;
    const { calls } = failBrowser(failing);
    /** As `settled`, but without a call of the functions that may fail. */
    async function over() {
      for (const name of ["sineta-look", "sineta-registration", "sineta-registration"]) {
        for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
        await locks.request(name, async () => undefined);
      }
    }
    async function endOfLoad() {
      pass(hourMs);
      known.openTab();
      const page = await loadPage();
      const told: Healing[] = [];
      page.onHealing((healing) => told.push(healing));
      known.rest();
      await over();
      const last = told.at(-1);
      return last?.error ? codeOf(last.error, failing) : (last?.token ?? "silent");
    }
    const first = await endOfLoad();
    return { calls: [...calls], first, next: await endOfLoad() };
  }

  it("heals, stays silent or tells the failing function's code, and the next load heals", async () => {
    const { calls, first: ordinary } = await loads();
    expect(ordinary).toBe("token-1");
    expect(calls).not.toEqual([]);
    const surprises: string[] = [];
    for (const at of calls) {
      if (at.path === "navigator.serviceWorker.addEventListener") continue;
      const { first, next } = await loads({ at });
      const isExpected = [ordinary, "silent", endFor(at.path)].includes(first);
      if (!isExpected || (first !== ordinary && next !== ordinary)) {
        surprises.push(`${describeFailure({ at })}: ${first}, ${next}`);
      }
    }
    expect(surprises).toEqual([]);
  });
});
