import type { Messaging } from "@sineta/client";

/**
 * Messaging for a bell that asks nobody before it is clicked: on load it asks for a token only where notifications are
 * allowed already. The bell of a site asks by itself.
 */
export function asksOnClick(messaging: Messaging): Messaging {
  return {
    ...messaging,
    // A click asks for confirmation by the server; what a page asks on load does not.
    getToken: (request) =>
      request.confirm === false && Notification.permission !== "granted"
        ? Promise.resolve(null)
        : messaging.getToken(request),
  };
}
