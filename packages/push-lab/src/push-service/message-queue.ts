/**
 * Where an accepted push is on its way to the browser.
 *
 * ```
 * queued -> sent -> acknowledged -> undelivered   the page's worker failed on it (Firefox only)
 *   ^________|  connection lost before the acknowledgement
 * sent -> undelivered             the browser could not hand it to the page's worker (Firefox only)
 * queued -> expired               its TTL passed
 * queued, sent -> replaced        a newer push of the same subscription and topic (RFC 8030, 5.4)
 * queued, sent -> dropped         its subscription ended
 * ```
 * What the browser says wins over everything: it has the message.
 */
export type Delivery =
  | "queued"
  | "sent"
  | "acknowledged"
  | "undelivered"
  | "replaced"
  | "expired"
  | "dropped";

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
  /**
   * The browser is there: sends it what waits, oldest first, and from now on what comes. `again` says that the message was
   * sent before and not acknowledged. Call the result when it left.
   */
  readonly connect: (
    browser: string,
    send: (message: Message, again: boolean) => void,
  ) => () => void;
  /** The browser has this message; an id that is not waiting is fine, browsers repeat themselves. */
  readonly acknowledge: (browser: string, id: string) => void;
  /** The browser has this message and could not deliver it, now or after it was acknowledged: it is not sent again. */
  readonly refuse: (browser: string, id: string, code: number) => void;
  /** The subscription ended: what waits for it will never be sent. */
  readonly drop: (browser: string, endpoint: string) => void;
};

type Waiting = { readonly message: Message; state: "queued" | "sent"; sentBefore: boolean };

type Mailbox = {
  /** Oldest first. */
  readonly waiting: Map<string, Waiting>;
  /** Sent, then replaced, expired or dropped: its acknowledgement may still come. */
  readonly overtaken: Set<string>;
  /** The last ones: the browser may still say that it could not deliver them. */
  readonly acknowledged: Set<string>;
};

const rememberedAcknowledgements = 1000;

/** When the message's TTL has passed, in milliseconds of the queue's clock. */
export function expiresAtMs(message: Pick<Message, "acceptedAtMs" | "ttlSeconds">): number {
  return message.acceptedAtMs + message.ttlSeconds * 1000;
}

/**
 * Keeps messages until the browser has acknowledged them: at least once, in the order they came, each browser only its own
 * (RFC 8030, sections 5.2 and 5.4). Expiry is looked at whenever a browser comes, goes or is sent something; no timer runs.
 *
 * @param onChange told each state a message enters, after it entered it; with `undelivered` the browser's code
 */
export function createMessageQueue({
  now,
  onChange,
}: {
  now: () => number;
  onChange: (id: string, delivery: Delivery, code?: number) => void;
}): MessageQueue {
  const mailboxes = new Map<string, Mailbox>();
  const connected = new Map<string, (message: Message, again: boolean) => void>();

  const mailboxOf = (browser: string): Mailbox => {
    const mailbox = mailboxes.get(browser) ?? {
      waiting: new Map(),
      overtaken: new Set(),
      acknowledged: new Set(),
    };
    mailboxes.set(browser, mailbox);
    return mailbox;
  };

  const remove = (browser: string, delivery: Delivery, which: (one: Waiting) => boolean): void => {
    const { waiting, overtaken } = mailboxOf(browser);
    for (const [id, one] of waiting) {
      if (!which(one)) continue;
      waiting.delete(id);
      if (one.sentBefore) overtaken.add(id);
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

  const takeBack = (browser: string): void => {
    for (const one of mailboxOf(browser).waiting.values()) {
      if (one.state === "queued") continue;
      one.state = "queued";
      onChange(one.message.id, "queued");
    }
    expire(browser);
  };

  const flush = (browser: string): void => {
    const send = connected.get(browser);
    if (send === undefined) return;
    for (const one of mailboxOf(browser).waiting.values()) {
      if (one.state === "sent") continue;
      const again = one.sentBefore;
      one.state = "sent";
      one.sentBefore = true;
      send(one.message, again);
      onChange(one.message.id, "sent");
    }
  };

  return {
    add: (message) => {
      const { browser, endpoint, topic } = message;
      if (topic !== undefined) {
        remove(
          browser,
          "replaced",
          (one) => one.message.endpoint === endpoint && one.message.topic === topic,
        );
      }
      mailboxOf(browser).waiting.set(message.id, { message, state: "queued", sentBefore: false });
      // Sent before expired: a TTL of 0 means "now or never" (RFC 8030, 5.2), not "never".
      flush(browser);
      expire(browser);
    },
    connect: (browser, send) => {
      connected.set(browser, send);
      // A browser may be back before its old connection was seen to end: what went there is sent again as well.
      takeBack(browser);
      flush(browser);
      return () => {
        if (connected.get(browser) !== send) return;
        connected.delete(browser);
        takeBack(browser);
      };
    },
    acknowledge: (browser, id) => {
      const { waiting, overtaken, acknowledged } = mailboxOf(browser);
      if (!waiting.delete(id) && !overtaken.delete(id)) return;
      acknowledged.add(id);
      const [oldest] = acknowledged;
      if (acknowledged.size > rememberedAcknowledgements && oldest !== undefined)
        acknowledged.delete(oldest);
      onChange(id, "acknowledged");
    },
    refuse: (browser, id, code) => {
      const { waiting, overtaken, acknowledged } = mailboxOf(browser);
      if (waiting.delete(id) || overtaken.delete(id) || acknowledged.delete(id))
        onChange(id, "undelivered", code);
    },
    drop: (browser, endpoint) => {
      remove(browser, "dropped", (one) => one.message.endpoint === endpoint);
    },
  };
}
