/**
 * Chromium's own word that a notification is on display, through its DevTools.
 *
 * `registration.getNotifications()` cannot be asked for it again and again: Chromium compares what it has stored with what
 * is on display, and forgets a notification that is stored and about to be displayed in that very moment.
 */
export type Displays = {
  /** Resolves with true as soon as one that fits was displayed after the call before (at first: ever), or with false when
   * the time is up. */
  readonly next: (timeUp: Promise<unknown>) => Promise<boolean>;
  readonly stop: () => Promise<void>;
};

type Session = {
  readonly send: (method: string, parameters: object) => Promise<void>;
  readonly on: (event: string, listener: (details: unknown) => void) => void;
  readonly detach: () => Promise<void>;
};

const service = { service: "notifications" };

/** Has the browser of this page keep in mind what it displays from now on, until it ends. */
export async function recordDisplays(page: object): Promise<void> {
  const session = await openSession(page);
  await session?.send("BackgroundService.setRecording", { ...service, shouldRecord: true });
  await session?.detach();
}

/** Undefined where the browser is no Chromium. */
export async function watchDisplays(
  page: object,
  fits: (displayed: { readonly title: string; readonly body: string }) => boolean,
): Promise<Displays | undefined> {
  const session = await openSession(page);
  if (session === undefined) return undefined;

  let displayed = Promise.withResolvers<boolean>();
  session.on("BackgroundService.backgroundServiceEventReceived", (details) => {
    const event = at(details, "backgroundServiceEvent");
    if (at(event, "eventName") !== "Notification displayed") return;
    if (!fits({ title: metadata(event, "Title"), body: metadata(event, "Body") })) return;
    displayed.resolve(true);
  });
  const recording = new Promise((resolve) => {
    session.on("BackgroundService.recordingStateChanged", (details) => {
      resolve(at(details, "isRecording"));
    });
  });
  // What was recorded comes as events, too.
  await session.send("BackgroundService.startObserving", service);
  if ((await recording) !== true) {
    await session.send("BackgroundService.setRecording", { ...service, shouldRecord: true });
    // What was displayed before is not known here.
    displayed.resolve(true);
  }

  return {
    next: async (timeUp) => {
      const isNew = await Promise.race([displayed.promise, timeUp.then(() => false)]);
      displayed = Promise.withResolvers();
      return isNew;
    },
    stop: session.detach,
  };
}

/** Puppeteer's session, or Playwright's: both have these three methods. */
async function openSession(page: object): Promise<Session | undefined> {
  const session = await rawSession(page);
  if (session === undefined) return undefined;
  return {
    send: async (method, parameters) => {
      await call(session, "send", method, parameters);
    },
    on: (event, listener) => {
      call(session, "on", event, listener);
    },
    detach: async () => {
      await call(session, "detach");
    },
  };
}

async function rawSession(page: object): Promise<unknown> {
  try {
    return "createCDPSession" in page
      ? await call(page, "createCDPSession")
      : await call(call(page, "context"), "newCDPSession", page);
  } catch {
    // Both say so by throwing where the browser has no DevTools, as Firefox.
    return undefined;
  }
}

function call(target: unknown, method: string, ...parameters: unknown[]): unknown {
  return Reflect.apply(Reflect.get(Object(target), method), target, parameters);
}

function at(value: unknown, name: string): unknown {
  return Reflect.get(Object(value), name);
}

function metadata(event: unknown, key: string): string {
  const entries = at(event, "eventMetadata");
  const entry = Array.isArray(entries) ? entries.find((one) => at(one, "key") === key) : undefined;
  const value = at(entry, "value");
  return typeof value === "string" ? value : "";
}
