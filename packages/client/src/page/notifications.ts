import { MessagingError } from "../errors.ts";
import type { Loss } from "../loss.ts";
import type { Messaging } from "./messaging.ts";

/** What a bell shows. */
export type NotificationsState = {
  /** The bell is on: a token is there. */
  enabled: boolean;
  /** A request is pending. */
  busy: boolean;
  token: string | null;
  /** Why the last request or healing failed; null once one has not. */
  error: unknown;
  /** The last loss that this page load has found, and whether it is healed; null where it has found none. */
  loss: Loss | null;
};

/** Who asked, and so whom the answer concerns. */
export type Asker = {
  onToken?: (token: string) => void;
  /** `disable` has turned notifications off. */
  onDisabled?: () => void;
  onError?: (error: unknown) => void;
};

/** The bell's logic, without any framework: two states, on and off. Only `disable` turns the bell off. */
export type Notifications = {
  getState: () => NotificationsState;
  /** Calls `listener` after every change of state; returns what ends it. */
  subscribe: (listener: () => void) => () => void;
  /**
   * Asks once per page load, however often it is called, and tells every `dispatch` once: by it a bell that is
   * mounted again is known. With `mayAsk` false it asks nothing. It tells of the token that is there, of tokens that a
   * load asks for, and of those that heal a loss; the token of a click goes to the click's asker.
   */
  askOnLoad: (dispatch: object, asker?: Asker, mayAsk?: boolean) => void;
  /** Asks again, as a click does. Call it directly in the click's handler. */
  ask: (asker?: Asker) => void;
  /**
   * Turns notifications off: ends the subscription, and forgets the token here and at the server. It tells every
   * `dispatch` that `askOnLoad` knows. The browser keeps the visitor's decision: no load asks, until `ask` is called. If
   * the browser cannot keep it, it lasts as long as the page. If `deleteToken` fails, the state stays as it was, and the
   * next load tries again.
   */
  disable: () => void;
};

const noTokenLine = "No registration token available. Request permission to generate one.";
const failedLine = "An error occurred while retrieving token.";

/** The decision while the token is being deleted; afterwards it is another text. */
const deleting = "1";

const known = new WeakMap<Messaging, Notifications>();

/**
 * The one `Notifications` of that messaging object: every bell of the page shares it. Null where there is no
 * messaging, and so no bell.
 */
export function notificationsOf(messaging: Messaging): Notifications;
export function notificationsOf(messaging: Messaging | null): Notifications | null;
export function notificationsOf(messaging: Messaging | null): Notifications | null {
  if (!messaging) return null;
  const notifications = known.get(messaging) ?? createNotifications(messaging);
  known.set(messaging, notifications);
  return notifications;
}

function createNotifications(messaging: Messaging): Notifications {
  const listeners = new Set<() => void>();
  const lossNow = () => messaging.state?.().loss ?? null;
  let state: NotificationsState = {
    enabled: false,
    busy: false,
    token: null,
    error: null,
    loss: lossNow(),
  };
  let pending = 0;
  let hasAskedOnLoad = false;
  const offKey = `sineta ${messaging.id}`;
  const decisions = decisionsKeptIn(offKey);
  const loadAskers = new Map<object, Asker>();
  const everyLoadAsker: Asker = {
    onToken: (token) => loadAskers.forEach((one) => tell(() => one.onToken?.(token))),
    onError: (error) => loadAskers.forEach((one) => tell(() => one.onError?.(error))),
  };

  function change(part: Partial<NotificationsState>) {
    state = { ...state, ...part, loss: lossNow() };
    for (const listener of listeners) listener();
  }

  function enable(token: string, asker: Asker) {
    // The visitor has turned notifications off meanwhile, here or in another tab.
    if (decisions[offKey]) return disable();
    change({ enabled: true, token, error: null });
    tell(() => asker.onToken?.(token));
  }

  function report(error: unknown, asker: Asker) {
    change({ error });
    tell(() => asker.onError?.(error));
  }

  function fail(error: unknown, asker: Asker) {
    console.log(failedLine);
    report(error, asker);
    if (!(error instanceof MessagingError)) return;
    // A second failure of the same request has been told already.
    error.late?.then(
      (token) => token && enable(token, asker),
      () => undefined,
    );
  }

  /** Busy until `work` is over. */
  async function wait<T>(
    work: Promise<T>,
    succeed: (value: T) => void,
    giveUp: (error: unknown) => void,
  ) {
    pending += 1;
    change({ busy: true });
    const finish = await work.then(
      (value) => () => succeed(value),
      (error: unknown) => () => giveUp(error),
    );
    pending -= 1;
    change({ busy: pending > 0 });
    finish();
  }

  function request(confirm: boolean, asker: Asker = {}) {
    void wait(
      ask(confirm),
      (token) => {
        if (token) enable(token, asker);
        else {
          console.log(noTokenLine);
          change({ error: null });
        }
      },
      (error) => fail(error, asker),
    );
  }

  function disable() {
    void wait(
      turnOff(),
      () => {
        change({ enabled: false, token: null, error: null });
        loadAskers.forEach((one) => tell(() => one.onDisabled?.()));
      },
      (error) => report(error, everyLoadAsker),
    );
  }

  async function turnOff() {
    // If the page ends after this, the next load does the rest.
    try {
      decisions[offKey] = deleting;
    } catch {
      // The storage is full.
    }
    await messaging.deleteToken();
    decisions[offKey] &&= "2";
  }

  /** Runs up to the messaging object's own first pause at once, within the click; whatever it throws is a rejection. */
  async function ask(confirm: boolean) {
    return messaging.getToken({ vapidKey: messaging.vapidKey, confirm });
  }

  messaging.onHealing?.(({ token, error }) => {
    if (token) enable(token, everyLoadAsker);
    else if (error) report(error, everyLoadAsker);
    else change({});
  });

  return {
    getState: () => state,

    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    askOnLoad(dispatch, asker = {}, mayAsk = true) {
      const { token } = state;
      if (!loadAskers.has(dispatch)) {
        loadAskers.set(dispatch, asker);
        if (token) tell(() => asker.onToken?.(token));
      }
      if (hasAskedOnLoad || !mayAsk || token) return;
      hasAskedOnLoad = true;
      if (decisions[offKey] === deleting) disable();
      else if (!decisions[offKey]) request(false, everyLoadAsker);
    },

    ask(asker) {
      decisions[offKey] &&= "";
      request(true, asker);
    },

    disable,
  };
}

/**
 * Where the visitor's decision is kept for the next load: the origin's local storage. If the browser blocks that, the
 * decision lasts as long as the page.
 */
function decisionsKeptIn(offKey: string): Record<string, string> {
  try {
    // Firefox gives a damaged storage, and throws once it is read.
    void localStorage[offKey];
    return localStorage;
  } catch {
    return {};
  }
}

/** Calls the page's own code by itself: what it throws is the page's error, and keeps nothing here from going on. */
function tell(listener: () => void): void {
  queueMicrotask(listener);
}
