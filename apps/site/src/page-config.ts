import type { MessagingOptions } from "@sineta/client";

/** The server writes the page's configuration into this element: no request is needed before the bell shows. */
const elementId = "sineta-config";

/** The configuration that the page came with, or null where a server other than Sineta's served it. */
export function readPageConfig(page: Document): MessagingOptions | null {
  const text = page.getElementById(elementId)?.textContent;
  return text ? JSON.parse(text) : null;
}
