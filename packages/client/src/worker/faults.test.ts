/** Each call that a worker makes of the browser fails once, in turn. Then each function is missing, in turn. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeBrowser } from "../test/browser.ts";
import { failBrowser, type Failing, failuresOf, describeFailure } from "../test/faults.ts";
import { subscribeAndRegisterHeld } from "../subscription.ts";
import { addressQuestion } from "../shown-address.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const scope = "https://loja.example/sineta-push-scope/";
const registrationsUrl = "https://loja.example/v1/projects/default/registrations";
const vapidKey = `B${"A".repeat(86)}`;
const link = "https://loja.example/promo";
const data = { navigate: link, sineta: { messageId: "m1", receiptKey: "k1" } };
const push = { data: { json: () => ({ notification: { title: "Promoção", ...data, data } }) } };

type Scenario = {
  handler: "handlePush" | "handleNotificationClick";
  event: object;
  tabs: string[];
};

/** Has a worker of a known browser handle the event. Resolves to what the visitor has seen, and to the calls. */
async function play({ handler, event, tabs }: Scenario, failing?: Failing) {
  vi.unstubAllGlobals();
  const browser = fakeBrowser();
  const subscribed = browser.registration as unknown as ServiceWorkerRegistration;
  await subscribeAndRegisterHeld(subscribed, registrationsUrl, vapidKey);
  const seen: string[] = [];
  const tabThatShows = (url: string) => ({
    frameType: "top-level",
    postMessage: (question: unknown, [port]: MessagePort[]) =>
      port?.postMessage(question === addressQuestion && url),
    focus: async () => void seen.push(`focused ${url}`),
  });
  const clients = {
    matchAll: async () => tabs.map(tabThatShows),
    openWindow: async (url: string) => void seen.push(`opened ${url}`),
  };
  const registration = {
    scope,
    showNotification: async (title: string) => void seen.push(`shown ${title}`),
  };
  const { calls, watched } = failBrowser(failing);
  vi.resetModules();
  const worker = await import("./index.ts");
  const dependencies = worker.workerDependencies({
    clients: watched(clients, "clients"),
    registration: watched(registration, "registration"),
    navigator,
  } as never);
  let handled: Promise<unknown> | undefined;
  const waitUntil = (work: Promise<unknown>) => (handled = work);
  const notification = { data, close: () => undefined };
  const given = { ...event, waitUntil, notification: watched(notification, "notification") };
  try {
    worker[handler](given as never, dependencies);
  } catch {
    // A browser logs what the handler throws, and still waits for waitUntil's promise.
  }
  await handled?.catch(() => undefined);
  return { calls, seen };
}

describe.each<[string, Scenario, string[][], string[]]>([
  [
    "a push",
    { handler: "handlePush", event: push, tabs: [] },
    [["shown Promoção"]],
    ["no registration.showNotification"],
  ],
  [
    "a click where no tab shows the link",
    { handler: "handleNotificationClick", event: { action: "" }, tabs: [] },
    [[`opened ${link}`]],
    ["clients.openWindow 0", "no clients.openWindow"],
  ],
  [
    "a click where a tab shows the link",
    { handler: "handleNotificationClick", event: { action: "" }, tabs: [link] },
    [[`focused ${link}`], [`opened ${link}`]],
    ["no clients.matchAll.focus"],
  ],
])("%s", (_name, scenario, reached, indispensable) => {
  it("reaches the visitor once, unless an indispensable function fails", async () => {
    const { calls, seen: ordinary } = await play(scenario);
    expect(ordinary).toEqual(reached[0]);
    const silent: string[] = [];
    for (const failing of failuresOf(calls)) {
      const { seen } = await play(scenario, failing);
      if (seen.length === 0) silent.push(describeFailure(failing));
      // A click may open the link anew instead of bringing its tab forward.
      expect([[], ...reached]).toContainEqual(seen);
    }
    expect(silent).toEqual(indispensable);
  });
});
