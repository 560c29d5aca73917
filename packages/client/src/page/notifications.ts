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
  onError?: (error: unknown) => void;
};

/** The bell's logic, without any framework: two states, on and off, and no way back from on. */
export type Notifications = {
  getState: () => NotificationsState;
  /** Calls `listener` after every change of state; returns what ends it. */
  subscribe: (listener: () => void) => () => void;
  /**
   * Asks once per page load, however often it is called, and tells every `dispatch` once: by it a bell that is
   * mounted again is known.
   */
  askOnLoad: (dispatch: object, asker?: Asker) => void;
  /** Asks again, as a click does. Call it directly in the click's handler. */
  ask: (asker?: Asker) => void;
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
  const present = known.get(messaging);
  if (present) return present;
  const created = createNotifications(messaging);
  known.set(messaging, created);
  return created;
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
    if (!(error instanceof MessagingError) || !error.late) return;
    // A second failure of the same request has been told already.
    error.late.then(
      (token) => token && enable(token, asker),
      () => undefined,
    );
  }

  async function request(confirm: boolean, asker: Asker) {
    pending += 1;
    change({ busy: true });
    const outcome = await ask(confirm).then(
      (token) => ({ token }),
      (error: unknown) => ({ error }),
    );
    pending -= 1;
    change({ busy: pending > 0 });
    if ("error" in outcome) fail(outcome.error, asker);
    else if (outcome.token) enable(outcome.token, asker);
    else {
      console.log(noTokenLine);
      change({ error: null });
    }
  }

  /** Runs up to the messaging object's own first pause at once, within the click; whatever it throws is a rejection. */
  async function ask(confirm: boolean) {
    return messaging.getToken({ vapidKey: messaging.vapidKey, confirm });
  }

  messaging.onHealing?.(({ token, error }) => {
    if (token) enable(token, everyLoadAsker);
    else if (error !== null) report(error, everyLoadAsker);
    else change({});
  });

  return {
    getState: () => state,

    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    askOnLoad(dispatch, asker = {}) {
      if (loadAskers.has(dispatch)) return;
      loadAskers.set(dispatch, asker);
      const { token: current } = state;
      if (current) tell(() => asker.onToken?.(current));
      if (loadAskers.size > 1) return;
      void request(false, everyLoadAsker);
    },

    ask: (asker = {}) => void request(true, asker),
  };
}

/** Calls the page's own code by itself: what it throws is the page's error, and keeps nothing here from going on. */
function tell(listener: () => void): void {
  queueMicrotask(listener);
}
