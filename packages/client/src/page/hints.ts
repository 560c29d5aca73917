/** What developers are told, on loopback pages alone: `hint` loads this file. Each sentence is said once a page load. */
import { trustedTypesPolicyName } from "@sineta/protocol/content-security-policy";
import type { MessagingErrorCode } from "../errors.ts";
import type { Offer } from "./availability.ts";
import type { MessagingOptions } from "./options.ts";
import { repeat } from "./violation.ts";

/** What of a MessagingError is read here: importing its class would draw the page's code into this file. */
type Failure = { code?: MessagingErrorCode; problem?: string; cause?: unknown };

/**
 * The options of `createMessaging` with the key that a token was asked for with, the addresses that it made of them, and
 * the function that installs the worker.
 */
type Asked = MessagingOptions & {
  registrationsUrl: string;
  workerUrl: string;
  install: () => Promise<unknown>;
};

/** TypeScript's DOM library does not declare Trusted Types. */
declare const trustedTypes:
  | {
      createPolicy: (name: string, rules: object) => unknown;
      defaultPolicy?: { createScriptURL: (url: string) => unknown } | null;
    }
  | undefined;

const said = new Set<string>();

function say(sentence: string, ...causes: unknown[]): void {
  if (said.has(sentence)) return;
  said.add(sentence);
  // Before a cause, the "%c" of an address such as "/caf%c3%a9" would be a place for the cause (Console standard, "Formatter").
  const text = causes.length > 0 ? sentence.replace(/%/g, "%%") : sentence;
  console.warn(`Sineta: ${text}.`, ...causes);
}

/** What decides whether a page has a bell. Code without types may leave out the key, or pass any messaging object. */
type BellOffer = Partial<Offer> & { messaging?: unknown };

/** Push cannot be offered on this page, so there is no bell. */
export function sayNoBell(offer: BellOffer, ...causes: unknown[]): void {
  const obstacle = obstacleTo(offer);
  if (obstacle) say(`there is no bell, because ${obstacle}`, ...causes);
}

/** `createMessaging` has thrown, so there is no bell. */
export function sayNoMessaging(options: MessagingOptions, error: unknown): void {
  say(`there is no bell, because ${faultOf(options)}`, error);
}

/** The option that `createMessaging` cannot use. Code without types may pass anything, or nothing at all. */
function faultOf(options: Partial<MessagingOptions> | null | undefined): string {
  if (!options) {
    return "createMessaging was given no options; pass vapidKey, the key that `sineta keys` prints";
  }
  const { server, worker, project } = options;
  if (server && !isWebAddress(server)) {
    return `the option server is ${shown(server)}; pass an origin with its scheme, such as https://avisos.example.com`;
  }
  if (worker && !isOwnAddress(worker)) return wrongWorker(shown(worker));
  if (project && !isEncodable(project)) {
    return `the option project is ${shown(project)}; pass the name of a project, such as default`;
  }
  return canReceive() ? "createMessaging failed" : noReceiver;
}

function wrongWorker(address: string): string {
  return (
    `the option worker is ${address}; pass an address on the page's own origin, where the worker's file is, such as ` +
    "/sineta-sw.js"
  );
}

const noReceiver =
  "this page has no service workers, push or notifications; open it in a current browser, in a normal window, and in no " +
  "frame";

/** Whether the browser has what push needs. A name may be there without a value, and reading it may throw. */
function canReceive(): boolean {
  try {
    return !!(navigator.serviceWorker && window.PushManager && window.Notification);
  } catch {
    return false;
  }
}

/** An option as developers read it. Code without types may pass what has no text at all, such as a symbol. */
function shown(option: unknown): string {
  return typeof option === "string" ? `"${option}"` : `a value of type ${typeof option}`;
}

/** Whether a text is an address of the web without a user's name and password, which `fetch` refuses. */
function isWebAddress(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text);
    return /^https?:$/.test(protocol) && !username && !password;
  } catch {
    return false;
  }
}

function isOwnAddress(text: string): boolean {
  try {
    return new URL(text, location.href).origin === location.origin;
  } catch {
    return false;
  }
}

function isEncodable(text: string): boolean {
  try {
    // The bundler deletes a call whose result is not used.
    return encodeURIComponent(text) !== "";
  } catch {
    return false;
  }
}

/** Why push cannot be offered on this page of a loopback name; undefined where the developer decided so. */
function obstacleTo({
  messaging,
  vapidKey,
  allowLoopback,
  appleDevices,
}: BellOffer): string | undefined {
  if (messaging !== undefined) {
    return "the option messaging is no messaging object; pass what createMessaging or fromFirebase returns";
  }
  if (!vapidKey) return "it was given no vapidKey; pass the key that `sineta keys` prints";
  if (typeof vapidKey !== "string") {
    return "the option vapidKey is no text; pass the key as `sineta keys` prints it";
  }
  // An opaque origin (HTML standard).
  if (globalThis.origin === "null") {
    return (
      "this page is sandboxed; add allow-same-origin to the directive sandbox of its Content-Security-Policy, or to the " +
      "attribute sandbox of its frame"
    );
  }
  if (location.protocol !== "https:" && !allowLoopback) {
    // An explicit `allowLoopback: false` was decided, not forgotten.
    if (allowLoopback === false) return undefined;
    return "this page is not https; for development on loopback, pass allowLoopback: true";
  }
  // A tab of such a device has no push, either. Only they have this property.
  if ("standalone" in navigator) return appleObstacle(appleDevices);
  if (!canReceive()) return noReceiver;
  // The conditions above exclude every other obstacle.
  return appleObstacle(appleDevices);
}

