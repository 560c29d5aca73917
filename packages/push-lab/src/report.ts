import type { LabEvent } from "./events.ts";
import type { PushLab } from "./lab.ts";
import { plainPush } from "./push-service/plain-push.ts";
import type { Push } from "./push-service/pushes.ts";
import type { Subscription } from "./push-service/subscriptions.ts";
import { exported, quoted } from "./shell.ts";

/** What a browser and a server need to use the lab, as one line of JSON. */
export function labAsJson(lab: PushLab, hosts: readonly string[]): string {
  const { directory, caPath, pushService, pushServices, serverEnvironment, proxy, control } = lab;
  const chromium = { args: lab.chromium.argsFor({ hosts }) };
  const firefox = {
    prefs: lab.firefox.prefsFor({ hosts }),
    environment: lab.firefox.environment,
  };
  return JSON.stringify({
    type: "ready",
    directory,
    caPath,
    pushService,
    pushServices,
    serverEnvironment,
    proxy,
    control,
    chromium,
    firefox,
  });
}

/** The same for people: to be copied into a shell as it stands. */
export function describeLab(lab: PushLab, hosts: readonly string[]): string {
  const curls = lab.pushServices.map(
    ({ origin }) => `  curl ${lab.reach(origin).curl.map(quoted).join(" ")}`,
  );
  const args = lab.chromium.argsFor({ hosts }).map((arg) => `    ${quoted(arg)}`);
  const preferences = Object.entries(lab.firefox.prefsFor({ hosts })).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  const plays = lab.pushServices.map(
    ({ origin, address, port }) => `The push lab plays ${origin} on ${address}:${port}.`,
  );
  return [
    ...plays,
    "",
    "For a Sineta server, in its environment:",
    ...exported(lab.serverEnvironment),
    "",
    "For any other sender, in its environment (a proxy that leads to the lab alone):",
    ...exported(lab.proxy.environment),
    "",
    "Or for curl by itself, to either push service:",
    ...curls,
    "",
    "For Chromium (as root, add --no-sandbox):",
    ['  chromium --user-data-dir="$(mktemp -d)"', ...args].join(" \\\n"),
    "",
    "For Firefox, in a fresh profile:",
    '  profile="$(mktemp -d)"',
    "  cat > \"$profile/user.js\" <<'END'",
    ...preferences,
    "END",
    ...exported(lab.firefox.environment),
    '  firefox --no-remote --profile "$profile"',
    "",
    "To make the push services misbehave, and to see what arrived:",
    `  curl ${lab.control.url}/faults -H 'content-type: application/json' -d '{"fault":{"kind":"answer","status":503},"times":1}'`,
    `  curl ${lab.control.url}/pushes`,
    "",
    "What happens:",
  ].join("\n");
}

/** An event as one line of JSON; bodies in base64url. */
export function eventAsJson(event: LabEvent, atMs: number): string {
  const plain = "push" in event ? { ...event, push: plainPush(event.push) } : event;
  return JSON.stringify({ ...plain, atMs });
}

/** An event as one line for people. */
export function describeEvent(event: LabEvent, at: Date): string {
  const time = at.toTimeString().slice(0, 8);
  // Part of what is printed came from outside: no line breaks, no control of the terminal.
  return `${time} ${describe(event)}`.replaceAll(/\p{Cc}/gu, "?");
}

function describe(event: LabEvent): string {
  switch (event.type) {
    case "checked-in":
      return `browser ${event.browser} is new here`;
    case "connected":
      return `browser ${event.browser} connected`;
    case "disconnected":
      return `browser ${event.browser} disconnected: ${event.reason}`;
    case "connection-refused":
      return `a connection for messages was refused: ${event.reason}`;
    case "registration-held":
      return `browser ${event.browser} is kept waiting for a registration`;
    case "registration-abandoned":
      return `browser ${event.browser} gave up waiting for a registration`;
    case "registration-refused":
      return `browser ${event.browser} was refused a registration: ${event.error}`;
    case "subscribed":
      return `browser ${event.subscription.browser} subscribed${forPage(event.subscription)}: ${event.subscription.endpoint}`;
    case "ended":
      return `a subscription${forPage(event.subscription)} ended: ${event.subscription.endpoint}`;
    case "proxy-refused":
      return `the proxy refused ${event.target}: ${event.reason}`;
    case "push":
      return describePush(event.push);
    case "delivery":
      return describeDelivery(event.push);
    default:
      return event satisfies never;
  }
}

/** Firefox does not tell which page it is. */
function forPage({ origin }: Subscription): string {
  return origin === "" ? "" : ` for ${origin}`;
}

function describeDelivery({ id, delivery, undeliveredCode }: Push): string {
  const code = undeliveredCode === undefined ? "" : ` (code ${undeliveredCode})`;
  return `push ${id} ${delivery ?? ""}${code}`;
}

function describePush(push: Push): string {
  const { id, status, reason, ttlSeconds, urgency, topic, body } = push;
  const details = [
    `${body.byteLength} bytes`,
    ...(ttlSeconds === undefined ? [] : [`TTL ${ttlSeconds} s`]),
    ...(urgency === undefined ? [] : [`urgency ${urgency}`]),
    ...(topic === undefined ? [] : [`topic ${topic}`]),
  ];
  const why = reason === undefined ? "" : `: ${reason}`;
  return `push ${id} (${details.join(", ")}) ${status === 0 ? "not answered" : `answered ${status}`}${why}`;
}
