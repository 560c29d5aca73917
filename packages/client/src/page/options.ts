import type { Offer } from "./availability.ts";

/** `vapidKey` is the project's: `sineta keys` prints it. */
export type MessagingOptions = Offer & {
  /** Origin of the Sineta server, such as `https://avisos.example.com`. Default: the page's own origin. */
  server?: string | undefined;
  /** Default: `default`. */
  project?: string | undefined;
  /** Address of the worker's file, on the page's own origin. Default: `/sineta-sw.js`. */
  worker?: string | undefined;
  /** A registration of an own worker that calls Sineta's worker functions; then `worker` is not used. */
  serviceWorkerRegistration?: ServiceWorkerRegistration | undefined;
};

/**
 * The compiler refuses a literal `server` without a scheme, or with a user's name and password. It cannot check a text that comes from elsewhere, such as a
 * build's environment. A function that is generic in its server's type writes `createMessaging<string>`.
 */
// The first part has the compiler infer `Server`. The second part checks it.
export type WithServer<Server extends string> = { server?: Server | undefined } & {
  server?: CheckedOrigin<Server> | undefined;
};

/** Each member of a union is checked by itself. */
type CheckedOrigin<Server extends string> = Server extends unknown
  ? IsLiteral<Server> extends true
    ? OriginIn<Server>
    : string
  : never;

/** A record has each literal among its keys. A type of other texts demands no key. */
type IsLiteral<Text extends string> =
  Partial<Record<Text, unknown>> extends Record<Text, unknown> ? false : true;

type OriginIn<Server extends string> =
  Lowercase<Server> extends `${string}@${string}`
    ? NeedsScheme
    : Lowercase<Server> extends "" | `${"http" | "https"}://${string}`
      ? Server
      : NeedsScheme;

/** No string has this type. Its key is the advice in the compiler's message. */
type NeedsScheme = { "an origin such as https://avisos.example.com": never };