function appleObstacle(appleDevices: Offer["appleDevices"]): string {
  return (
    "this is an iPhone, iPad or iPod, or the developer tools imitate one; " +
    (appleDevices ? "open the page from the Home Screen" : "use another browser")
  );
}

/** A token was asked for, and retrieving it failed. */
export async function sayNoToken(error: unknown, asked: Asked): Promise<void> {
  const failure: Failure = error instanceof Error ? error : {};
  const causes = failure.cause === undefined ? [] : [failure.cause];
  say(`there is no token, because ${await reasonOf(failure, asked)}`, ...causes);
}

/** `onMessage` could open no BroadcastChannel. If the visitor blocks the site's data, Firefox refuses one. */
export function sayNoMessages(error: unknown): void {
  const missing = missingName("BroadcastChannel");
  say(`onMessage hears of no notice, because ${missing ?? noData()}`, error);
}

/** What to say if the browser or another script leaves out a name that the client needs; undefined if it is there. */
function missingName(
  name: "AbortController" | "BroadcastChannel" | "crypto" | "fetch",
): string | undefined {
  if (globalThis[name]) return undefined;
  return `this page has no ${name}; open it in a current browser, and see that no script of the page removes it`;
}

/** The client reads the time zone for each registration. */
function tellsTimeZone(): boolean {
  try {
    return !!Intl.DateTimeFormat().resolvedOptions();
  } catch {
    return false;
  }
}

function noData(): string {
  return (
    `the browser keeps no data for this page; allow cookies and site data for ${location.origin} in its settings, and ` +
    "see that the disk has room"
  );
}

const databaseBlocked =
  "the browser's database `sineta` did not open within 10 s; close the site's other tabs, and see that no other script " +
  "keeps a database of that name open";

async function reasonOf({ code, problem, cause }: Failure, asked: Asked): Promise<string> {
  const { registrationsUrl, workerUrl } = asked;
  const server = new URL(registrationsUrl).origin;
  const project = asked.project || "default";
  const obstacle = await obstacleOfOwn(asked.serviceWorkerRegistration);
  if (obstacle) {
    return (
      `the option serviceWorkerRegistration is ${obstacle}; pass what ` +
      "`await navigator.serviceWorker.register(…)` gives"
    );
  }
  switch (code) {
    case "storage-failed":
      return cause ? (missingName("crypto") ?? noData()) : databaseBlocked;
    case "worker-failed":
      // Service Workers, "Start Register".
      if (/%2f|%5c/i.test(new URL(workerUrl).pathname)) {
        return wrongWorker(
          `${shown(workerUrl)}, and browsers take no worker's address with %2f or %5c`,
        );
      }
      return (
        (await policyAgainstWorker(asked)) ??
        `the browser could not install the worker of ${workerUrl}; copy node_modules/@sineta/client/dist/sw.js ` +
          "there, and serve it as JavaScript"
      );
    case "subscribe-failed":
      if (!tellsTimeZone()) {
        return "Intl.DateTimeFormat tells no time zone; see that no script of the page replaces it";
      }
      if (!/^B[\w-]{86}$/.test(asked.vapidKey)) {
        return (
          `the option vapidKey is ${shown(asked.vapidKey)}, which is no VAPID key; pass the whole key that ` +
          "`sineta keys` prints"
        );
      }
      return (
        "the browser got no push subscription; check that vapidKey is what `sineta keys` prints, that the window is " +
        "no private one, and that the browser reaches the internet (`npm run lab` does without)"
      );
    case "token-timeout": {
      // The page may not have come so far as to ask the server.
      const { blocked } = await askServer(registrationsUrl, server);
      if (blocked) return blocked;
      return "nothing came within 20 s; check that the browser reaches the internet (`npm run lab` does without)";
    }
    case "server-unreachable":
      return unreachableReason(asked, server, project);
    case "server-refused":
      if (problem === "origin-not-allowed") return refusesOrigin(server, project);
      if (problem === "project-unknown") {
        return `the server at ${server} has no project named ${shown(project)}; pass the name of one, such as default`;
      }
      if (problem === "vapid-key-unknown") {
        return `vapidKey is not the key of the server at ${server}; pass the one that \`sineta keys\` prints there`;
      }
      // A web server or proxy gives no code of Sineta's.
      if (problem?.startsWith("HTTP ")) return noServer(asked, server, ` (${problem})`);
      return `the server at ${server} refused: ${problem}; ${server}/docs/errors#${problem} says what to do`;
    case "not-registered":
    case undefined:
    default:
      return `of ${code ?? "an error"}; ${server}/docs/errors${code ? `#${code}` : ""} says what to do`;
  }
}

