import { PushLabError } from "../errors.ts";
import { watchDisplays } from "./displays.ts";

/** A page of Playwright or of Puppeteer. */
export type ScriptedPage = { readonly evaluate: (expression: string) => Promise<unknown> };

/** A notification as the page's workers showed it, with what is most asked for; `data` as JSON has it. */
export type ShownNotification = {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly icon: string;
  readonly data: unknown;
};

/** What a notification must have, as far as given. */
export type WantedNotification = Partial<Pick<ShownNotification, "title" | "body" | "tag">>;

/** Firefox tells nobody that a notification was shown: it is asked. */
const pollMs = 20;

/**
 * The notifications shown now, for the page's origin, by whichever of its workers. Not to be asked again and again until
 * something is there, which makes Chromium lose notifications: `waitForNotification` waits.
 */
export async function shownNotifications(page: ScriptedPage): Promise<ShownNotification[]> {
  const answer = await page.evaluate(`(async () => {
    const registrations = await navigator.serviceWorker.getRegistrations();
    const lists = await Promise.all(registrations.map((one) => one.getNotifications()));
    const shown = lists.flat().map(({ title, body, tag, icon, data }) => ({ title, body, tag, icon, data }));
    return JSON.stringify(shown);
  })()`);
  return JSON.parse(String(answer));
}

/**
 * Waits until a notification is shown.
 *
 * @param page any page of the origin whose worker shows it; it must not leave meanwhile
 * @param wanted what it must have, as far as given; any notification where nothing is
 * @param timeoutMs how long to wait, 15 s if not given
 * @returns the first that fits
 * @throws PushLabError `notification-missing`: it lists what was shown instead
 */
export async function waitForNotification(
  page: ScriptedPage,
  wanted: WantedNotification = {},
  timeoutMs = 15_000,
): Promise<ShownNotification> {
  const fits = (shown: Partial<ShownNotification>, names = Object.keys(wanted)): boolean =>
    names.every((name) => Reflect.get(shown, name) === Reflect.get(wanted, name));

  const { timeUp, cancel } = startTimer(timeoutMs);
  const displays = await watchDisplays(page, (displayed) =>
    fits(
      displayed,
      Object.keys(wanted).filter((name) => name in displayed),
    ),
  );
  const nextLook = displays?.next ?? polling;
  try {
    for (;;) {
      const mayBeThere = await nextLook(timeUp);
      const shown = await shownNotifications(page);
      const found = shown.find((one) => fits(one));
      if (found !== undefined) return found;
      if (!mayBeThere)
        throw new PushLabError(
          "notification-missing",
          `No notification ${JSON.stringify(wanted)} was shown within ${timeoutMs} ms; shown were ${JSON.stringify(shown)}.`,
        );
    }
  } finally {
    cancel();
    await displays?.stop();
  }
}

async function polling(timeUp: Promise<unknown>): Promise<boolean> {
  const wait = startTimer(pollMs);
  const isInTime = await Promise.race([timeUp.then(() => false), wait.timeUp.then(() => true)]);
  wait.cancel();
  return isInTime;
}

function startTimer(delayMs: number): { timeUp: Promise<void>; cancel: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, delayMs);
  return {
    timeUp: promise,
    cancel: () => {
      clearTimeout(timer);
    },
  };
}
