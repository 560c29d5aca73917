import { randomUUID } from "node:crypto";

import type { PushLab } from "../lab.ts";
import {
  type BrowserConnection,
  checkIn,
  connectBrowser,
  register,
  subscribe,
} from "../test/chromium-client.ts";
import {
  connectFirefox,
  type FirefoxConnection,
  type Notification,
} from "../test/firefox-client.ts";
import { leave } from "../test/leave.ts";
import { type ProtocolBrowser, pushServiceContract } from "./push-service-contract.ts";

pushServiceContract("Chromium", {
  origin: "https://jmt17.google.com",
  newBrowser: newChromium,
  wrongVapidStatus: 403,
  longestTtlSeconds: 28 * 86_400,
});

pushServiceContract("Firefox", {
  origin: "https://updates.push.services.mozilla.com",
  newBrowser: newFirefox,
  wrongVapidStatus: 401,
  longestTtlSeconds: 30 * 86_400,
});

async function newChromium(lab: PushLab): Promise<ProtocolBrowser> {
  const credentials = await checkIn(lab);
  const connection = held<BrowserConnection>();
  return {
    subscribe: () => subscribe(lab, credentials),
    unsubscribe: async () => {
      await register(lab, credentials, { delete: true });
    },
    connect: async () => {
      connection.set(await connectBrowser(lab, credentials));
    },
    leave: () => leave(lab, credentials.browser, connection.get().leave),
    nextMessage: async () => {
      const { id, body } = await connection.get().nextMessage();
      return { id, body };
    },
    acknowledge: () => {
      connection.get().acknowledge();
    },
  };
}

/** Firefox subscribes over its connection: where it is away, it comes for that and leaves again. */
async function newFirefox(lab: PushLab): Promise<ProtocolBrowser> {
  let uaid: string | undefined;
  let channelID = "";
  let unacknowledged: Notification[] = [];
  const connection = held<FirefoxConnection>();
  const visit = async (act: (visit: FirefoxConnection) => Promise<void>): Promise<void> => {
    const firefox = await connectFirefox(lab, uaid);
    uaid = firefox.uaid;
    await act(firefox);
    await leave(lab, firefox.uaid, firefox.leave);
  };
  return {
    subscribe: async () => {
      let endpoint = "";
      channelID = randomUUID();
      await visit(async (firefox) => {
        const reply = await firefox.register(channelID);
        endpoint = reply.pushEndpoint ?? "";
      });
      return endpoint;
    },
    unsubscribe: () =>
      visit(async (firefox) => {
        await firefox.unregister(channelID);
      }),
    connect: async () => {
      unacknowledged = [];
      connection.set(await connectFirefox(lab, uaid));
    },
    leave: () => leave(lab, uaid ?? "", connection.get().leave),
    nextMessage: async () => {
      const notification = await connection.get().nextNotification();
      unacknowledged.push(notification);
      const { version, data } = notification;
      return {
        id: version,
        body: data === undefined ? undefined : Buffer.from(data, "base64url"),
      };
    },
    acknowledge: () => {
      for (const notification of unacknowledged.splice(0))
        connection.get().acknowledge(notification);
    },
  };
}

/** What is there only after `set`. */
function held<Value>() {
  let value: Value | undefined;
  return {
    set: (next: Value): void => {
      value = next;
    },
    get: (): Value => {
      if (value === undefined) throw new Error("the browser is away");
      return value;
    },
  };
}
