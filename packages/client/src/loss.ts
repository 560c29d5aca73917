/**
 * Why pushes no longer reach a browser that the server had confirmed.
 *
 * - `worker-missing`: no worker holds the scope. A script unregistered it, or the page gives its file another address.
 * - `worker-replaced`: a script of another address holds the scope.
 * - `subscription-missing`: the browser has dropped the subscription.
 * - `subscription-changed`: the browser holds another subscription than the server confirmed.
 * - `key-changed`: the page asks with another VAPID key than the server confirmed.
 * - `subscription-gone`: the push service has ended the subscription, and the browser keeps it.
 * - `registration-unknown`: the server does not know the registration.
 * - `registration-outdated`: the server knows another subscription or VAPID key, as after a restored back-up.
 */
export type LossCause =
  | "worker-missing"
  | "worker-replaced"
  | "subscription-missing"
  | "subscription-changed"
  | "key-changed"
  | "subscription-gone"
  | "registration-unknown"
  | "registration-outdated";

/** A loss that a page load has found. */
export type Loss = { cause: LossCause; healed: boolean };

/** What a listener is told of a loss that a look has found. */
export type Healing = {
  cause: LossCause;
  /** The token, once the loss is healed. */
  token: string | null;
  /** Why healing has failed; null while it has not. */
  error: unknown;
};
