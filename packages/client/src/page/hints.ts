/** What developers are told, on loopback pages alone: `hint` loads this file. Each sentence is said once a page load. */
import type { MessagingErrorCode } from "../errors.ts";
import type { Offer } from "./availability.ts";
import type { MessagingOptions } from "./messaging.ts";

/** What of a MessagingError is read here: importing its class would draw the page's code into this file. */
type Failure = { code?: MessagingErrorCode; problem?: string; cause?: unknown };

type Addresses = { registrationsUrl: string; workerUrl: string };

const said = new Set<string>();

function say(sentence: string, ...causes: unknown[]): void {
  if (said.has(sentence)) return;
  said.add(sentence);
  console.warn(`Sineta: ${sentence}.`, ...causes);
}

/** Push cannot be offered on this page, so there is no bell. */
export function sayNoBell(offer: Offer & { messaging?: unknown }): void {
  const obstacle = obstacleTo(offer);
  if (obstacle) say(`there is no bell, because ${obstacle}`);
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
    return `the option server is "${server}"; pass an origin with its scheme, such as https://avisos.example.com`;
  }
  if (worker !== undefined && !isWebAddress(worker, location.href)) {
    return `the option worker is "${worker}"; pass the address of the worker's file, such as /sineta-sw.js`;
  }
  if (project !== undefined && !isEncodable(project)) {
    return `the option project is "${project}"; pass the name of a project, such as default`;
  }
  return "createMessaging failed";
}

function isWebAddress(text: string, base?: string): boolean {
  try {
    return /^https?:$/.test(new URL(text, base).protocol);
  } catch {
    return false;
  }
}

function isEncodable(text: string): boolean {
  try {
    encodeURIComponent(text);
    return true;
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
}: Offer & { messaging?: unknown }): string | undefined {
  if (messaging !== undefined) {
    return "the option messaging is no messaging object; pass what createMessaging or fromFirebase returns";
  }
  if (!vapidKey) return "it was given no vapidKey; pass the key that `sineta keys` prints";
  if (typeof vapidKey !== "string") {
    return "the option vapidKey is no text; pass the key as `sineta keys` prints it";
  }
  if (location.protocol !== "https:" && !allowLoopback) {
    // An explicit `allowLoopback: false` was decided, not forgotten.
    if (allowLoopback === false) return undefined;
    return "this page is not https; for development on loopback, pass allowLoopback: true";
  }
  // A tab of such a device has no push, either. Only they have this property.
  if ("standalone" in navigator) return appleObstacle(appleDevices);
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    return (
      "this page has no service workers, push or notifications; open it in a current browser, in a normal window, and " +
      "in no frame"
    );
  }
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
export async function sayNoToken(error: unknown, addresses: Addresses): Promise<void> {
  const failure: Failure = error instanceof Error ? error : {};
  const causes = failure.cause === undefined ? [] : [failure.cause];
  say(`there is no token, because ${await reasonOf(failure, addresses)}`, ...causes);
}

async function reasonOf(
  { code, problem }: Failure,
  { registrationsUrl, workerUrl }: Addresses,
): Promise<string> {
  const server = new URL(registrationsUrl).origin;
  switch (code) {
    case "worker-failed":
      return (
        `the browser could not install the worker of ${workerUrl}; copy node_modules/@sineta/client/dist/sw.js ` +
        "there, and serve it as JavaScript"
      );
    case "subscribe-failed":
      return (
        "the browser got no push subscription; check that vapidKey is what `sineta keys` prints, that the window is " +
        "no private one, and that the browser reaches the internet (`npm run lab` does without)"
      );
    case "token-timeout":
      return "nothing came within 20 s; check that the browser reaches the internet (`npm run lab` does without)";
    case "server-unreachable":
      // A browser hides why a request to another origin failed. This one fails only where nothing answers.
      return (await answers(registrationsUrl.replace(/registrations$/, "config")))
        ? refusesOrigin(server)
        : `no Sineta server answers this page at ${server}; check its address, that it runs, and the page's CSP`;
    case "server-refused":
      if (problem === "origin-not-allowed") return refusesOrigin(server);
      if (problem === "vapid-key-unknown") {
        return `vapidKey is not the key of the server at ${server}; pass the one that \`sineta keys\` prints there`;
      }
      return `the server at ${server} refused: ${problem}; docs/errors.md says what to do`;
    case "not-registered":
    case "storage-failed":
    case undefined:
    default:
      return `of ${code ?? "an error"}; docs/errors.md says what to do`;
  }
}

function refusesOrigin(server: string): string {
  return (
    `the server at ${server} does not allow pages of ${location.origin}; add this page's origin to SINETA_ORIGINS, ` +
    "or to Ajustes in the console"
  );
}

/** Whether anything answers there; what it answers stays hidden. */
function answers(url: string): Promise<boolean> {
  return fetch(url, { mode: "no-cors" }).then(
    () => true,
    () => false,
  );
}
