import { spawn } from "node:child_process";
import { EventEmitter, on, once } from "node:events";
import { createInterface } from "node:readline";
import { Message, sessionBus } from "@jellybrick/dbus-next";

const service = "org.freedesktop.Notifications";
const path = "/org/freedesktop/Notifications";

/** A notification as the browser hands it to the desktop. */
export type DesktopNotification = { id: number; title: string; body: string; actions: string[] };

/** A desktop for one browser: its session bus, and the service on it that shows notifications. */
export type Desktop = {
  /** For the browser's environment. */
  environment: Record<string, string>;
  /** The notifications shown now, oldest first. */
  shown: () => DesktopNotification[];
  /** Titles of everything that was ever shown, oldest first, each showing once. */
  showings: () => string[];
  /** The first notification shown with that title: now, or as soon as it is. */
  notification: (title: string) => Promise<DesktopNotification>;
  /** A person's click on the notification itself, or on one of its actions. It stays until the browser closes it. */
  click: (notification: DesktopNotification, action?: string) => void;
  /** A person's dismissal of the notification. */
  dismiss: (notification: DesktopNotification) => void;
  /** Forgets what was shown. */
  clear: () => void;
  stop: () => Promise<void>;
};

/**
 * Plays the desktop to a browser on Linux. No browser lets a test click on a notification, but a browser that
 * finds the desktop's notification service on the session bus shows its notifications there, also without a
 * window; so the click comes the way a person's does, and the browser grants what a click grants (opening a
 * window). Desktop Notifications Specification 1.2, section "D-BUS Protocol".
 */
export async function startDesktop(): Promise<Desktop> {
  const daemon = spawn("dbus-daemon", ["--session", "--nofork", "--print-address=1"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [address] = await Promise.race([
    once(createInterface(daemon.stdout), "line"),
    once(daemon, "error").then(([cause]) => {
      throw new Error("dbus-daemon did not start: is the package dbus-daemon installed?", {
        cause,
      });
    }),
  ]);
  const bus = sessionBus({ busAddress: String(address) });
  const shown = new Map<number, DesktopNotification>();
  const showings: string[] = [];
  const changes = new EventEmitter();
  let lastId = 0;
  // What the browser says while the bus goes away is not answered.
  let stopped = false;

  function emit(name: string, signature: string, body: unknown[]) {
    if (!stopped) bus.send(Message.newSignal(path, service, name, signature, body));
  }

  function close(id: number, reason: number) {
    if (shown.delete(id)) emit("NotificationClosed", "uu", [id, reason]);
  }

  const answers: Record<string, (body: unknown[]) => [signature: string, body: unknown[]]> = {
    GetCapabilities: () => ["as", [["actions", "body", "persistence"]]],
    GetServerInformation: () => ["ssss", ["Sineta e2e", "Sineta", "1", "1.2"]],
    Notify([, replaces, , title, body, actions]) {
      const id = Number(replaces) || (lastId += 1);
      const notification = {
        id,
        title: String(title),
        body: String(body),
        actions: Array.isArray(actions) ? actions.map(String) : [],
      };
      shown.set(id, notification);
      showings.push(notification.title);
      changes.emit("shown", notification);
      return ["u", [id]];
    },
    CloseNotification([id]) {
      close(Number(id), closedByCall);
      return ["", []];
    },
  };
  bus.addMethodHandler((message: Message) => {
    const answer = message.interface === service && answers[message.member ?? ""];
    if (!answer) return false;
    if (!stopped) bus.send(Message.newMethodReturn(message, ...answer(message.body)));
    return true;
  });
  await bus.requestName(service, 0);

  return {
    environment: { DBUS_SESSION_BUS_ADDRESS: String(address) },
    shown: () => [...shown.values()],
    showings: () => [...showings],
    async notification(title) {
      const present = [...shown.values()].find((one) => one.title === title);
      if (present) return present;
      for await (const [notification] of on(changes, "shown")) {
        if (notification.title === title) return notification;
      }
      throw new Error("The desktop was stopped");
    },
    click({ id }, action = "default") {
      emit("ActionInvoked", "us", [id, action]);
    },
    dismiss: ({ id }) => close(id, dismissed),
    clear() {
      shown.clear();
      showings.length = 0;
    },
    async stop() {
      stopped = true;
      bus.disconnect();
      if (daemon.exitCode !== null) return;
      daemon.kill();
      await once(daemon, "exit");
    },
  };
}

/** Reasons of NotificationClosed. */
const dismissed = 2;
const closedByCall = 3;
