import {
  projectConfigSchema,
  registrationResponseSchema,
  type Receipt,
  type RegistrationRequest,
} from "@sineta/protocol";
import { testBrowser, type TestBrowser } from "./browser.ts";

/**
 * Speaks to a running server as pages do.
 * @param site such as http://localhost:8080/
 * @param pages their origin, if it is not the server's own
 */
export async function siteClient(site: string, pages: string = new URL(site).origin) {
  const { origin } = new URL(site);
  const project = `${origin}/v1/projects/default`;
  const { vapidKey } = projectConfigSchema.parse(await (await fetch(`${project}/config`)).json());

  return {
    project,
    origin,
    /** The request that registers this browser. @param more of the body */
    request(browser: TestBrowser, token?: string, more: Partial<RegistrationRequest> = {}) {
      return {
        method: "POST",
        headers: {
          Origin: pages,
          "Content-Type": "application/json",
          "Sineta-Client-Secret": browser.clientSecret,
        },
        body: JSON.stringify({ subscription: browser.subscription, vapidKey, token, ...more }),
      };
    },
    /** Registers a browser. Rejects if the connection breaks, or if it is refused. */
    async register(browser = testBrowser(), token?: string, more?: Partial<RegistrationRequest>) {
      const request = this.request(browser, token, more);
      const response = await fetch(`${project}/registrations`, request);
      const answer = registrationResponseSchema.parse(await response.json());
      return { status: response.status, token: answer.token };
    },
    /** Sends a receipt. Rejects if the connection breaks, or if it is refused. */
    async report(receipt: Receipt): Promise<void> {
      const response = await fetch(`${project}/receipts`, {
        method: "POST",
        headers: { Origin: origin, "Content-Type": "application/json" },
        body: JSON.stringify(receipt),
      });
      const text = await response.text();
      if (response.status !== 204) throw new Error(`the receipt was refused: ${text}`);
    },
  };
}

/** Resolves once nobody listens at this address any more. */
export async function untilRefused(url: string): Promise<void> {
  for (;;) {
    try {
      await (await fetch(url, { headers: { Connection: "close" } })).text();
    } catch {
      return;
    }
  }
}