/** What is wrong with the site's own registration. It may be a promise: the client waits for it, too. */
async function obstacleOfOwn(own: unknown): Promise<string | undefined> {
  if (!own) return undefined;
  // The client has waited for it. So it is settled now, or never will be.
  const pending = Symbol("pending");
  const registration = await Promise.race([
    Promise.resolve(own),
    new Promise((resolve) => setTimeout(resolve, 100, pending)),
  ]).catch(() => null);
  if (registration === null) return "a promise that is rejected";
  if (registration === pending) {
    return "a promise that stays open, as `navigator.serviceWorker.ready` does on a page outside every worker's scope";
  }
  return "pushManager" in Object(registration) ? undefined : "no registration of a worker";
}

/** The browser hides a refusal from the page. So an unknown project looks like an origin that is not allowed. */
function refusesOrigin(server: string, project: string): string {
  const unknown = project === "default" ? "" : `has no project named ${shown(project)}, or it `;
  return (
    `the server at ${server} ${unknown}does not allow pages of ${location.origin}; add this page's origin to ` +
    `SINETA_ORIGINS, or to Ajustes in the console${unknown && ", and pass the name of a project, such as default"}`
  );
}

/** What to say if the page's Content-Security-Policy blocks the worker; undefined if it does not. */
async function policyAgainstWorker({ install, workerUrl }: Asked): Promise<string | undefined> {
  const { violation } = await repeat(install, ({ effectiveDirective }) =>
    ["worker-src", "require-trusted-types-for"].includes(effectiveDirective),
  );
  if (!violation) return defaultPolicyAgainst(workerUrl);
  const { effectiveDirective, blamed } = violation;
  return effectiveDirective === "worker-src"
    ? `the page's Content-Security-Policy forbids the worker by "${blamed}"; allow 'self' in worker-src`
    : `the page's Content-Security-Policy demands Trusted Types by "${blamed}", and allows no policy named sineta; add ` +
        "sineta to trusted-types, and 'allow-duplicates' if the page has a second copy of the client";
}

/**
 * What to say if the page's `default` policy of Trusted Types keeps the worker's address from the browser. The browser tells
 * of no violation then. The client's own policy comes first: only without that the browser asks the page's.
 */
async function defaultPolicyAgainst(workerUrl: string): Promise<string | undefined> {
  if (passesByDefault(workerUrl)) return undefined;
  const { violation } = await repeat(
    () => trustedTypes?.createPolicy(trustedTypesPolicyName, {}),
    ({ effectiveDirective }) => effectiveDirective === "trusted-types",
  );
  return (
    violation &&
    "the page demands Trusted Types by require-trusted-types-for, its default policy does not return the worker's " +
      `address, and "${violation.blamed}" allows no policy named sineta; add sineta to trusted-types`
  );
}

function passesByDefault(workerUrl: string): boolean {
  const policy = typeof trustedTypes === "undefined" ? null : trustedTypes.defaultPolicy;
  try {
    return !policy || String(policy.createScriptURL(workerUrl)) === workerUrl;
  } catch {
    return false;
  }
}

/** Why the page cannot reach the server. */
async function unreachableReason(asked: Asked, server: string, project: string): Promise<string> {
  const missing = missingName("fetch") ?? missingName("AbortController");
  if (missing) return missing;
  const { succeeds, blocked } = await askServer(asked.registrationsUrl, server);
  if (blocked) return blocked;
  // The server answers, but not to this page.
  if (succeeds && server !== location.origin) return refusesOrigin(server, project);
  return noServer(asked, server);
}

/** @param answer what answers there instead */
function noServer({ server: given }: Asked, server: string, answer = ""): string {
  const advice = given
    ? "check its address, and that it runs"
    : "pass the option server, the origin of the Sineta server, or check that it runs here";
  return `no Sineta server answers this page at ${server}${answer}; ${advice}`;
}

/**
 * Sends the server a request that needs no CORS. Resolves to whether it answers, and to what to say if the page's
 * Content-Security-Policy blocks the request.
 */
async function askServer(
  registrationsUrl: string,
  server: string,
): Promise<{ succeeds: boolean; blocked: string | undefined }> {
  const url = registrationsUrl.replace(/registrations$/, "config");
  const { succeeds, violation } = await repeat(
    () => fetch(url, { mode: "no-cors" }),
    ({ effectiveDirective, blockedURI }) =>
      effectiveDirective === "connect-src" && `${blockedURI}/`.startsWith(`${server}/`),
  );
  if (!violation) return { succeeds, blocked: undefined };
  const { blamed } = violation;
  const source = server === location.origin ? "'self'" : server;
  const replacesDefault = blamed.startsWith("default-src") && !blamed.includes("'none'");
  const copied = replacesDefault ? ", beside what default-src allows" : "";
  const blocked =
    `the page's Content-Security-Policy forbids the server at ${server} by "${blamed}"; allow ${source} in ` +
    `connect-src${copied}`;
  return { succeeds, blocked };
}
