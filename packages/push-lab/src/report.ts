import type { LabEvent } from "./events.ts";
import type { PushLab } from "./lab.ts";
import type { Push } from "./push-service/pushes.ts";

/** What a browser and a server need to use the lab, as one line of JSON. */
export function labAsJson(lab: PushLab, hosts: readonly string[]): string {
  const { directory, caPath, pushService, serverEnvironment } = lab;
  const chromium = { args: lab.chromium.argsFor({ hosts }) };
  return JSON.stringify({
    type: "ready",
    directory,
    caPath,
    pushService,
    serverEnvironment,
    chromium,
  });
}

/** The same for people: to be copied into a shell as it stands. */
export function describeLab(lab: PushLab, hosts: readonly string[]): string {
  const environment = Object.entries(lab.serverEnvironment).map(
    ([name, value]) => `  export ${name}=${quoted(value)}`,
  );
  const args = lab.chromium.argsFor({ hosts }).map((arg) => `    ${quoted(arg)}`);
  return [
    `The push lab plays ${lab.pushService.origin} on ${lab.pushService.address}:${lab.pushService.port}.`,
    "",
    "For a Sineta server, in its environment:",
    ...environment,
    "",
    "For Chromium (as root, add --no-sandbox):",
    ['  chromium --user-data-dir="$(mktemp -d)"', ...args].join(" \\\n"),
    "",
    "What happens:",
  ].join("\n");
}

/** An event as one line of JSON; bodies in base64url. */
export function eventAsJson(event: LabEvent, atMs: number): string {
  const plain =
    "push" in event
      ? {
          ...event,
          push: { ...event.push, body: Buffer.from(event.push.body).toString("base64url") },
        }
      : event;
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
      return `browser ${event.subscription.browser} subscribed for ${event.subscription.origin}: ${event.subscription.endpoint}`;
    case "ended":
      return `subscription of ${event.subscription.origin} ended: ${event.subscription.endpoint}`;
    case "push":
      return describePush(event.push);
    case "delivery":
      return `push ${event.push.id} ${event.push.delivery ?? ""}`;
    default:
      return event satisfies never;
  }
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
  return `push ${id} (${details.join(", ")}) answered ${status}${why}`;
}

/** As a POSIX shell takes it. */
function quoted(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
