import type { MessagingError } from "../errors.ts";
import type { Loss } from "../loss.ts";
import { hint } from "./hint.ts";
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
  onToken?: ((token: string) => void) | undefined;
  /** `disable` has turned notifications off. */
  onDisabled?: (() => void) | undefined;
  onError?: ((error: unknown) => void) | undefined;
};

/** The bell's logic, without any framework: two states, on and off. Only `disable` turns the bell off. */
export type Notifications = {
  getState: () => NotificationsState;
  /** Calls `listener` after every change of state; returns what ends it. */
  subscribe: (listener: () => void) => () => void;
  /**
   * Asks once per page load, however often it is called, and tells every `dispatch` once: by it a bell that is
   * mounted again is known. With `mayAsk` false it asks nothing. The asker hears of the present token, and of each token that
   * a load or healing brings. It does not hear of a token that a click brings: `ask` has an asker of its own.
   */
  askOnLoad: (dispatch: object, asker?: Asker, mayAsk?: boolean) => void;
  /** Asks again, as a click does. Call it directly in the click's handler. */
  ask: (asker?: Asker) => void;
  /**
   * Turns notifications off: ends the subscription, and forgets the token here and at the server. It tells every
   * `dispatch` that `askOnLoad` knows. The browser keeps the visitor's decision: no load gets a token, until `ask` is
   * called. If it fails, the state stays as it was, and the next load tries again.
   */
  disable: () => void;
};

const noTokenLine = "No registration token available. Request permission to generate one.";
const failedLine = "An error occurred while retrieving token.";

const known = new WeakMap<Messaging, Notifications>();

/**
 * The one `Notifications` of that messaging object: every bell of the page shares it. Null where there is no
 * messaging, and so no bell.
 */
export function notificationsOf(messaging: Messaging): Notifications;
export function notificationsOf(messaging: Messaging | null): Notifications | null;
export function notificationsOf(messaging: Messaging | null): Notifications | null {
  if (!messaging) return null;
  try {
    if (typeof messaging.getToken !== "function") throw new Error();
    const notifications = known.get(messaging) ?? createNotifications(messaging);
    known.set(messaging, notifications);
    return notifications;
  } catch (error) {
    // Code without types may pass anything. What throws here may take the whole page down.
    hint((hints) => hints.sayNoBell({ messaging }, error));
    return null;
  }
}

/**
 * Calls the page's own code by `queueMicrotask`: what it throws is the page's error, and keeps nothing here from going on.
 */
function createNotifications(messaging: Messaging): Notifications {
  const listeners = new Set<() => void>();
  const lossNow = () => messaging.state?.().loss ?? null;
  const off = { enabled: false, token: null, error: null };
  let state: NotificationsState = { ...off, busy: false, loss: lossNow() };
  let pending = 0;
  let hasAskedOnLoad = false;
  const loadAskers = new Map<object, Asker>();
  const everyLoadAsker: Asker = {
    onToken: (token) => loadAskers.forEach((one) => queueMicrotask(() => one.onToken?.(token))),
    onError: (error) => loadAskers.forEach((one) => queueMicrotask(() => one.onError?.(error))),
  };

  function change(part: Partial<NotificationsState>) {
    state = { ...state, ...part, loss: lossNow() };
    for (const listener of listeners) listener();
  }

  function enable(token: string, asker: Asker) {
    change({ enabled: true, token, error: null });
    queueMicrotask(() => asker.onToken?.(token));
  }

  function report(error: unknown, asker: Asker) {
    change({ error });
    queueMicrotask(() => asker.onError?.(error));
  }

  function fail(error: Partial<MessagingError> | undefined, asker: Asker) {
    console.log(failedLine);
    report(error, asker);
    // A second failure of the same request has been told already.
    error?.late?.then(
      (token) => token && enable(token, asker),
      () => undefined,
    );
  }

  /** Busy until `work` is over. */
  function wait<T>(work: Promise<T>): Promise<T> {
    pending += 1;
    change({ busy: true });
    return work.finally(() => {
      pending -= 1;
      change({ busy: pending > 0 });
    });
  }

  function request(confirm: boolean, asker: Asker = {}) {
    wait(ask(confirm)).then(
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
    wait(turnOff()).then(
      () => {
        change(off);
        loadAskers.forEach((one) => queueMicrotask(() => one.onDisabled?.()));
      },
      (error) => report(error, everyLoadAsker),
    );
  }

  /** Runs up to the messaging object's own first pause at once, within the click; whatever it throws is a rejection. */
  async function ask(confirm: boolean) {
    return messaging.getToken({ vapidKey: messaging.vapidKey, confirm });
  }

  /** As `ask`. */
  async function turnOff() {
    return messaging.deleteToken({ stayOff: true });
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
        if (token) queueMicrotask(() => asker.onToken?.(token));
      }
      if (hasAskedOnLoad || !mayAsk || token) return;
      hasAskedOnLoad = true;
      request(false, everyLoadAsker);
    },

    ask: (asker) => request(true, asker),

    disable,
  };
}
