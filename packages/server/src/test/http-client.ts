import { projectConfigSchema, registrationResponseSchema } from "@sineta/protocol";
import { testBrowser, type TestBrowser } from "./browser.ts";

/** Speaks to a running server as the pages of its own origin do. @param site such as http://localhost:8080/ */
export async function siteClient(site: string) {
  const { origin } = new URL(site);
  const project = `${origin}/v1/projects/default`;
  const { vapidKey } = projectConfigSchema.parse(await (await fetch(`${project}/config`)).json());

  return {
    project,
    origin,
    /** The request that registers this browser. */
    request(browser: TestBrowser, token?: string) {
      return {
        method: "POST",
        headers: {
          Origin: origin,
          "Content-Type": "application/json",
          "Sineta-Client-Secret": browser.clientSecret,
        },
        body: JSON.stringify({ subscription: browser.subscription, vapidKey, token }),
      };
    },
    /** Registers a browser. Rejects if the connection breaks, or if it is refused. */
    async register(browser = testBrowser(), token?: string) {
      const response = await fetch(`${project}/registrations`, this.request(browser, token));
      const answer = registrationResponseSchema.parse(await response.json());
      return { status: response.status, token: answer.token };
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
