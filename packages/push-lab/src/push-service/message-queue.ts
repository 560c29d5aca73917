/**
 * Where an accepted push is on its way to the browser.
 *
 * ```
 * queued -> sent -> acknowledged
 *   ^________|  connection lost before the acknowledgement
 * queued -> expired               its TTL passed
 * queued, sent -> replaced        a newer push of the same subscription and topic (RFC 8030, 5.4)
 * queued, sent -> dropped         its subscription ended
 * ```
 * An acknowledgement wins over everything: the browser says that it has the message.
 */
export type Delivery = "queued" | "sent" | "acknowledged" | "replaced" | "expired" | "dropped";

export type Message = {
  readonly id: string;
  readonly browser: string;
  readonly endpoint: string;
  readonly topic: string | undefined;
  readonly ttlSeconds: number;
  readonly acceptedAtMs: number;
  readonly contentEncoding: string | undefined;
  readonly body: Uint8Array;
};

export type MessageQueue = {
  /** Takes an accepted message; a connected browser is sent it at once. */
  readonly add: (message: Message) => void;
  /** The browser is there: sends it what waits, oldest first, and from now on what comes. Call the result when it left. */
  readonly connect: (browser: string, send: (message: Message) => void) => () => void;
  /** The browser has this message; an id that is not waiting is fine, browsers repeat themselves. */
  readonly acknowledge: (browser: string, id: string) => void;
  /** The subscription ended: what waits for it will never be sent. */
  readonly drop: (browser: string, endpoint: string) => void;
};

type Waiting = { readonly message: Message; state: "queued" | "sent" };

/** When the message's TTL has passed, in milliseconds of the queue's clock. */
export function expiresAtMs(message: Pick<Message, "acceptedAtMs" | "ttlSeconds">): number {
  return message.acceptedAtMs + message.ttlSeconds * 1000;
}

/**
 * Keeps messages until the browser has acknowledged them: at least once, in the order they came, each browser only its own
 * (RFC 8030, sections 5.2 and 5.4). Expiry is looked at whenever a browser comes, goes or is sent something; no timer runs.
 *
 * @param onChange told each state a message enters, after it entered it
 */
export function createMessageQueue({
  now,
  onChange,
}: {
  now: () => number;
  onChange: (id: string, delivery: Delivery) => void;
}): MessageQueue {
  const mailboxes = new Map<string, Map<string, Waiting>>();
  const connected = new Map<string, (message: Message) => void>();

  const mailboxOf = (browser: string): Map<string, Waiting> => {
    const mailbox = mailboxes.get(browser) ?? new Map<string, Waiting>();
    mailboxes.set(browser, mailbox);
    return mailbox;
  };

  const remove = (
    browser: string,
    delivery: Delivery,
    which: (waiting: Waiting) => boolean,
  ): void => {
    const mailbox = mailboxOf(browser);
    for (const [id, waiting] of mailbox) {
      if (!which(waiting)) continue;
      mailbox.delete(id);
      onChange(id, delivery);
    }
  };

  const expire = (browser: string): void => {
    remove(
      browser,
      "expired",
      ({ message, state }) => state === "queued" && expiresAtMs(message) <= now(),
    );
  };

  const flush = (browser: string): void => {
    const send = connected.get(browser);
    if (send === undefined) return;
    for (const waiting of mailboxOf(browser).values()) {
      if (waiting.state === "sent") continue;
      waiting.state = "sent";
      send(waiting.message);
      onChange(waiting.message.id, "sent");
    }
  };

  return {
    add: (message) => {
      const { browser, endpoint, topic } = message;
      if (topic !== undefined) {
        remove(
          browser,
          "replaced",
          (waiting) => waiting.message.endpoint === endpoint && waiting.message.topic === topic,
        );
      }
      mailboxOf(browser).set(message.id, { message, state: "queued" });
      // Sent before expired: a TTL of 0 means "now or never" (RFC 8030, 5.2), not "never".
      flush(browser);
      expire(browser);
    },
    connect: (browser, send) => {
      expire(browser);
      connected.set(browser, send);
      flush(browser);
      return () => {
        // A browser that came back before its old connection was seen to end has a newer one here.
        if (connected.get(browser) !== send) return;
        connected.delete(browser);
        for (const waiting of mailboxOf(browser).values()) {
          if (waiting.state === "queued") continue;
          waiting.state = "queued";
          onChange(waiting.message.id, "queued");
        }
        expire(browser);
      };
    },
    acknowledge: (browser, id) => {
      mailboxOf(browser).delete(id);
      onChange(id, "acknowledged");
    },
    drop: (browser, endpoint) => {
      remove(browser, "dropped", (waiting) => waiting.message.endpoint === endpoint);
    },
  };
}
