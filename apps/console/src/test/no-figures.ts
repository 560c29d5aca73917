import type { MessageStatus } from "@sineta/protocol";

/** What the status of a message says before the server has begun to send it. */
export const noFigures = {
  publisher: null,
  audience: { registrations: 0, complete: true },
  counts: { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 },
  unsent: 0,
  byPushService: [],
  reasons: [],
  held: [],
  receipts: { displayed: 0, clicked: 0, closed: 0 },
  clicksByAction: {},
} as const satisfies Partial<MessageStatus>;
